package compat

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// FuzzCompare holds for any two valid documents that comparing them does not
// panic and finds a change exactly if they say different things.
func FuzzCompare(f *testing.F) {
	var seeds []string
	for _, pattern := range []string{"testdata/*.yaml", "../../../rubrics/*/*.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatalf("no documents match %s: %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			seeds = append(seeds, string(data))
		}
	}
	for _, base := range seeds {
		for _, head := range seeds {
			f.Add(base, head)
		}
	}
	f.Add("ruleset_id: a\nname: x\nversion: 0.0.0\nartifact_type: a\nscoring: {pass_threshold: 0}\nrules: [{id: a.a.a, description: x, severity: info, check: x}]",
		"{ruleset_id: a, name: x, version: 0.0.1, artifact_type: a, scoring: {pass_threshold: -0}, rules: [{id: a.a.a, description: x, severity: info, check: x, weight: 0.0}]}")
	f.Fuzz(func(t *testing.T, a, b string) {
		base, head := document.Parse(source.NewFile("a.yaml", []byte(a))), document.Parse(source.NewFile("b.yaml", []byte(b)))
		if !base.Valid() || !head.Valid() {
			return
		}
		holdsForAny(t, base, head)
	})
}

// TestCompareAnyDocuments does the same with documents that the tables allow,
// unusable ones among them, in any layout.
func TestCompareAnyDocuments(t *testing.T) {
	for _, k := range document.Kinds() {
		t.Run(k.Name, rapid.MakeCheck(func(t *rapid.T) {
			doc := documenttest.Any(k).Draw(t, "base")
			base := made(t, doc)
			shuffle := func(keys []string) { copy(keys, rapid.Permutation(keys).Draw(t, "keys")) }
			style := func() int { return rapid.IntRange(0, 2).Draw(t, "style") }
			if changes := Compare(base, parse(t, documenttest.YAML(doc, shuffle, style))); len(changes) > 0 {
				t.Fatalf("the layout gives %q", lines(changes))
			}
			holdsForAny(t, base, made(t, documenttest.Any(k).Draw(t, "head")))
		}))
	}
}

func holdsForAny(t fataler, base, head *document.Document) {
	for _, d := range []*document.Document{base, head} {
		again := parse(t, append([]byte("# other bytes\n"), d.File.Data...))
		if changes := Compare(d, again); len(changes) > 0 {
			t.Fatalf("a document differs from itself: %q", lines(changes))
		}
	}
	same := base.Kind == head.Kind && bytes.Equal(Content(base), Content(head))
	forth, back := Compare(base, head), Compare(head, base)
	if same != (len(forth) == 0) || same != (len(back) == 0) {
		t.Fatalf("the same is %v, and the changes are %q and back %q", same, lines(forth), lines(back))
	}
	for _, c := range append(forth, back...) {
		if c.Kind == Unclassified || c.Class == 0 || c.Message == "" || c.Path == "" || c.Base == nil && c.Head == nil {
			t.Fatalf("not a whole change: %+v", c)
		}
	}
}
