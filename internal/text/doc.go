// Package text reads the embedded texts of the programs. Its packages analyze text, without
// knowledge of documents: hidden characters, safe output, likely misspellings, similarity, wording, and the
// meaning of regular expressions.
// It imports no other package of the project.
package text
