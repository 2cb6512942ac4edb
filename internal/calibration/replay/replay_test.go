package replay

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// list is a shorter []any.
func list(elements ...any) []any { return elements }

func TestEveryFlipHasItsReason(t *testing.T) {
	const text = "Quick,\nrobust, etc. and fast."
	a := func(threshold float64) map[string]any { return criterion("a", "essential", threshold) }
	b := func(weight string, threshold float64) map[string]any { return criterion("b", weight, threshold) }
	weasel := negative("weasel", "fail", `etc\.`)
	tests := []struct {
		reason     string
		base, head map[string]any
		scores     map[string]float64
		fails      string // why the head fails what the base passes
		passes     string // why the base passes what the head fails, the sides swapped
	}{
		{"a higher threshold", rubricOf(0, list(a(3)), nil), rubricOf(0, list(a(3.5)), nil), map[string]float64{"a": 3.4}, "a: 3.4 reached the minimum 3.0 and is below the new minimum 3.5", "a: 3.4 was below the minimum 3.5 and reaches the new minimum 3.0"},
		{"a score a hair below", rubricOf(0, list(a(3)), nil), rubricOf(0, list(a(3.5)), nil), map[string]float64{"a": 3.49996}, "a: 3.49996 reached the minimum 3.0 and is below the new minimum 3.5", "a: 3.49996 was below the minimum 3.5 and reaches the new minimum 3.0"},
		{"a mean with many digits", rubricOf(0, list(a(3)), nil), rubricOf(0, list(a(3.5)), nil), map[string]float64{"a": 10.0 / 3}, "a: 3.33 reached the minimum 3.0 and is below the new minimum 3.5", "a: 3.33 was below the minimum 3.5 and reaches the new minimum 3.0"},
		{"another weight", rubricOf(0, list(a(1), b("important", 4)), nil), rubricOf(0, list(a(1), b("essential", 4)), nil), map[string]float64{"a": 3, "b": 2}, "b is now essential: 2.0 is below the minimum 4.0", "b is no longer essential: 2.0 was below the minimum 4.0"},
		{"a new criterion with a score", rubricOf(0, list(a(1)), nil), rubricOf(0, list(a(1), b("essential", 4)), nil), map[string]float64{"a": 3, "b": 2}, "b is new: 2.0 is below the minimum 4.0", "b was removed: 2.0 was below the minimum 4.0"},
		{"a higher minimum of the whole", rubricOf(2.5, list(a(1)), nil), rubricOf(3.5, list(a(1)), nil), map[string]float64{"a": 3}, "the overall score: 3.0 reached the pass threshold 2.5 and is below the new threshold 3.5", "the overall score: 3.0 was below the pass threshold 3.5 and reaches the new threshold 2.5"},
		{"a first minimum of the whole", rubricOf(0, list(a(1)), nil), rubricOf(3.5, list(a(1)), nil), map[string]float64{"a": 3}, "the overall score: 3.0 is below the pass threshold 3.5, which is new", "the overall score: 3.0 was below the pass threshold 3.5, which was removed"},
		{"another mean", rubricOf(3, list(a(1)), nil), rubricOf(3, list(a(1), b("important", 1)), nil), map[string]float64{"a": 3, "b": 2}, "the overall score: 3.0 reached the pass threshold 3.0; the new score 2.5 is below 3.0", "the overall score: 2.5 was below the pass threshold 3.0; the new score 3.0 reaches 3.0"},
		{"a new negative criterion", rubricOf(0, list(a(1)), nil), rubricOf(0, list(a(1)), list(weasel)), map[string]float64{"a": 3}, `weasel matches "etc." in line 2`, `weasel was removed; it matched "etc." in line 2`},
		{"a new pattern", rubricOf(0, list(a(1)), list(negative("weasel", "fail", "no"))), rubricOf(0, list(a(1)), list(negative("weasel", "fail", "no", "fast", "robust"))), map[string]float64{"a": 3}, `weasel matches "robust" in line 2`, `weasel no longer matches "robust" in line 2`},
		{"another effect", rubricOf(0, list(a(1)), list(negative("weasel", "report", `etc\.`))), rubricOf(0, list(a(1)), list(weasel)), map[string]float64{"a": 3}, `weasel matches "etc." in line 2, which now fails the rubric`, `weasel matches "etc." in line 2, which no longer fails the rubric`},
	}
	for _, tt := range tests {
		base, head := subject(t, parsed(tt.base)), subject(t, parsed(tt.head))
		if got := onlyReason(t, base, head, text, tt.scores, false); got != tt.fails {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.reason, got, tt.fails)
		}
		if got := onlyReason(t, head, base, text, tt.scores, true); got != tt.passes {
			t.Errorf("%s, the sides swapped:\ngot  %s\nwant %s", tt.reason, got, tt.passes)
		}
	}
}

// onlyReason replays one item, whose verdict must flip for one reason.
func onlyReason(t *testing.T, base, head *calibration.Subject, text string, scores map[string]float64, passes bool) string {
	t.Helper()
	d := &calibration.Dataset{
		Items:  []calibration.Item{{ID: "i", Artifact: text}},
		Judges: []calibration.Judge{{Name: "j", Answers: []calibration.Answer{{Run: "r", Item: "i", Digest: head.Digest, Scores: scores}}}},
	}
	flips := replayed(t, base, head, d)[0].Flips
	if len(flips) != 1 || (flips[0].To == ToPass) != passes || len(flips[0].Reasons) != 1 {
		t.Fatalf("got the flips %+v, want one with one reason", flips)
	}
	return flips[0].Reasons[0].Message
}

func TestWhichRunIsReplayed(t *testing.T) {
	answer := func(run, date, digest string) calibration.Answer {
		return calibration.Answer{Run: run, Date: date, Digest: digest, Item: "i"}
	}
	tests := []struct {
		reason  string
		answers []calibration.Answer
		want    string
	}{
		{"the newest", []calibration.Answer{answer("new", "2026-02-01", "head"), answer("old", "2026-01-01", "head")}, "new"},
		{"rather one with the words of the head", []calibration.Answer{answer("head", "2026-01-01", "head"), answer("base", "2026-02-01", "base")}, "head"},
		{"else one with those of the base", []calibration.Answer{answer("base", "2026-01-01", "base"), answer("other", "2026-02-01", "x")}, "base"},
		{"else any", []calibration.Answer{answer("one", "2026-01-01", "x"), answer("two", "2026-02-01", "y")}, "two"},
	}
	for _, tt := range tests {
		if got := (&calibration.Judge{Answers: tt.answers}).NewestRun("head", "base"); got == nil || got.Name != tt.want {
			t.Errorf("%s: got %+v, want the run %s", tt.reason, got, tt.want)
		}
	}
	if got := (&calibration.Judge{}).NewestRun("head", "base"); got != nil {
		t.Errorf("a judge without answers has the run %+v", got)
	}
}

func TestScoresAreMeans(t *testing.T) {
	run := &calibration.Run{Answers: []calibration.Answer{
		{Item: "i", Repeat: 1, Scores: map[string]float64{"a": 3, "b": 5}},
		{Item: "i", Repeat: 2, Scores: map[string]float64{"a": 4}},
		{Item: "j", Error: "invalid JSON"},
	}}
	if diff := cmp.Diff(map[string]float64{"a": 3.5, "b": 5}, answered(run).meansOf("i")); diff != "" {
		t.Errorf("repeats:\n%s", diff)
	}
	d := &calibration.Dataset{Items: []calibration.Item{
		{ID: "i", Labels: map[string]map[string]float64{"ann": {"a": 3}, "ben": {"a": 4, "b": 2}}},
		{ID: "j"},
	}}
	if diff := cmp.Diff(map[string]float64{"a": 3.5, "b": 2}, labeled(d).meansOf("i")); diff != "" {
		t.Errorf("raters:\n%s", diff)
	}
}

// TestPartsOfScores has items with missing scores: a verdict needs all scores, a criterion
// only its own.
func TestPartsOfScores(t *testing.T) {
	base := subject(t, parsed(rubricOf(0, list(criterion("a", "essential", 3), criterion("b", "essential", 3)), nil)))
	head := subject(t, parsed(rubricOf(0, list(criterion("b", "essential", 4), criterion("c", "essential", 3)), nil)))
	d := &calibration.Dataset{LabeledBy: calibration.People, Items: []calibration.Item{
		{ID: "whole", Labels: map[string]map[string]float64{"ann": {"a": 3, "b": 3, "c": 3}}},
		{ID: "part", Labels: map[string]map[string]float64{"ann": {"b": 3}}},
		{ID: "none"},
	}}
	want := Recording{
		Source: Labels, Name: "people", Items: 2, Replayed: 1, Indication: "the labels of b and c are for a different wording",
		Flips:    []Flip{{Item: "whole", To: ToFail, Reasons: []Reason{{Criterion, "b", "b: 3.0 reached the minimum 3.0 and is below the new minimum 4.0"}}}},
		Criteria: []Outcome{{Criterion, "b", 1, 0}},
	}
	if diff := cmp.Diff([]Recording{want}, replayed(t, base, head, d)); diff != "" {
		t.Error(diff)
	}
}

// TestReachesAsTheVerdictDoes compares reaches with the verdict.
func TestReachesAsTheVerdictDoes(t *testing.T) {
	for _, score := range []float64{1, 2.999, 3 - 1e-8, 3 - 1e-9, 3 - 1e-10, 3, 3.1, 5} {
		r := &rubric.Rubric{ID: "x", Criteria: []rubric.Criterion{{Name: "a", Weight: rubric.Essential, Threshold: 3}}}
		v, err := r.Verdict(map[string]float64{"a": score}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := reaches(score, 3); got != v.Passed {
			t.Errorf("%v reaches 3: %v, and its verdict is %v", score, got, v.Passed)
		}
	}
}
