// Package editor holds the tests of what an editor does with the documents: the
// JSON Schemas through a YAML language server, and the list of problems. It has
// no code of its own.
package editor
