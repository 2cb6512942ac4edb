// Package dev groups the programs and test helpers for developers of this project:
// generated files, script tests, the skeleton of a lint rule, and tests of the whole
// repository. It may import all other groups; no command for users imports it.
package dev
