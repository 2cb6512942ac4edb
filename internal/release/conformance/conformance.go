// Package conformance has the test vectors in a bundle, with which a program in any
// language can prove that it computes verdicts, hits, rule scores, and searches, and
// resolves constraints, as this library does.
//
// It promises:
//
//   - Every vector is chosen by hand, with a reason; a test verifies that packages
//     rubric, ruleset, and internal/library compute the expected results.
//   - A vector keeps its name and its meaning. If an expected result changes,
//     correct programs become wrong: that is a major change of the library, and a
//     test reports which vectors changed.
//   - Patterns use the part of Go's syntax that has the same meaning in every
//     language with Unicode expressions: no flags, no named classes.
//
// To add a vector, write its input into the file and run
//
//	go test ./internal/release/conformance -update
//
// # Format
//
// A file is an object with "format", "about", and "vectors". A vector has a name, a reason, a
// document in the form of a bundle (for a search, lines of the index with the keys that matter; for
// a constraint, versions and the reasons of yanked ones), the input, and either "result" or
// "error". The vectors of "open" share the entries in "bundle": in "entry", "new" replaces "old"
// once, and SHA256SUMS lists the sums of the changed entries. Then open the bundle, get the
// document "id" with "constraint", and list all documents. The result has the version, and the
// versions of the entry.
//
// A result is the encoding of the Go types: a missing key is 0, "", or false. Numbers must be equal
// as IEEE doubles, not just close. An error says what must be rejected: "integrity" names the step,
// "open", "get", or "list", that reports damage, "retired" has what is known of a retired document,
// "not_found" means that there is no document, "definition" means the document itself,
// "unknown_phase" the phase, "unsatisfied" that no version satisfies the constraint, "constraint"
// that it is none, and the other errors have sorted lists of names. Characters outside ASCII are
// escaped, so no tool can normalize them.
package conformance

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
)

//go:embed vectors
var folder embed.FS

// Files returns the files of vectors by their entry names in a bundle.
func Files() map[string][]byte {
	files := map[string][]byte{}
	list, err := folder.ReadDir("vectors")
	for _, f := range list {
		if err == nil {
			files["conformance/"+f.Name()], err = folder.ReadFile("vectors/" + f.Name())
		}
	}
	if err != nil {
		panic(err) // they are part of the program
	}
	return files
}

// Changed names the vectors of a released file that the next file changes: another
// input, another result, or no vector at all. A new vector, another order, and another
// reason are not changes.
func Changed(before, after []byte) ([]string, error) {
	old, names, err := vectors(before)
	if err != nil {
		return nil, err
	}
	now, _, err := vectors(after)
	if err != nil {
		return nil, err
	}
	var changed []string
	if !reflect.DeepEqual(sharedBundle(before), sharedBundle(after)) {
		changed = append(changed, "bundle")
	}
	for _, name := range names {
		a, b := maps.Clone(old[name]), maps.Clone(now[name])
		delete(a, "reason")
		delete(b, "reason")
		if !reflect.DeepEqual(a, b) {
			changed = append(changed, name)
		}
	}
	return changed, nil
}

// sharedBundle is the bundle that the vectors of a readable file share.
func sharedBundle(data []byte) any {
	var f struct {
		Bundle any `json:"bundle"`
	}
	_ = json.Unmarshal(data, &f) // vectors reports the error
	return f.Bundle
}

// vectors returns the vectors of a file by name, and the names in order.
func vectors(data []byte) (byName map[string]map[string]any, names []string, err error) {
	var f struct {
		Vectors []map[string]any `json:"vectors"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, nil, fmt.Errorf("the conformance vectors can't be read: %w", err)
	}
	byName = map[string]map[string]any{}
	for _, v := range f.Vectors {
		name, _ := v["name"].(string)
		byName[name] = v
		names = append(names, name)
	}
	return byName, names, nil
}
