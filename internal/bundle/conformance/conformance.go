// Package conformance makes the vectors that a bundle carries, so that a program
// in any language can prove that it computes verdicts, hits and rule scores as
// this library does.
//
// It promises:
//
//   - Files is a pure function. Every vector is picked by hand, with a reason;
//     what is expected of it comes from packages rubric and ruleset.
//   - A vector keeps its name and its meaning. If the expected result of one
//     changes, programs that were right become wrong: that is a major change of
//     the library, and a test says which ones changed.
//   - Patterns are in the part of Go's syntax that means the same in every
//     language with Unicode expressions: no flags, no classes by name.
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
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// Format is the format of the files. It changes if old programs can't read them.
const Format = 1

// file is one file of vectors.
type file[V any] struct {
	Format  int    `json:"format"`
	About   string `json:"about"`
	Vectors []V    `json:"vectors"`
}

// refusal is what an input error names. Wordings are left out: they differ from
// language to language.
type refusal struct {
	Definition   bool     `json:"definition,omitempty"`
	UnknownPhase bool     `json:"unknown_phase,omitempty"`
	Missing      []string `json:"missing,omitempty"`
	Unknown      []string `json:"unknown,omitempty"`
	Inactive     []string `json:"inactive,omitempty"`
	Invalid      []string `json:"invalid,omitempty"`
	UnknownHits  []string `json:"unknown_hits,omitempty"`
}

// Files are the files of vectors by the names of their entries in a bundle.
func Files() map[string][]byte {
	return map[string][]byte{
		"conformance/verdict.json":    encode("Verdicts of rubrics: scores by criterion and the names of hits give a verdict.", verdictVectors()),
		"conformance/hits.json":       encode("Hits of negative criteria: places are half-open ranges in code points of the normalized text.", hitVectors()),
		"conformance/rule_score.json": encode("Scores of rule sets: results by rule in a phase give a score.", scoreVectors()),
	}
}

// encode writes a file of vectors as indented JSON in ASCII.
func encode[V any](about string, vectors []V) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(file[V]{Format, about, vectors}); err != nil {
		panic(fmt.Sprintf("a vector has no JSON: %v", err)) // only a number that is not finite
	}
	return escape(out.Bytes())
}

// escape writes every character beyond ASCII as JSON's \uXXXX.
func escape(data []byte) []byte {
	var out []byte
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r < utf8.RuneSelf && r != 0x7f:
			out = append(out, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		data = data[size:]
	}
	return out
}

// must is for cases that are known to have a result. A case that turns out to
// have none is a mistake in this package, which its tests find.
func must[T any](result T, err error) *T {
	if err != nil {
		panic(fmt.Sprintf("expected a result: %v", err))
	}
	return &result
}
