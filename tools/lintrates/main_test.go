package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// dataFolder is where the data of BiGGen-Bench may lie beside the repository.
const dataFolder = "../../../shared/data/biggen-bench"

func realItems(t *testing.T) []item {
	t.Helper()
	items, err := readItems(dataFolder)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the rubrics of BiGGen-Bench are not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func TestPageIsUpToDate(t *testing.T) {
	realItems(t)
	want, err := page(dataFolder, "../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../" + pageFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is stale: run go run -C tools ./lintrates FOLDER (-want +got):\n%s", pageFile, diff)
	}
}

// TestItemsComeThrough: a document says what its item says.
func TestItemsComeThrough(t *testing.T) {
	for _, i := range realItems(t) {
		data, err := i.document()
		if err != nil {
			t.Fatal(err)
		}
		r := document.Parse(source.NewFile("x.yaml", data)).Rubric()
		if r == nil || r.Criteria[0].Description != i.Criteria || r.Criteria[0].Examples.Score5 != i.Reference || r.Criteria[0].Anchors.At(3) != i.Anchors["3"] {
			t.Errorf("%s is not what it was", i.ID)
		}
	}
}

func TestEveryRuleIsMeasuredOrExcused(t *testing.T) {
	known := map[string]bool{}
	for _, r := range measured() {
		known[r.ID] = true
	}
	for id := range notInData {
		if !known[id] {
			t.Errorf("%s is not a measured lint rule and not in notInData", id)
		}
	}
	judged, err := readJudged(judgedFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range judged {
		if !known[j.Rule] || notInData[j.Rule] != "" {
			t.Errorf("%s is judged and not measured", j.Rule)
		}
	}
}

func TestReadItemsRefuses(t *testing.T) {
	tests := []struct{ reason, data, want string }{
		{"nothing can be measured on nothing", "", "is empty"},
		{"an invalid line is reported with its number", "{}\n{", "rubrics.jsonl:2"},
		{"a line can be too long", strings.Repeat("x", longestLine+1), "too long"},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, dataFile), []byte(tt.data), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readItems(dir); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want one with %q", tt.reason, err, tt.want)
		}
	}
}

func TestReadJudgedRefuses(t *testing.T) {
	tests := []struct{ reason, data, want string }{
		{"a verdict has one of two words", `{"rule":"a","item":"b","at":"/c","hit":"d","verdict":"maybe","reason":"e"}`, "a at /c of b"},
		{"a verdict has a reason", `{"rule":"a","item":"b","at":"/c","hit":"d","verdict":"right","reason":""}`, "a reason"},
		{"a misspelled key is rejected", `{"rule":"a","verdikt":"right"}`, "judgment 1"},
	}
	for _, tt := range tests {
		if _, err := readJudged([]byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want one with %q", tt.reason, err, tt.want)
		}
	}
}

func TestJudgmentsAreThoseOfTheSample(t *testing.T) {
	one := hit{Rule: "a", Item: "i1", At: "/x", Text: "words"}
	two := hit{Rule: "a", Item: "i2", At: "/x", Text: "words"}
	reworded := one
	reworded.Text = "other words"
	of := func(hits ...hit) []judgment {
		var all []judgment
		for _, h := range hits {
			all = append(all, judgment{h, right, "so"})
		}
		return all
	}
	tests := []struct {
		reason string
		hits   []hit
		judged []judgment
		want   string // in the error; empty: accepted
	}{
		{"all are judged", []hit{one, two}, of(two, one), ""},
		{"nothing is found, and nothing judged", nil, nil, ""},
		{"one is not judged", []hit{one, two}, of(one), "0 judgments"},
		{"one is judged twice", []hit{one}, of(one, one), "2 judgments"},
		{"one is found no longer", []hit{one}, of(one, two), "stale"},
		{"one reads otherwise now", []hit{reworded}, of(one), "stale"},
	}
	for _, tt := range tests {
		_, err := judgedOf(tt.hits, tt.judged, "a")
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want one with %q", tt.reason, err, tt.want)
		}
	}
}

func TestARuleThatIsWrongMoreOftenThanRightIsAnError(t *testing.T) {
	h := hit{Rule: "a", Item: "i1"}
	judged := []judgment{{h, right, "so"}, {h, wrong, "so"}}
	var b bytes.Buffer
	if err := row(&b, "a", []hit{h}, judged, 10); err != nil {
		t.Errorf("right as often as wrong: %v", err)
	}
	if err := row(&b, "a", []hit{h}, append(judged, judged[1]), 10); err == nil {
		t.Error("wrong more often than right is accepted")
	}
}

func TestSampleDependsOnEachFindingAlone(t *testing.T) {
	var hits []hit
	for i := range 100 {
		hits = append(hits, hit{Rule: "a", Item: strings.Repeat("i", i+1)}, hit{Rule: "b", Item: "other"})
	}
	before := sample(hits, "a")
	if len(before) != sampleSize {
		t.Fatalf("the sample has %d findings, want %d", len(before), sampleSize)
	}
	after := sample(append([]hit{{Rule: "a", Item: "new"}}, hits...), "a")
	gone := 0
	for _, h := range before {
		found := false
		for _, k := range after {
			found = found || h == k
		}
		if !found {
			gone++
		}
	}
	if gone > 1 {
		t.Errorf("one finding more changes %d of the sample", gone)
	}
}
