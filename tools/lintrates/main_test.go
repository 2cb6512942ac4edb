package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// dataFolder is where the data may be beside the repository.
const dataFolder = "../../../shared/data"

// TestPageIsUpToDate compares the sections of the sources that are here.
func TestPageIsUpToDate(t *testing.T) {
	got := must.Get(os.ReadFile("../../" + pageFile))(t)
	judged := must.Get(readJudged(judgedFile))(t)
	compared := 0
	for _, s := range sources {
		section, _, err := s.section(dataFolder, judged)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if !strings.Contains(string(got), section) {
			t.Errorf("%s is stale: run go run -C tools ./lintrates FOLDER. It has not:\n%s", pageFile, section)
		}
	}
	if !strings.HasPrefix(string(got), pageHead) || !strings.HasSuffix(string(got), pageEnd) {
		t.Errorf("%s has another beginning or end: run go run -C tools ./lintrates FOLDER", pageFile)
	}
	if compared == 0 {
		t.Skipf("none of the data is in %s", dataFolder)
	}
}

const line = `{"id": "7_0", "rubric": "q 7", "task": "The_Plan", "criteria": "Is it?", "anchors": {"1": "a", "2": "b", "3": "c", "4": "d", "5": "e"}}
`

// TestItemsComeThrough: a rubric says what its lines say.
func TestItemsComeThrough(t *testing.T) {
	items, err := itemsOf(t, line+strings.ReplaceAll(line, "Plan", "Cost")+strings.ReplaceAll(line, "q 7", "q 8"))
	if err != nil || len(items) != 2 {
		t.Fatalf("%d rubrics: %v", len(items), err)
	}
	fsys := must.Get(library(items))(t)
	r := document.Parse(source.NewFile("x.yaml", fsys[lint.Root+"/measured/q_7.yaml"].Data)).Rubric()
	if r == nil || len(r.Criteria) != 2 || r.Criteria[0].Description != "Is it?" || r.Criteria[1].Name != "the_cost" || r.Criteria[0].Anchors != [5]string{"a", "b", "c", "d", "e"} {
		t.Errorf("the rubric is not what it was: %+v", r)
	}
}

func itemsOf(t *testing.T, data string) ([]item, error) {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "s"), 0o777))
	must.Do(t, os.WriteFile(filepath.Join(dir, "s", "rubrics.jsonl"), []byte(data), 0o666))
	return (&origin{folder: "s"}).items(dir)
}

func TestItemsRefuses(t *testing.T) {
	for _, tt := range []struct{ reason, data, want string }{
		{"nothing can be measured on nothing", "", "nothing to measure"},
		{"an invalid line is reported with its number", line + "{", "line 2"},
	} {
		if _, err := itemsOf(t, tt.data); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want one with %q", tt.reason, err, tt.want)
		}
	}
}

func TestEveryJudgedRuleIsMeasured(t *testing.T) {
	known := map[string]bool{}
	for _, r := range measured() {
		known[r.ID] = true
	}
	judged := must.Get(readJudged(judgedFile))(t)
	for _, j := range judged {
		for rule := range j.Faults {
			if !known[rule] {
				t.Errorf("%s is judged and not measured", rule)
			}
		}
	}
	for rule := range unfired {
		if !known[rule] {
			t.Errorf("%s has a reason and is not measured", rule)
		}
	}
}

// TestNobodyChoosesWhatIsJudged: judgments are on the texts of the source, and without a
// finding on those that are drawn first.
func TestNobodyChoosesWhatIsJudged(t *testing.T) {
	s := &origin{name: "s"}
	var items []item
	for _, key := range []string{"a", "b", "c"} {
		items = append(items, item{key, []criterion{{ID: key, Criteria: key}}})
	}
	drawn := s.drawn(items)
	on := func(c criterion) judgment { return judgment{Source: "s", Key: c.ID, Text: c.digest()} }
	found, reworded := on(drawn[2]), on(drawn[0])
	found.Finding, reworded.Text = true, "other"
	tests := []struct {
		reason string
		judged []judgment
		want   string // in the error; empty: accepted
	}{
		{"the first two", []judgment{on(drawn[1]), on(drawn[0])}, ""},
		{"none", nil, ""},
		{"the last one, because of a finding", []judgment{found}, ""},
		{"the last one", []judgment{on(drawn[2])}, "was drawn before"},
		{"a text that was changed", []judgment{reworded}, "is stale"},
		{"a criterion that is gone", []judgment{{Source: "s", Key: "d"}}, "is stale"},
	}
	for _, tt := range tests {
		_, err := s.judgedOf(tt.judged, items)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want one with %q", tt.reason, err, tt.want)
		}
	}
}

func TestRates(t *testing.T) {
	var of []placed
	judge := func(n int, item string, fault, finding bool) {
		for range n {
			of = append(of, placed{judgment{Finding: finding, Faults: map[string]bool{"a": fault}}, place{item, 0}})
		}
	}
	found := map[place]bool{{"fires", 0}: true}
	judge(6, "fires", true, false)
	judge(2, "fires", false, false)
	judge(6, "silent", true, false)
	judge(1, "fires", true, true) // counts for the precision alone
	of = append(of, placed{judgment{Faults: map[string]bool{"b": true}}, place{"fires", 0}})
	got, err := rateOf("a", found, of, 10)
	if want := "| a | 1 (10.0%) | 7 of 9: 78% (45–94) | 6 of 12: 50% (25–75) |\n"; err != nil || got != want {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
	judge(2, "fires", false, false)
	if _, err := rateOf("a", found, of, 10); err == nil {
		t.Error("7 of 11 is less than two thirds, and accepted")
	}
}

// TestUnseenFaultsAreNamed: a fault that no drawn criterion has says nothing about recall,
// even if a criterion has it that was read because of its finding.
func TestUnseenFaultsAreNamed(t *testing.T) {
	faults := map[string]bool{"anchor-empty": false, "other-scale": false, "anchor-ladder": true}
	got := unseen([]placed{
		{judgment: judgment{Faults: faults}},
		{judgment: judgment{Faults: faults}},
		{judgment: judgment{Finding: true, Faults: map[string]bool{"anchor-empty": true, "hidden-text": true}}},
	})
	if want := "\nNone of 2 judged criteria has a fault of: anchor-empty, other-scale.\n"; got != want {
		t.Errorf("%q (-want +got):\n%s", got, cmp.Diff(want, got))
	}
}
