// Package library finds, lists, and reads the files of a library: all documents of one
// folder that contains rubrics/, in a working tree, at a commit, or in any other file
// system. It has the one answer to which files are documents, which document has an ID,
// and how much is read.
//
// It knows nothing of Git: a commit is a file system here. What can't be read is
// an error, never an absence.
//
// It may import the rooms that docs/development/development.md lists below it.
package library
