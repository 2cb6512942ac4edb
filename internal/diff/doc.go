// Package diff compares two libraries, each as a commit, a folder on disk or a
// released file holds it, and derives the library's version from what differs. It
// prints nothing.
//
// It promises:
//
//   - Documents are matched by ID: a file that was moved is the same document.
//   - Only files that differ are read.
//   - What can't be read is never taken for absent. A file with mistakes is
//     listed as such, and its version does not fit; at the base, a commit has
//     the last content that had none. A link in the place of a document hides
//     it, and a document that is gone fits only if the ledger or an exception of
//     the head lists it.
//
// It may import the groups that docs/development.md lists below it.
package diff
