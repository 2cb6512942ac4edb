// Package javascript contains the released JavaScript client for programs that serve it.
// It promises that Source is exactly that file.
package javascript

import "embed"

// Source is rubric-bundle.mjs, an ES module.
//
//go:embed rubric-bundle.mjs
var Source string

// Package has the files of the package that installers build.
//
//go:embed package.json rubric-bundle.d.mts rubric-bundle.mjs
var Package embed.FS
