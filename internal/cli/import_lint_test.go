package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// scoreRubric is a rubric of another tool, which has neither weights nor examples.
type scoreRubric struct {
	ID       string
	Criteria string
	Anchors  map[string]string
}

// ladder is a rubric with a fault of each kind that only texts decide about: two questions,
// anchors that differ only in degree, and the same words in another rubric.
func ladder(id, title string) scoreRubric {
	anchors := map[string]string{}
	for i, degree := range []string{"barely", "somewhat", "mostly", "well", "thoroughly"} {
		anchors[fmt.Sprint(i+1)] = "The response " + degree + " explains its reasoning and states its conclusion."
	}
	return scoreRubric{id, "Does the " + title + " response explain the reasoning, and does it state the conclusion?", anchors}
}

// TestImportedDraftsAreLinted imports rubrics, and lints them before and after their blanks are
// filled in: all that the texts decide about is found before.
func TestImportedDraftsAreLinted(t *testing.T) {
	inverted := scoreRubric{"inverted", "How good is it?", map[string]string{
		"1": "Excellent", "2": "2 errors", "3": "Score 2: between 3 and 5 errors", "4": "Between 9 and 12 errors", "5": "Very poor",
	}}
	rubrics := []scoreRubric{ladder("one", "first"), ladder("two", "second"), inverted}
	data, err := os.ReadFile("../../../shared/data/biggen-bench/rubrics.jsonl")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var r scoreRubric
		must.Do(t, json.Unmarshal([]byte(line), &r))
		if rubrics = append(rubrics, r); len(rubrics) == 25 {
			break
		}
	}
	t.Chdir(t.TempDir())
	must.Do(t, os.Mkdir("rubrics", 0o777))
	var rows strings.Builder
	for _, r := range rubrics {
		row := map[string]string{"id": r.ID, "criteria": r.Criteria}
		for score, anchor := range r.Anchors {
			row["score"+score+"_description"] = anchor
		}
		must.Do(t, json.NewEncoder(&rows).Encode(row))
	}
	must.Do(t, os.WriteFile("r.jsonl", []byte(rows.String()), 0o666))
	if code, out := runWords("import", "r.jsonl", "--from", "prometheus", "--artifact-type", "answers", "--worst-first"); code != 0 {
		t.Fatalf("%d\n%s", code, out)
	}
	before := decidedByTexts(t)
	for i, name := range must.Get(filepath.Glob("rubrics/answers/*.yaml"))(t) {
		filled := strings.NewReplacer(" weight:\n", " weight: essential\n", " threshold:\n", " threshold: 3.0\n", "pass_threshold:\n", "pass_threshold: 3.5\n", "essential_minimum:\n", "essential_minimum: 3.0\n",
			"score_1:\n", fmt.Sprintf("score_1: The worst of %d\n", i), "score_5:\n", fmt.Sprintf("score_5: The best of %d\n", i)).Replace(string(must.Get(os.ReadFile(name))(t)))
		must.Do(t, os.WriteFile(name, []byte(filled), 0o666))
	}
	if diff := cmp.Diff(decidedByTexts(t), before); diff != "" {
		t.Errorf("drafts have other findings (-filled in +before):\n%s", diff)
	}
	for _, rule := range []string{"two-questions", "anchor-ladder", "scale-inverted", "other-scale", "criterion-repeats-other"} {
		if !slices.ContainsFunc(before, func(finding string) bool { return strings.HasSuffix(finding, rule) }) {
			t.Errorf("%s finds nothing, so this does not test it", rule)
		}
	}
	t.Logf("%d rubrics have %d findings", len(rubrics), len(before))
}

// decidedByTexts lints the library and returns its findings, without those about blanks.
func decidedByTexts(t *testing.T) (findings []string) {
	t.Helper()
	_, out := runWords("lint", "--format", "json")
	var report struct {
		Findings []struct{ Rule, File, Pointer string }
	}
	must.Do(t, json.Unmarshal([]byte(out), &report))
	for _, f := range report.Findings {
		if f.Rule != "blank-text" {
			findings = append(findings, f.File+f.Pointer+" "+f.Rule)
		}
	}
	return findings
}
