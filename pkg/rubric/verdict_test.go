package rubric_test

import (
	"fmt"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// story has an essential and an important criterion and one negative criterion
// of each effect: the rules of a verdict without its texts.
func story() *rubric.Rubric {
	return &rubric.Rubric{
		ID: "story_v1",
		Criteria: []rubric.Criterion{
			{Name: "testability", Weight: rubric.Essential, Threshold: 3},
			{Name: "scope", Weight: rubric.Important, Threshold: 4},
		},
		NegativeCriteria: []rubric.NegativeCriterion{
			{Name: "no_vague_language", FailPatterns: []string{"various"}},
			{Name: "no_jargon", FailPatterns: []string{"leverage"}, Effect: rubric.EffectReport},
		},
	}
}

// The conformance vectors in internal/release/conformance check other verdicts.

func TestScoresAreSummedInAscendingOrder(t *testing.T) {
	// In descending order the mean is 1.2000000000000002.
	scores := []float64{1.5, 1.0, 1.2, 1.1}
	for shift := range scores {
		r := &rubric.Rubric{ID: "sum_v1"}
		given := map[string]float64{}
		for i := range scores {
			name := fmt.Sprintf("criterion_%d", i)
			r.Criteria = append(r.Criteria, rubric.Criterion{Name: name, Weight: rubric.Important, Threshold: 3})
			given[name] = scores[(i+shift)%len(scores)]
		}
		v := must.Get(r.Verdict(given, nil))(t)
		if v.Overall != 1.2 {
			t.Errorf("the overall score is %v from position %d, want 1.2", v.Overall, shift)
		}
	}
}

func TestReasonString(t *testing.T) {
	tests := []struct {
		reason string
		given  rubric.Reason
		want   string
	}{

		{
			"a long mean is shortened",
			rubric.Reason{Kind: rubric.ReasonOverall, Score: 10.0 / 3, Minimum: 3.5},
			"the overall score must reach 3.5, got 3.33",
		},

		{
			"nine decimals are shown if fewer would be the threshold",
			rubric.Reason{Kind: rubric.ReasonOverall, Score: 3.49999999912, Minimum: 3.5},
			"the overall score must reach 3.5, got 3.499999999",
		},
		{
			"a score that differs beyond nine decimals is shown whole",
			rubric.Reason{Kind: rubric.ReasonOverall, Score: 3.49999999994, Minimum: 3.5},
			"the overall score must reach 3.5, got 3.49999999994",
		},
		{
			"whole numbers have no decimals",
			rubric.Reason{Kind: rubric.ReasonCriterion, Name: "scope", Score: 2, Minimum: 3},
			"the essential criterion scope must reach 3, got 2",
		},
		{
			"a hit",
			rubric.Reason{Kind: rubric.ReasonHit, Name: "no_vague_language"},
			"the negative criterion no_vague_language matches",
		},
		{
			"a kind of a later version still says something",
			rubric.Reason{Kind: "something_new"},
			"something_new",
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			if got := tt.given.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
