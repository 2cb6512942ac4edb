// Package holdings reads what a library has and had: in a commit, in a folder with its edits, or in a
// bundle, and on the line of first parents and in the releases that lead there. It judges nothing.
//
// Data of a commit that can't be read is an error, never an absence, except for a dataset that is a
// pointer of Git LFS. In a folder, a document that can't be read has an empty hash, and differs from
// every other. A content of a commit is parsed once, unless there are too many to remember.
//
// The files are in layers, from the bottom to the top; each uses only earlier ones:
//
//   - entry, library, reading: a library and its files, with the entries of its ledger.
//   - edition: a version of a document in a library.
//   - folder: a library on disk or in a bundle.
//   - ledger, exceptions, datasets: what a library has that is not a document.
//   - gone, locate: whether a library has disappeared, and where one is in a commit.
//   - line, past, released, together: what the history had, and what releases carried.
package holdings
