// Package editor tests how an editor works with the documents: the JSON Schemas in a
// YAML language server, and the list of problems. It contains only tests.
package editor
