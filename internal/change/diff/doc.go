// Package diff compares two libraries, each in a commit, a folder on disk, or a bundle,
// and describes the judgment of their differences for a reader. It prints nothing.
//
// It promises:
//
//   - Documents are matched by ID: a moved file is the same document.
//   - Only files that differ are read.
//   - An unreadable document never counts as absent. A file with mistakes is listed, and
//     its version does not fit; a commit at the base has the last valid content. A link
//     instead of a document makes it unreadable, and a removed document fits only if
//     the ledger or an exception of the head lists it.
package diff
