// Package conformance has the vectors that a bundle carries, so that a program in
// any language can prove that it computes verdicts, hits and rule scores as this
// library does.
//
// It promises:
//
//   - Every vector is picked by hand, with a reason; a test holds that packages
//     rubric and ruleset compute what is expected of it.
//   - A vector keeps its name and its meaning. If the expected result of one
//     changes, programs that were right become wrong: that is a major change of
//     the library, and a test says which ones changed.
//   - Patterns are in the part of Go's syntax that means the same in every
//     language with Unicode expressions: no flags, no classes by name.
//
// To add a vector, write its input into the file and run
//
//	go test ./internal/bundle/conformance -update
//
// # Format
//
// A file is an object with "format", "about" and "vectors". A vector has a name,
// a reason, a document as a bundle has it, the input, and either "result" or
// "error".
//
// A result is what the Go types encode to: a key that is missing is 0, "" or
// false. Numbers must be equal as IEEE doubles, not just near. An error says what
// has to be refused: "definition" that the document itself can't be used,
// "unknown_phase" the phase, the others list names, sorted. All other characters
// than ASCII are escaped, so that no tool normalizes them.
package conformance

import (
	_ "embed"
	"maps"
)

var (
	//go:embed vectors/verdict.json
	verdicts []byte
	//go:embed vectors/hits.json
	hits []byte
	//go:embed vectors/rule_score.json
	ruleScores []byte
)

var entries = map[string][]byte{
	"conformance/verdict.json":    verdicts,
	"conformance/hits.json":       hits,
	"conformance/rule_score.json": ruleScores,
}

// Files are the files of vectors by the names of their entries in a bundle. Their
// content is shared: do not change it.
func Files() map[string][]byte { return maps.Clone(entries) }
