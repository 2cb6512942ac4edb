package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// dataFolder is where the data may be beside the repository.
const dataFolder = "../../../shared/data"

// TestPageIsUpToDate compares the sections of the sources that are here.
func TestPageIsUpToDate(t *testing.T) {
	got, err := os.ReadFile("../../" + pageFile)
	if err != nil {
		t.Fatal(err)
	}
	judged, err := readJudged(judgedFile)
	if err != nil {
		t.Fatal(err)
	}
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

// The formats of the sources, with as little as they need.
var formats = map[string]string{
	"rubrics.jsonl":             `{"id": "a_1", "task": "plan", "criteria": "Is it?", "anchors": {"1": "a", "2": "b", "3": "c", "4": "d", "5": "e"}, "reference_answer": "Best."}`,
	"vicuna_eval.json":          `{"instruction": "###Task\n###Score Rubrics:\n[Is it?]\nScore 1: a\nScore 2: b\nScore 3: c\nScore 4: d\nScore 5: e\n\n###Feedback: "}` + "\n" + `{"instruction": "###Score Rubrics:\n[Is it?]\nScore 1: a\nScore 2: b\nScore 3: c\nScore 4: d\nScore 5: e\n\n###Feedback: "}`,
	"hhh_alignment_eval.json":   "[\n" + `{"chosen_instruction": "###Score Rubrics:\n[Is it?]\nScore 1: a\nScore 2: b\nScore 3: c\nScore 4: d\nScore 5: e\n\n###Feedback: "}]`,
	"length_subset.jsonl":       `{"index": 7, "checklist": [{"name": "The_Plan", "criteria_description": "Is it?", "1-2": "a", "3-4": "b", "5-6": "c", "7-8": "d", "9-10": "e"}]}` + "\n" + `{"index": 8, "checklist": [{"name": "Plan", "criteria_description": "清楚吗？"}]}`,
	"skillset_description.json": `[{"Skill": "Plan", "Criteria": "Is it?", "Scoring": {"1": "a", "2": "b", "3": "c", "4": "d", "5": "e"}}]`,
}

// TestItemsComeThrough: each format becomes a rubric that says what the original says,
// once.
func TestItemsComeThrough(t *testing.T) {
	for _, s := range sources {
		for _, name := range s.files {
			data, ok := formats[filepath.Base(name)]
			if !ok {
				continue // another file in a format that is tested
			}
			items, err := s.read(name, []byte(data))
			if err != nil || len(items) != 1 {
				t.Errorf("%s: %d items: %v", name, len(items), err)
				continue
			}
			fsys, err := library(items)
			if err != nil {
				t.Fatal(err)
			}
			r := document.Parse(source.NewFile("x.yaml", fsys[lint.Root+"/measured/"+items[0].id+".yaml"].Data)).Rubric()
			if r == nil || r.Criteria[0].Description != "Is it?" || r.Criteria[0].Anchors != [5]string{"a", "b", "c", "d", "e"} {
				t.Errorf("%s is not what it was: %+v", name, r)
			}
		}
	}
}

func TestItemsRefuses(t *testing.T) {
	s := &sources[0]
	for _, tt := range []struct{ reason, data, want string }{
		{"nothing can be measured on nothing", "", "is empty"},
		{"an invalid value is reported with its number", formats["rubrics.jsonl"] + "\n{", "value 2"},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, s.files[0])
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(tt.data), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := s.items(dir); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want one with %q", tt.reason, err, tt.want)
		}
	}
}

func TestEveryJudgedRuleIsMeasured(t *testing.T) {
	known := map[string]bool{}
	for _, r := range measured() {
		known[r.ID] = true
	}
	judged, err := readJudged(judgedFile)
	if err != nil {
		t.Fatal(err)
	}
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
		items = append(items, item{key, []criterion{{key: key, Question: key}}})
	}
	drawn := s.drawn(items)
	on := func(c criterion) judgment { return judgment{Source: "s", Key: c.key, Text: c.digest()} }
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
	if want := "| [a](rules.md#a) | 1 (10.0 %) | 7 of 9 | 78 % (45–94) | 6 of 12 | 50 % (25–75) |\n"; err != nil || got != want {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
	judge(2, "fires", false, false)
	if _, err := rateOf("a", found, of, 10); err == nil {
		t.Error("7 of 11 is less than two thirds, and accepted")
	}
}
