// Package render is the toolkit of the packages that print: text for terminals with
// snippets of files, tables, JSON, JUnit, Markdown, and SVG. What its functions print
// of a text from a library has no effect on terminals, logs, Markdown, or HTML.
//
// It may import the groups that docs/development.md lists below it.
package render
