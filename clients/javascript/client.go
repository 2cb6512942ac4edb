// Package javascript holds the client in JavaScript as the library releases it, for
// programs that hand it on. It promises that Source is that file, byte by byte.
package javascript

import _ "embed" // the client

// Source is rubric-bundle.mjs, an ES module.
//
//go:embed rubric-bundle.mjs
var Source string
