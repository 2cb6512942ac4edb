// Package linttest has helpers for tests of lint rules: a rubric without findings,
// variants of it, and runs of selected rules.
package linttest

import (
	"bytes"
	_ "embed"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/lint"
)

// GoodRubric is a document without errors and warnings.
//
//go:embed good_v1.yaml
var GoodRubric string

// GoodPath is the path of GoodRubric.
const GoodPath = lint.Root + "/corpus/good_v1.yaml"

// Library returns a file system with files, by path.
func Library(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return fsys
}

// Changed returns GoodRubric with the first text of each pair, which must occur once,
// replaced by the second.
func Changed(t testing.TB, pairs ...string) string {
	t.Helper()
	text := GoodRubric
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%q occurs %d times in the rubric, want once", pairs[i], strings.Count(text, pairs[i]))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// Other returns GoodRubric with another ID.
func Other(id string) string { return Renamed(GoodRubric, id) }

// Renamed returns a variant of GoodRubric with another ID and different words, so that
// its criterion does not repeat that of others.
func Renamed(text, id string) string {
	return strings.NewReplacer("good_v1", id, "merged", id, "mention", id, "change", id).Replace(text)
}

// Run checks a library with the rules under test. A test that runs only these does not
// change when another rule is added.
func Run(t testing.TB, fsys fs.FS, rules []*lint.Rule, opts lint.Options) *lint.Report {
	t.Helper()
	report, err := lint.Run(fsys, rules, opts)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Brief returns findings as "file:line rule".
func Brief(findings []lint.Finding) []string {
	lines := []string{}
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("%s:%d %s", f.File, f.Start.Line, f.Rule.ID))
	}
	return lines
}

// ToyRule returns a valid lint rule for tests of the engine.
func ToyRule(id string, document func(*lint.DocumentPass)) *lint.Rule {
	return &lint.Rule{
		ID: id, Severity: lint.Warning, Check: lint.OfDocument(document),
		Prose: lint.Prose{
			Family: "Schema", Summary: "what the test wants", Why: "It is a test.", Source: "the test", Bad: "bad", Good: "good",
		},
	}
}

// ApplyFixes applies the fixes of a report and returns the changes and the fixed library.
func ApplyFixes(t testing.TB, fsys fstest.MapFS, report *lint.Report) ([]lint.FileChange, fstest.MapFS) {
	t.Helper()
	changes, err := lint.Fixes(fsys, lint.Options{}, report.Findings)
	if err != nil {
		t.Fatal(err)
	}
	after := maps.Clone(fsys)
	for _, c := range changes {
		if !bytes.Equal(c.Before, fsys[c.Path].Data) {
			t.Errorf("%s: the change does not begin with the current content", c.Path)
		}
		delete(after, c.Path)
	}
	for _, c := range changes {
		if _, taken := after[c.NewPath]; taken {
			t.Errorf("%s: its new name %s is taken", c.Path, c.NewPath)
		}
		after[c.NewPath] = &fstest.MapFile{Data: c.After}
	}
	return changes, after
}

// Only returns the rules with these IDs. It panics if one does not exist.
func Only(rules []*lint.Rule, ids ...string) []*lint.Rule {
	var some []*lint.Rule
	for _, id := range ids {
		rule := lint.Find(rules, id)
		if rule == nil {
			panic("there is no lint rule " + id)
		}
		some = append(some, rule)
	}
	return some
}
