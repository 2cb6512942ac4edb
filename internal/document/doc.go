// Package document defines rubrics and rule sets: the schema tables of both kinds, and
// from them the checked document, its canonical form, its digests, and its typed
// model. It also finds texts that are none: placeholders, and text that people do not see.
//
// It may import the rooms that docs/development/development.md lists below it.
package document
