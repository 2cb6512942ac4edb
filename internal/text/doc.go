// Package text reads the embedded texts of the programs. Its packages analyze text, without
// knowledge of documents: hidden characters and safe output, likely misspellings, similarity, wording,
// markers, and the meaning of regular expressions.
// It imports no other package of the project.
package text
