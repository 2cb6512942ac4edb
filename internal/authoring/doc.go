// Package authoring computes the edits of an author: start a library, add documents, fork
// one under the next ID, retire one, and reaffirm labels. It returns the resulting files,
// byte for byte, and neither writes nor prints.
//
// It promises: an existing file keeps every byte that the edit does not concern; no text
// of an author is lost; and an edit that would break a rule of the library is an error
// with a message for the author, and changes nothing.
//
// It may import the rooms that docs/development/development.md lists below it.
package authoring
