package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text"
)

// dataFolder is where the data may be beside the repository.
const dataFolder = "../../../shared/data"

// TestPageIsUpToDate compares the parts of the page that do not need the sample.
func TestPageIsUpToDate(t *testing.T) {
	got := string(must.Get(os.ReadFile("../../" + pageFile))(t))
	if !strings.HasPrefix(got, pageHead) || !strings.HasSuffix(got, unreadSection()+pageEnd) {
		t.Errorf("%s has another beginning or end: run go run -C tools ./lintrates FOLDER", pageFile)
	}
	section, err := biggenSection(dataFolder)
	if os.IsNotExist(err) {
		t.Skipf("the data is not in %s", dataFolder)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got, section) {
		t.Errorf("%s is stale: run go run -C tools ./lintrates FOLDER. It has not:\n%s", pageFile, section)
	}
}

// TestInvertedScalesAreFound holds what was promised for the rubrics of BiGGen-Bench.
func TestInvertedScalesAreFound(t *testing.T) {
	items, err := readItems(dataFolder, biggenFolder)
	if os.IsNotExist(err) {
		t.Skipf("the data is not in %s", dataFolder)
	}
	rows := must.Get(inverted(items, nil))(t)
	if r := rows[0]; err != nil || r.n != 510 || r.found < 408 || r.wrong > 15 {
		t.Errorf("%+v: %v", rows, err)
	}
}

func TestEveryJudgedRuleIsMeasured(t *testing.T) {
	known := map[string]bool{}
	wording := map[string]bool{}
	for _, r := range measured() {
		known[r.ID] = true
		wording[r.ID] = r.Family == lint.FamilyWording
	}
	for _, j := range must.Get(readJudged(judgedFile))(t) {
		for rule := range j.Faults {
			if !known[rule] {
				t.Errorf("%s is judged and not measured", rule)
			}
		}
	}
	for rule := range text.Fields(unreadFile) {
		if !wording[rule] {
			t.Errorf("%s is no wording rule, or twice in unread.txt", rule)
		}
		wording[rule] = false
	}
	for rule, isLeft := range wording {
		if isLeft {
			t.Errorf("unread.txt does not say what %s does not read", rule)
		}
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
	fsys := must.Get(library(turned(items)))(t)
	r := document.Parse(source.NewFile("x.yaml", fsys[lint.Root+"/measured/rq_7.yaml"].Data)).Rubric()
	if r == nil || len(r.Criteria) != 2 || r.Criteria[0].Description != "Is it?" || r.Criteria[0].Anchors != [5]string{"e", "d", "c", "b", "a"} {
		t.Errorf("the rubric is not what it was, turned around: %+v", r)
	}
}

func itemsOf(t *testing.T, data string) ([]item, error) {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "s"), 0o777))
	must.Do(t, os.WriteFile(filepath.Join(dir, "s", "rubrics.jsonl"), []byte(data), 0o666))
	return readItems(dir, "s")
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

func TestSources(t *testing.T) {
	if _, err := readSources(sourcesFile); err != nil {
		t.Error(err)
	}
	for _, line := range []string{"a/b 123 best-first", "a/b 123 downward x.md", ""} {
		if _, err := readSources(line + "\n"); err == nil {
			t.Errorf("%q is accepted", line)
		}
	}
	f := foreign{"a/b", "123", "notes.md", orders["best-first"]}
	got, err := f.criteria([]byte("| Criteria | Great | Fair | Bad |\n|---|---|---|---|\n| Owner | Named with a date | Named | Not named |\n"))
	want := map[string]string{"1": "Not named", "3": "Named", "5": "Named with a date"}
	if err != nil || len(got) != 1 || got[0].ID != "a/b/notes.md#1.1" || !cmp.Equal(got[0].Anchors, want) {
		t.Errorf("%+v: %v", got, err)
	}
}

// TestTestsHaveNoSample: a source of which a test has a text is refused.
func TestTestsHaveNoSample(t *testing.T) {
	items := []item{{"a", []criterion{{ID: "a", Criteria: "Is it?", Anchors: map[string]string{"1": "No price, no date, and no owner: nobody could order it."}}}}}
	has := func(name, content string) error {
		return checkUnseen(fstest.MapFS{name: {Data: []byte(content)}}, items)
	}
	quoted := `{"no price, no date, and no owner: nobody could order"}`
	if err := has("x/a_test.go", quoted); err == nil || !strings.Contains(err.Error(), "x/a_test.go has a text of a,") {
		t.Errorf("a test with the text is not found: %v", err)
	}
	for name, content := range map[string]string{"x/a.go": quoted, "x/a_test.go": "No price, no date", "x/testdata/a.txt": "Is it?"} {
		if err := has(name, content); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNobodyChoosesWhatIsJudged: judgments are on the texts of the source, and without a
// finding on those that are drawn first.
func TestNobodyChoosesWhatIsJudged(t *testing.T) {
	var items []item
	for _, key := range []string{"a", "b", "c"} {
		items = append(items, item{key, []criterion{{ID: key, Criteria: key}}})
	}
	first := drawn(items)
	on := func(c criterion) judgment { return judgment{Key: c.ID, Text: c.digest()} }
	found, reworded := on(first[2]), on(first[0])
	found.Finding, reworded.Text = true, "other"
	tests := []struct {
		reason string
		judged []judgment
		want   string // in the error; empty: accepted
	}{
		{"the first two", []judgment{on(first[1]), on(first[0])}, ""},
		{"one twice, for other rules", []judgment{on(first[0]), on(first[0])}, ""},
		{"none", nil, ""},
		{"the last one, because of a finding", []judgment{found}, ""},
		{"the last one", []judgment{on(first[2])}, "was drawn before"},
		{"a text that was changed", []judgment{reworded}, "is stale"},
		{"a criterion that is gone", []judgment{{Key: "d"}}, "is stale"},
	}
	for _, tt := range tests {
		_, err := placeJudged(tt.judged, items)
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
