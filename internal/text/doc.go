// Package text groups the analysis of text, without knowledge of documents:
// invisible characters, safe output, likely misspellings, similarity, and wording.
//
// It may import the groups that docs/development.md lists below it.
package text
