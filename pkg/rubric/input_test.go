package rubric_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

func TestVerdictRefusesInput(t *testing.T) {
	tests := []struct {
		reason string
		scores map[string]float64
		hits   []string
		want   *rubric.InputError
		text   string
	}{
		{
			reason: "a criterion that was not scored is not a pass",
			scores: map[string]float64{"scope": 5},
			want:   &rubric.InputError{Missing: []string{"testability"}},
			text:   `rubric "story_v1" can't be applied: no score for "testability" (every criterion needs one)`,
		},
		{
			reason: "no scores at all",
			want:   &rubric.InputError{Missing: []string{"scope", "testability"}},
			text:   `rubric "story_v1" can't be applied: no score for "scope", "testability" (every criterion needs one)`,
		},
		{
			reason: "a score for another rubric's criterion means that the wrong rubric was asked",
			scores: map[string]float64{"testability": 5, "scope": 5, "tone": 5, "Testability": 5},
			want:   &rubric.InputError{Unknown: []string{"Testability", "tone"}},
			text:   `rubric "story_v1" can't be applied: a score for "Testability", "tone" (the rubric has no such criterion)`,
		},
		{
			reason: "a score that is not a number",
			scores: map[string]float64{"testability": math.NaN(), "scope": math.Inf(1)},
			want:   &rubric.InputError{Invalid: []rubric.InvalidScore{{Name: "scope", Score: math.Inf(1)}, {Name: "testability", Score: math.NaN()}}},
			text:   `rubric "story_v1" can't be applied: score +Inf for "scope" (expected 1 to 5); score NaN for "testability" (expected 1 to 5)`,
		},
		{
			reason: "the range is exact: the tolerance is for comparisons",
			scores: map[string]float64{"testability": 5.0000000001, "scope": math.Nextafter(1, 0)},
			want: &rubric.InputError{Invalid: []rubric.InvalidScore{
				{Name: "scope", Score: math.Nextafter(1, 0)}, {Name: "testability", Score: 5.0000000001},
			}},
			text: `rubric "story_v1" can't be applied: score 0.9999999999999999 for "scope" (expected 1 to 5); score 5.0000000001 for "testability" (expected 1 to 5)`,
		},
		{
			reason: "0 is not on the scale, though it is what a forgotten score decodes to",
			scores: map[string]float64{"testability": 0, "scope": 3},
			want:   &rubric.InputError{Invalid: []rubric.InvalidScore{{Name: "testability"}}},
			text:   `rubric "story_v1" can't be applied: score 0 for "testability" (expected 1 to 5)`,
		},
		{
			reason: "an unknown hit could have been one that fails; each is named once",
			scores: map[string]float64{"testability": 5, "scope": 5},
			hits:   []string{"vague", "no_jargon", "testability", "vague"},
			want:   &rubric.InputError{UnknownHits: []string{"testability", "vague"}},
			text:   `rubric "story_v1" can't be applied: a hit of "testability", "vague" (the rubric has no such negative criterion)`,
		},
		{
			reason: "everything is named at once",
			scores: map[string]float64{"scope": 7, "tone": math.NaN()},
			hits:   []string{""},
			want: &rubric.InputError{
				Missing:     []string{"testability"},
				Unknown:     []string{"tone"},
				Invalid:     []rubric.InvalidScore{{Name: "scope", Score: 7}},
				UnknownHits: []string{""},
			},
			text: `rubric "story_v1" can't be applied: no score for "testability" (every criterion needs one); ` +
				`a score for "tone" (the rubric has no such criterion); score 7 for "scope" (expected 1 to 5); ` +
				`a hit of "" (the rubric has no such negative criterion)`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			v, err := story().Verdict(tt.scores, tt.hits)
			tt.want.RubricID = "story_v1"
			checkInputError(t, err, tt.want)
			if err != nil && err.Error() != tt.text {
				t.Errorf("message is\n%s\nwant\n%s", err, tt.text)
			}
			if diff := cmp.Diff(rubric.Verdict{}, v); diff != "" {
				t.Errorf("a verdict beside an error:\n%s", diff)
			}
		})
	}
}

func TestVerdictRefusesUnusableRubric(t *testing.T) {
	tests := []struct {
		reason string
		edit   func(*rubric.Rubric)
		want   []string
	}{
		{
			reason: "the mean of no scores is not a number, and nothing would be below a minimum",
			edit:   func(r *rubric.Rubric) { r.Criteria = nil },
			want:   []string{"the rubric has no criteria"},
		},
		{
			reason: "one score can't apply to two criteria",
			edit: func(r *rubric.Rubric) {
				r.Criteria = append(r.Criteria, r.Criteria[1], r.Criteria[1])
			},
			want: []string{`the name of criterion "scope" is used more than once`},
		},
		{
			reason: "a criterion without a name can't be given a score",
			edit:   func(r *rubric.Rubric) { r.Criteria[0].Name = "" },
			want:   []string{"criterion 1 has no name"},
		},
		{
			reason: "nothing is below NaN",
			edit:   func(r *rubric.Rubric) { r.Criteria[0].Threshold = math.NaN() },
			want:   []string{`criterion "testability" has threshold NaN, expected 1 to 5`},
		},
		{
			reason: "a threshold that was forgotten is 0, which everything reaches",
			edit:   func(r *rubric.Rubric) { r.Criteria[1].Threshold = 0 },
			want:   []string{`criterion "scope" has threshold 0, expected 1 to 5`},
		},
		{
			reason: "an unknown weight could mean essential",
			edit:   func(r *rubric.Rubric) { r.Criteria[0].Weight = "critical"; r.Criteria[1].Weight = "" },
			want: []string{
				`criterion "testability" has weight "critical", expected essential or important`,
				`criterion "scope" has weight "", expected essential or important`,
			},
		},
		{
			reason: "a pass threshold off the scale",
			edit:   func(r *rubric.Rubric) { r.Scoring.PassThreshold = 0.5 },
			want:   []string{"pass_threshold is 0.5, expected 1 to 5 or none"},
		},
		{
			reason: "an essential minimum that is not a number",
			edit:   func(r *rubric.Rubric) { r.Scoring.EssentialMinimum = math.NaN() },
			want:   []string{"essential_minimum is NaN, expected 1 to 5 or none"},
		},
		{
			reason: "an unknown effect could mean fail",
			edit:   func(r *rubric.Rubric) { r.NegativeCriteria[1].Effect = "warn" },
			want:   []string{`negative criterion "no_jargon" has effect "warn", expected fail or report`},
		},
		{
			reason: "a hit can't name two negative criteria with different effects",
			edit:   func(r *rubric.Rubric) { r.NegativeCriteria[1].Name = "no_vague_language" },
			want:   []string{`the name of negative criterion "no_vague_language" is used more than once`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := story()
			tt.edit(r)
			scores := map[string]float64{}
			for _, c := range r.Criteria {
				scores[c.Name] = 5
			}
			_, err := r.Verdict(scores, nil)
			checkInputError(t, err, &rubric.InputError{RubricID: "story_v1", Definition: tt.want})
		})
	}
}

func checkInputError(t *testing.T, err error, want *rubric.InputError) {
	t.Helper()
	got, ok := errors.AsType[*rubric.InputError](err)
	if !ok {
		t.Fatalf("error is %v, want an *InputError", err)
	}
	sameNumber := cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })
	if diff := cmp.Diff(want, got, sameNumber); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}
