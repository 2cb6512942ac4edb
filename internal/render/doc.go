// Package render is the toolkit for output: text for terminals with snippets of files,
// tables, JSON, JUnit, Markdown, and SVG. Its functions print text from a library so that
// it has no effect on terminals, logs, Markdown, or HTML.
//
// It may import the rooms that docs/development/development.md lists below it.
package render
