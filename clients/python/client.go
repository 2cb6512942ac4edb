// Package python contains the released Python client for programs that write it next to
// code that needs it. It promises that Source is exactly that file.
package python

import _ "embed" // the client

// Source is rubric_bundle.py, a module.
//
//go:embed rubric_bundle.py
var Source string
