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
			reason: "an unknown hit could have been one that fails; each is named once",
			scores: map[string]float64{"testability": 5, "scope": 5},
			hits:   []string{"vague", "no_jargon", "testability", "vague"},
			want:   &rubric.InputError{UnknownHits: []string{"testability", "vague"}},
			text:   `rubric "story_v1" can't be applied: a hit of "testability", "vague" (the rubric has no such negative criterion)`,
		},
		{
			reason: "as many unknown scores as missing ones do not make up for them",
			scores: map[string]float64{"testability": 5, "Scope": 5},
			want:   &rubric.InputError{Missing: []string{"scope"}, Unknown: []string{"Scope"}},
			text: `rubric "story_v1" can't be applied: no score for "scope" (every criterion needs one); ` +
				`a score for "Scope" (the rubric has no such criterion)`,
		},
		{
			reason: "nor do as many invalid ones",
			scores: map[string]float64{"testability": 0},
			want:   &rubric.InputError{Missing: []string{"scope"}, Invalid: []rubric.InvalidScore{{Name: "testability"}}},
			text: `rubric "story_v1" can't be applied: no score for "scope" (every criterion needs one); ` +
				`score 0 for "testability" (expected 1 to 5)`,
		},
		{
			reason: "nor as many unknown hits",
			scores: map[string]float64{"testability": 5},
			hits:   []string{"scope"},
			want:   &rubric.InputError{Missing: []string{"scope"}, UnknownHits: []string{"scope"}},
			text: `rubric "story_v1" can't be applied: no score for "scope" (every criterion needs one); ` +
				`a hit of "scope" (the rubric has no such negative criterion)`,
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
		reason  string
		edit    func(*rubric.Rubric)
		missing []string // without a score
		want    []string
	}{
		{
			reason: "the mean of no scores is not a number, and nothing would be below a minimum",
			edit:   func(r *rubric.Rubric) { r.Criteria = nil },
			want:   []string{"the rubric has no criteria"},
		},
		{
			reason:  "one score can't apply to several criteria",
			edit:    func(r *rubric.Rubric) { r.Criteria = append(r.Criteria, r.Criteria[1], r.Criteria[1]) },
			missing: []string{"scope"},
			want:    []string{`the name of criterion "scope" is used more than once`},
		},
		{
			reason: "nothing is below NaN",
			edit: func(r *rubric.Rubric) {
				r.Criteria[0].Threshold, r.Scoring.EssentialMinimum = math.NaN(), math.NaN()
			},
			want: []string{`criterion "testability" has threshold NaN, expected 1 to 5`, "essential_minimum is NaN, expected 1 to 5 or none"},
		},
		{
			reason: "a weight that is not a number would make the mean none, and one below 0 would turn a criterion around",
			edit:   func(r *rubric.Rubric) { r.Criteria[0].RelativeWeight, r.Criteria[1].RelativeWeight = math.NaN(), -1 },
			want: []string{
				`criterion "testability" has relative weight NaN, expected above 0 and at most 1000`,
				`criterion "scope" has relative weight -1, expected above 0 and at most 1000`,
			},
		},
		{
			reason: "a weight has a limit",
			edit: func(r *rubric.Rubric) {
				r.Criteria[0].RelativeWeight, r.Criteria[1].RelativeWeight = math.Inf(1), 1000.5
			},
			want: []string{
				`criterion "testability" has relative weight +Inf, expected above 0 and at most 1000`,
				`criterion "scope" has relative weight 1000.5, expected above 0 and at most 1000`,
			},
		},
		{
			reason: "every problem is named",
			edit: func(r *rubric.Rubric) {
				r.Criteria[0].Name, r.Criteria[0].Weight, r.Criteria[1].Threshold = "", "critical", 0
				r.Scoring.PassThreshold = 0.5
				r.NegativeCriteria[1].Effect, r.NegativeCriteria[1].Name = "warn", "no_vague_language"
			},
			want: []string{
				`criterion "" has weight "critical", expected essential or important`,
				`criterion "scope" has threshold 0, expected 1 to 5`,
				"criterion 1 has no name",
				"pass_threshold is 0.5, expected 1 to 5 or none",
				`negative criterion "no_vague_language" has effect "warn", expected fail or report`,
				`the name of negative criterion "no_vague_language" is used more than once`,
			},
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
			for _, name := range tt.missing {
				delete(scores, name)
			}
			_, err := r.Verdict(scores, nil)
			checkInputError(t, err, &rubric.InputError{RubricID: "story_v1", Definition: tt.want, Missing: tt.missing})
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
