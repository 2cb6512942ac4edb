// Package javascript contains the released JavaScript client for programs that serve it.
// It promises that Source is exactly that file.
package javascript

import _ "embed" // the client

// Source is rubric-bundle.mjs, an ES module.
//
//go:embed rubric-bundle.mjs
var Source string
