package rubric_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func TestVerdictPasses(t *testing.T) {
	// Each case changes the rubric as edit says and gives scores for testability
	// (essential, 3) and scope (important, 4).
	tests := []struct {
		reason             string
		edit               func(*rubric.Rubric)
		testability, scope float64
		hits               []string
		want               bool
	}{
		{reason: "everything reaches its minimum", testability: 4, scope: 4, want: true},
		{reason: "a score equal to the minimum passes", testability: 3, scope: 4, want: true},
		{reason: "an essential criterion below its threshold fails", testability: 2.9, scope: 5, want: false},
		{reason: "an important criterion below its threshold does not fail", testability: 3, scope: 1, want: true},
		{reason: "a difference within the tolerance is ignored", testability: 3 - 0.9e-9, scope: 4, want: true},
		{reason: "a difference beyond the tolerance is one", testability: 3 - 1.1e-9, scope: 4, want: false},
		{
			reason: "the essential minimum counts where it is above the threshold",
			edit:   func(r *rubric.Rubric) { r.Scoring.EssentialMinimum = 3.5 }, testability: 3.4, scope: 5, want: false,
		},
		{
			reason: "the threshold counts where it is above the essential minimum",
			edit:   func(r *rubric.Rubric) { r.Scoring.EssentialMinimum = 2 }, testability: 2.5, scope: 5, want: false,
		},
		{
			reason: "the essential minimum does not touch important criteria",
			edit:   func(r *rubric.Rubric) { r.Scoring.EssentialMinimum = 5 }, testability: 5, scope: 1, want: true,
		},
		{
			reason: "an overall score at the pass threshold passes",
			edit:   func(r *rubric.Rubric) { r.Scoring.PassThreshold = 3.5 }, testability: 4, scope: 3, want: true,
		},
		{
			reason: "an overall score below the pass threshold fails, whatever the criteria",
			edit:   func(r *rubric.Rubric) { r.Scoring.PassThreshold = 4.1 }, testability: 4, scope: 4, want: false,
		},
		{
			reason: "an overall score within the tolerance of the pass threshold passes",
			edit:   func(r *rubric.Rubric) { r.Scoring.PassThreshold = 4 + 0.9e-9 }, testability: 4, scope: 4, want: true,
		},
		{
			reason: "without a pass threshold the lowest possible mean passes",
			edit:   func(r *rubric.Rubric) { r.Criteria[0].Threshold = 1 }, testability: 1, scope: 1, want: true,
		},
		{reason: "a hit fails by default", testability: 5, scope: 5, hits: []string{"no_vague_language"}, want: false},
		{reason: "a hit that is only reported does not fail", testability: 5, scope: 5, hits: []string{"no_jargon"}, want: true},
		{
			reason: "one hit that fails is enough among others", testability: 5, scope: 5,
			hits: []string{"no_jargon", "no_vague_language", "no_jargon"}, want: false,
		},
		{
			reason:      "fail, written out, is the default",
			edit:        func(r *rubric.Rubric) { r.NegativeCriteria[1].Effect = rubric.EffectFail },
			testability: 5, scope: 5, hits: []string{"no_jargon"}, want: false,
		},
		{reason: "the ends of the scale are on it", testability: 5, scope: 1, want: true},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := story()
			if tt.edit != nil {
				tt.edit(r)
			}
			v, err := r.Verdict(map[string]float64{"testability": tt.testability, "scope": tt.scope}, tt.hits)
			if err != nil {
				t.Fatal(err)
			}
			if v.Passed != tt.want {
				t.Errorf("passed is %v, want %v; reasons: %v", v.Passed, tt.want, v.Reasons)
			}
		})
	}
}

func TestVerdictShowsEverything(t *testing.T) {
	r := story()
	r.Scoring = rubric.Scoring{PassThreshold: 3.5, EssentialMinimum: 3.25}
	got, err := r.Verdict(map[string]float64{"scope": 3, "testability": 2.5}, []string{"no_jargon", "no_vague_language", "no_jargon"})
	if err != nil {
		t.Fatal(err)
	}
	want := rubric.Verdict{
		Overall:       2.75,
		PassThreshold: 3.5,
		Criteria: []rubric.CriterionResult{
			{Name: "testability", Weight: rubric.Essential, Score: 2.5, Minimum: 3.25},
			{Name: "scope", Weight: rubric.Important, Score: 3, Minimum: 4},
		},
		NegativeCriteria: []rubric.NegativeResult{
			{Name: "no_vague_language", Effect: rubric.EffectFail},
			{Name: "no_jargon", Effect: rubric.EffectReport},
		},
		Reasons: []rubric.Reason{
			{Kind: rubric.ReasonCriterion, Name: "testability", Score: 2.5, Minimum: 3.25},
			{Kind: rubric.ReasonOverall, Score: 2.75, Minimum: 3.5},
			{Kind: rubric.ReasonHit, Name: "no_vague_language"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("verdict (-want +got):\n%s", diff)
	}
}

func TestVerdictJSON(t *testing.T) {
	tests := []struct {
		reason string
		scores map[string]float64
		hits   []string
		want   string
	}{
		{
			reason: "lists are never null, so that a consumer can walk them",
			scores: map[string]float64{"testability": 3, "scope": 4},
			want: `{"passed":true,"overall":3.5,"criteria":[` +
				`{"name":"testability","weight":"essential","score":3,"minimum":3,"passed":true},` +
				`{"name":"scope","weight":"important","score":4,"minimum":4,"passed":true}],` +
				`"negative_criteria":[],"reasons":[]}`,
		},
		{
			reason: "a default effect is written out and a reason carries its numbers",
			scores: map[string]float64{"testability": 2, "scope": 1},
			hits:   []string{"no_vague_language"},
			want: `{"passed":false,"overall":1.5,"criteria":[` +
				`{"name":"testability","weight":"essential","score":2,"minimum":3,"passed":false},` +
				`{"name":"scope","weight":"important","score":1,"minimum":4,"passed":false}],` +
				`"negative_criteria":[{"name":"no_vague_language","effect":"fail"}],` +
				`"reasons":[{"kind":"criterion_below_minimum","name":"testability","score":2,"minimum":3},` +
				`{"kind":"negative_criterion_hit","name":"no_vague_language"}]}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			v, err := story().Verdict(tt.scores, tt.hits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(encode(t, v))); diff != "" {
				t.Errorf("JSON (-want +got):\n%s", diff)
			}
		})
	}
}

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
		v, err := r.Verdict(given, nil)
		if err != nil {
			t.Fatal(err)
		}
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
			"a criterion with its numbers",
			rubric.Reason{Kind: rubric.ReasonCriterion, Name: "testability", Score: 2.5, Minimum: 3},
			"the essential criterion testability must reach 3, got 2.5",
		},
		{
			"a long mean is shortened",
			rubric.Reason{Kind: rubric.ReasonOverall, Score: 10.0 / 3, Minimum: 3.5},
			"the overall score must reach 3.5, got 3.33",
		},
		{
			"a mean just below is never shown as the threshold",
			rubric.Reason{Kind: rubric.ReasonOverall, Score: 3.49996, Minimum: 3.5},
			"the overall score must reach 3.5, got 3.49996",
		},
		{
			"nor rounded up to more than a long threshold",
			rubric.Reason{Kind: rubric.ReasonOverall, Score: 3.2555, Minimum: 3.2556},
			"the overall score must reach 3.2556, got 3.2555",
		},
		{
			"a score that differs beyond nine decimals is shown whole",
			rubric.Reason{Kind: rubric.ReasonOverall, Score: 3.4999999996, Minimum: 3.5},
			"the overall score must reach 3.5, got 3.4999999996",
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
