// Package repository groups what reads a Git repository: objects and refs, and
// code owners. What can't be read is an error, never an
// absence.
//
// It may import the rooms that docs/development.md lists below it.
package repository
