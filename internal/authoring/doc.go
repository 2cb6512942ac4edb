// Package authoring works out the chores of an author: a new library, a new document, a
// fork of one under the next ID, a document that is retired, labels that are confirmed. It
// returns the files as they will be, byte for byte, and neither writes nor prints.
//
// What it promises: a file that is there already keeps every byte but those that
// the chore is about; what an author wrote is in some file afterwards; and what
// cannot be done without breaking a rule of the library is an error in words for
// the author, with nothing half done.
//
// It may import the groups that docs/development.md lists below it.
package authoring
