// Package conformance has the test vectors in a bundle, with which a program in any
// language can prove that it computes verdicts, hits, and rule scores as this
// library does.
//
// It promises:
//
//   - Every vector is chosen by hand, with a reason; a test verifies that packages
//     rubric and ruleset compute the expected results.
//   - A vector keeps its name and its meaning. If an expected result changes,
//     correct programs become wrong: that is a major change of the library, and a
//     test reports which vectors changed.
//   - Patterns use the part of Go's syntax that has the same meaning in every
//     language with Unicode expressions: no flags, no named classes.
//
// To add a vector, write its input into the file and run
//
//	go test ./internal/bundle/conformance -update
//
// # Format
//
// A file is an object with "format", "about", and "vectors". A vector has a name,
// a reason, a document in the form of a bundle, the input, and either "result" or
// "error".
//
// A result is the encoding of the Go types: a missing key is 0, "", or false.
// Numbers must be equal as IEEE doubles, not just close. An error says what must be
// rejected: "definition" means the document itself, "unknown_phase" the phase, and
// the other errors have sorted lists of names. Characters outside ASCII are escaped,
// so no tool can normalize them.
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

// Files returns the files of vectors by their entry names in a bundle. Their content
// is shared and must not be changed.
func Files() map[string][]byte { return maps.Clone(entries) }
