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

	"github.com/rubric-library/rubric-library/internal/dev/must"
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
	data := must.Get(os.ReadFile(path.Join(path.Dir(r.CalibrationDataset), "items.jsonl")))(t)
	if bytes.ContainsRune(data, '\r') || !bytes.HasSuffix(data, []byte("\n")) {
		t.Errorf("the items of %s are not lines that each end in LF", r.ID)
	}
	var items []calibrationItem
	for line := range bytes.Lines(data) {
		var item calibrationItem
		if err := json.Unmarshal(line, &item); err != nil {
			t.Fatalf("%s: item %d: %v", r.ID, len(items)+1, err)
		}
		items = append(items, item)
	}
	return items
}

// TestEachLabelIsGiven checks that each label of each criterion occurs three times:
// without a label, a judge that never gives it would look as good as any other.
func TestEachLabelIsGiven(t *testing.T) {
	for name := range initial {
		r := shipped(t, name)
		items := calibrationItems(t, r)
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
			found := must.Get(r.NegativeHits(item.Artifact))(t)
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
