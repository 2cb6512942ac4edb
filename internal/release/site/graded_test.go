package site

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// labeledItem is a text that two people labeled on two criteria.
func labeledItem(id, split, text string, clarity, scope float64) calibration.Item {
	return calibration.Item{ID: id, Split: split, Artifact: text, Labels: map[string]map[string]float64{
		"ann": {"clarity": clarity, "scope": scope}, "bob": {"clarity": clarity, "scope": scope},
	}}
}

// TestGradedTexts: those with the highest mean come first, each title is another one, and what judges answered is
// shown of texts for tuning only.
func TestGradedTexts(t *testing.T) {
	r := &rubric.Rubric{ID: "x_v1", Scoring: rubric.Scoring{PassThreshold: 3}, Criteria: []rubric.Criterion{
		{Name: "clarity", Weight: rubric.Essential, Threshold: 3}, {Name: "scope", Weight: rubric.Important, Threshold: 3},
	}}
	d := &calibration.Dataset{Items: []calibration.Item{
		labeledItem("low", "", "# Review\n\nCase 1", 1, 2),
		labeledItem("high", calibration.Dev, "# Review\n\nCase 2", 5, 5),
		labeledItem("same", "", "# Review\n\nCase 1", 2, 3),
		labeledItem("far", calibration.Dev, "Other\ntext", 4, 4),
		labeledItem("near", calibration.Dev, "Another", 3, 3),
		labeledItem("odd", calibration.Dev, "Odd", 3, 4),
		{ID: "part", Artifact: "Part", Labels: map[string]map[string]float64{"ann": {"clarity": 4}}},
	}}
	answers := func(digest string, scores map[string][2]float64) (all []calibration.Answer) {
		for _, item := range d.Items {
			if s, ok := scores[item.ID]; ok {
				all = append(all, calibration.Answer{Run: "one", Item: item.ID, Repeat: 1, Model: "m", Date: "2026-11-21", Digest: digest, Items: 7, Scores: map[string]float64{"clarity": s[0], "scope": s[1]}})
			}
		}
		return all
	}
	d.Judges = []calibration.Judge{
		{Name: "j", Answers: answers("now", map[string][2]float64{"low": {5, 5}, "high": {4, 4}, "far": {4, 2}, "near": {2, 4}, "odd": {4, 3}})},
		{Name: "stale", Answers: answers("before", map[string][2]float64{"high": {1, 1}})},
	}
	var got []string
	for _, x := range graded(r, d, "now") {
		line := fmt.Sprintf("%s %v %s %q", x.ID, x.Overall(), x.Verdict, x.Title)
		for _, j := range x.Judges {
			line += fmt.Sprintf(" %s %v %v %v", j.Name, j.Level("clarity"), j.Level("scope"), j.Differs)
		}
		got = append(got, line)
	}
	want := []string{
		`high 5 pass "# Review Case 2" j 4 4 false`,
		`far 4 pass "Other" j 4 2 true`,
		`part 4  "Part"`,
		`odd 3.5 pass "Odd" j 4 3 false`,
		`near 3 pass "Another" j 2 4 true`,
		`same 2.5 fail "same: # Review Case 1"`,
		`low 1.5 fail "low: # Review Case 1"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestTextsAreReadTenAtATime: others follow in a section that opens without a script, too. With one, they are
// ordered by a criterion, and filtered by level and verdict.
func TestTextsAreReadTenAtATime(t *testing.T) {
	dir := shipped(t)
	page := files(t, dir)["rubrics/user_story_quality_v1/index.html"]
	first, rest, _ := strings.Cut(page, `<details id="examples-rest"><summary>20 more texts</summary>`)
	if strings.Count(first, `class="graded"`) != 10 || strings.Count(rest, `class="graded"`) != 20 || strings.Contains(page, "examples-differs") {
		t.Errorf("the page shows %d texts first and %d in a section, or offers to compare judges", strings.Count(first, `class="graded"`), strings.Count(rest, `class="graded"`))
	}
	b := browse(t, folderURL(dir))
	b.visit("rubrics/user_story_quality_v1/index.html")
	const seen = `[...document.querySelectorAll(".graded")].filter((each) => each.checkVisibility())`
	levels := func() []float64 {
		return value[[]float64](b, seen+`.map((each) => Number(each.querySelector("[data-criterion=testability]").dataset.level))`)
	}
	falls := func(levels []float64) bool {
		for i := range levels[1:] {
			if levels[i] < levels[i+1] {
				return false
			}
		}
		return len(levels) > 1
	}
	if means := value[[]float64](b, seen+`.map((each) => Number(each.dataset.mean))`); len(means) != 10 || !falls(means) {
		t.Errorf("the means of the texts are %v", means)
	}
	b.enter("examples-order", "testability")
	if got := levels(); len(got) != 10 || !falls(got) {
		t.Errorf("by testability, the levels are %v", got)
	}
	b.run(`document.getElementById("examples-more").click()`)
	if got := levels(); len(got) != 20 || !falls(got) {
		t.Errorf("with ten more, the levels are %v", got)
	}
	b.enter("examples-verdict", "fail")
	b.run(`document.getElementById("examples-rest").open = true`)
	failed := value[int](b, seen+`.length`)
	if said := b.shows("examples-count"); said != fmt.Sprintf("%d texts", failed) || failed == 0 || failed == 30 {
		t.Errorf("%d texts fail, and the page says %q", failed, said)
	}
	if got := value[int](b, seen+`.filter((each) => each.dataset.verdict !== "fail").length`); got != 0 {
		t.Errorf("%d texts that pass are shown", got)
	}
	b.silent()
}
