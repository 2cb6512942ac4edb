// Package repository groups what reads a Git repository: objects and refs, code
// owners, and the history of a library. What can't be read is an error, never an
// absence.
//
// It may import the groups that docs/development.md lists below it.
package repository
