package shipped_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// calibrationItem is one line of a shipped items.jsonl.
type calibrationItem struct {
	ID       string                    `json:"id"`
	Artifact string                    `json:"artifact"`
	Inputs   map[string]string         `json:"inputs"`
	Labels   map[string]map[string]int `json:"labels"`
}

// calibrationItems reads the items of the dataset that a rubric names.
func calibrationItems(t *testing.T, r *rubric.Rubric) []calibrationItem {
	t.Helper()
	data, err := os.ReadFile(path.Join(path.Dir(r.CalibrationDataset), "items.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsRune(data, '\r') || !bytes.HasSuffix(data, []byte("\n")) {
		t.Errorf("the items of %s are not lines that each end in LF", r.ID)
	}
	var items []calibrationItem
	for line := range bytes.Lines(data) {
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		var item calibrationItem
		if err := dec.Decode(&item); err != nil {
			t.Fatalf("%s: item %d: %v", r.ID, len(items)+1, err)
		}
		items = append(items, item)
	}
	return items
}

func TestInitialRubricsHaveLabeledItems(t *testing.T) {
	for name := range initial {
		r := shipped(t, name)
		items := calibrationItems(t, r)
		if len(items) != 30 {
			t.Errorf("%s has %d items, want 30", r.ID, len(items))
		}
		ids := map[string]bool{}
		for _, item := range items {
			if ids[item.ID] {
				t.Errorf("%s has two items %s", r.ID, item.ID)
			}
			ids[item.ID] = true
			checkLabels(t, r, item)
		}
		checkSpread(t, r, items)
	}
}

// checkLabels checks that author_1 labeled every criterion, and that there are no
// other labels.
func checkLabels(t *testing.T, r *rubric.Rubric, item calibrationItem) {
	t.Helper()
	var criteria []string
	for _, c := range r.Criteria {
		criteria = append(criteria, c.Name)
	}
	slices.Sort(criteria)
	if _, labeled := item.Labels["author_1"]; !labeled {
		t.Errorf("%s has no labels by author_1", item.ID)
	}
	for rater, labels := range item.Labels {
		if diff := cmp.Diff(criteria, slices.Sorted(maps.Keys(labels))); diff != "" {
			t.Errorf("%s: %s did not label each criterion once (-rubric +labels):\n%s", item.ID, rater, diff)
		}
		for criterion, label := range labels {
			if label < 1 || label > 5 {
				t.Errorf("%s: %s labels %s with %d", item.ID, rater, criterion, label)
			}
		}
	}
}

// checkSpread checks that each label of each criterion occurs three times: without a
// label, a judge that never gives it would look as good as any other.
func checkSpread(t *testing.T, r *rubric.Rubric, items []calibrationItem) {
	t.Helper()
	for _, c := range r.Criteria {
		count := map[int]int{}
		for _, item := range items {
			count[item.Labels["author_1"][c.Name]]++
		}
		for label := 1; label <= 5; label++ {
			if count[label] < 3 {
				t.Errorf("%s: label %d of %s occurs %d times, want 3 or more", r.ID, label, c.Name, count[label])
			}
		}
	}
}

// TestLabelsWereMadeForTheWordsOfToday checks that no criterion was reworded after it
// was labeled.
func TestLabelsWereMadeForTheWordsOfToday(t *testing.T) {
	for name := range initial {
		r := shipped(t, name)
		data, err := os.ReadFile(r.CalibrationDataset)
		if err != nil {
			t.Fatal(err)
		}
		var dataset struct {
			AppliesTo []string `yaml:"applies_to"`
			Criteria  []struct{ Name, Digest string }
		}
		if err := yaml.Unmarshal(data, &dataset); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(dataset.AppliesTo, r.ID) {
			t.Errorf("%s does not apply to %s, which names it", r.CalibrationDataset, r.ID)
		}
		got := map[string]string{}
		for _, c := range dataset.Criteria {
			got[c.Name] = c.Digest
		}
		if diff := cmp.Diff(judgeDigests(t, name), got); diff != "" {
			t.Errorf("%s was labeled for other words (-rubric +dataset):\n%s", r.CalibrationDataset, diff)
		}
	}
}

// judgeDigests returns the judge digest of each criterion of a rubric.
func judgeDigests(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	digests, err := document.Parse(source.NewFile(name, data)).JudgeDigests()
	if err != nil {
		t.Fatal(err)
	}
	return digests.Parts
}

// TestArtifactsAreNoExamples checks that a judge does not find the text to judge, with
// its score, in the rubric.
func TestArtifactsAreNoExamples(t *testing.T) {
	for name := range initial {
		r := shipped(t, name)
		var examples []string
		for _, c := range r.Criteria {
			examples = append(examples, c.Examples.Score1, c.Examples.Score3, c.Examples.Score5)
		}
		for _, n := range r.NegativeCriteria {
			examples = append(examples, n.FailExamples...)
			examples = append(examples, n.PassExamples...)
		}
		for _, item := range calibrationItems(t, r) {
			for _, example := range examples {
				if example = strings.TrimSpace(example); strings.Contains(item.Artifact, example) {
					t.Errorf("%s contains the example %q of %s", item.ID, example, r.ID)
				}
			}
		}
	}
}

// TestNegativeCriteriaHaveArtifacts checks that every negative criterion has hits that
// can be compared with a judge's scores.
func TestNegativeCriteriaHaveArtifacts(t *testing.T) {
	for name := range initial {
		r := shipped(t, name)
		hit := map[string]bool{}
		for _, item := range calibrationItems(t, r) {
			found, err := r.NegativeHits(item.Artifact)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range rubric.HitNames(found) {
				hit[n] = true
			}
		}
		for _, n := range r.NegativeCriteria {
			if !hit[n.Name] {
				t.Errorf("%s: no artifact is hit by %s", r.ID, n.Name)
			}
		}
	}
}

var emailAddress = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)

func TestArtifactsHoldNoEmailAddress(t *testing.T) {
	for name := range initial {
		for _, item := range calibrationItems(t, shipped(t, name)) {
			texts := append(slices.Collect(maps.Values(item.Inputs)), item.Artifact)
			for _, text := range texts {
				if found := emailAddress.FindString(text); found != "" {
					t.Errorf("%s has the e-mail address %s", item.ID, found)
				}
			}
		}
	}
}

// TestArtifactsDiffer checks that no artifact is a copy of another: two share at most
// half of the lines of the shorter one.
func TestArtifactsDiffer(t *testing.T) {
	var items []calibrationItem
	for name := range initial {
		items = append(items, calibrationItems(t, shipped(t, name))...)
	}
	for i, a := range items {
		for _, b := range items[:i] {
			linesA, linesB := distinctLines(a.Artifact), distinctLines(b.Artifact)
			shared := 0
			for line := range linesA {
				if linesB[line] {
					shared++
				}
			}
			if 2*shared > min(len(linesA), len(linesB)) {
				t.Errorf("%s and %s share %d lines, more than half of one of them", a.ID, b.ID, shared)
			}
		}
	}
}

// distinctLines returns the lines of a text that are not blank, trimmed.
func distinctLines(text string) map[string]bool {
	lines := map[string]bool{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines[line] = true
		}
	}
	return lines
}
