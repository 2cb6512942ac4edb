// Package python contains the released Python client for programs that write it next to
// code that needs it. It promises that Source is exactly that file.
package python

import "embed"

// Source is rubric_bundle.py, a module.
//
//go:embed rubric_bundle.py
var Source string

// Package has the files of the package that installers build.
//
//go:embed pyproject.toml rubric_bundle.py wheel_backend.py
var Package embed.FS
