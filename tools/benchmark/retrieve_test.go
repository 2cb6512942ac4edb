package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func TestPercentile(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(i + 1)
	}
	for _, c := range []struct {
		reason string
		sorted []time.Duration
		p      int
		want   time.Duration
	}{
		{"one of a hundred is longer", hundred, 99, 99},
		{"half of them are longer", hundred, 50, 50},
		{"a single value", hundred[:1], 99, 1},
		{"of three, the middle one", hundred[:3], 50, 2},
		{"of three, the longest", hundred[:3], 99, 3},
	} {
		if got := percentile(c.sorted, c.p); got != c.want {
			t.Errorf("%s: got %d, want %d", c.reason, got, c.want)
		}
	}
}

func TestJudgeFailsAtTheLimit(t *testing.T) {
	times := make([]time.Duration, 100)
	times[0] = limit
	if err := judge("one of a hundred is too long", times); err != nil {
		t.Error(err)
	}
	times[0] = limit // judge sorts, so that there are two now
	if err := judge("two of a hundred are too long", times); err == nil {
		t.Error("a 99th percentile of 10 ms is accepted")
	}
}

func TestGeneratedBundle(t *testing.T) {
	const n = 300
	name := filepath.Join(t.TempDir(), "bundle.zip")
	digest, err := writeBundle(name, n)
	if err != nil {
		t.Fatal(err)
	}
	lib := must.Get(library.Open(name, library.WithDigest(digest)))(t)
	defer lib.Close()
	found, err := lib.Search(library.Query{IncludeDeprecated: true})
	if err != nil || len(found) != n {
		t.Fatalf("the bundle has %d rubrics, %v", len(found), err)
	}
	for _, e := range found {
		one, err := lib.Resolve(e.ID, "")
		if err != nil || one.Version != e.Latest {
			t.Errorf("%s resolves to %v, %v", e.ID, one, err)
		}
	}
	if _, err := writeBundle(name, maxRubrics+1); err == nil {
		t.Error("more rubrics than IDs were generated")
	}
}
