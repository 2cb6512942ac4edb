// Package text groups the analysis of text, without knowledge of documents:
// invisible characters, safe output, likely misspellings, similarity, and wording.
// It imports nothing of the project.
package text
