// Package rulesets prepares the work with a rule set: it creates the rules of a run from a
// base template and the answers of the requester, and reads and writes the files of the run.
//
// After every answer, the rules are complete, with all six fields and unique IDs. An
// invalid answer changes nothing, and the error says what to write instead. A file that is
// read without problems conforms to the schema, and every ID in it exists exactly once.
// Writing to a run file preserves the data of other programs in it.
//
// It may import the rooms that docs/development/development.md lists below it.
package rulesets
