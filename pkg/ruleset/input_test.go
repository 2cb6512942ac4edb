package ruleset_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

func TestScoreRefusesResults(t *testing.T) {
	pass := ruleset.Result{Verdict: ruleset.VerdictPass}
	tests := []struct {
		reason string
		phase  ruleset.Phase
		given  map[string]ruleset.Result
		want   *ruleset.InputError
		text   string
	}{
		{
			reason: "an active rule without a result is not passed, an info rule neither",
			phase:  "A",
			given:  map[string]ruleset.Result{"a.x.must": pass},
			want:   &ruleset.InputError{Missing: []string{"a.x.note", "a.x.should"}},
			text:   `rule set "design_v1" can't be applied: no result for "a.x.note", "a.x.should" (every rule active in phase A needs one)`,
		},

		{
			reason: "a result for a rule of the other phase means that the wrong phase was asked",
			phase:  "A",
			given:  map[string]ruleset.Result{"a.x.must": pass, "a.x.note": pass, "a.x.should": pass, "b.x.should": pass, "b.y.must": pass},
			want:   &ruleset.InputError{Inactive: []string{"b.x.should", "b.y.must"}},
			text:   `rule set "design_v1" can't be applied: a result for "b.x.should", "b.y.must" (not active in phase A)`,
		},
		{
			reason: "only three words are verdicts, and a reason is more than blanks",
			phase:  "A",
			given: map[string]ruleset.Result{
				"a.x.must":   {Verdict: "PASS"},
				"a.x.note":   {Reason: "why not"},
				"a.x.should": {Verdict: ruleset.VerdictSkipped, Reason: " \n"},
			},
			want: &ruleset.InputError{Invalid: []ruleset.InvalidResult{
				{ID: "a.x.must", Result: ruleset.Result{Verdict: "PASS"}},
				{ID: "a.x.note", Result: ruleset.Result{Reason: "why not"}},
				{ID: "a.x.should", Result: ruleset.Result{Verdict: ruleset.VerdictSkipped, Reason: " \n"}},
			}},
			text: `rule set "design_v1" can't be applied: verdict "PASS" for "a.x.must" (expected pass, fail, or skipped); ` +
				`verdict "" for "a.x.note" (expected pass, fail, or skipped); "a.x.should" is skipped without a reason`,
		},
		{
			reason: "in an unknown phase nothing can be missing, but the rest is named",
			phase:  "C",
			given:  map[string]ruleset.Result{"a.x.must": {Verdict: "ok"}, "b.y.must": pass, "a.x.may": pass},
			want: &ruleset.InputError{
				UnknownPhase: true,
				Unknown:      []string{"a.x.may"},
				Invalid:      []ruleset.InvalidResult{{ID: "a.x.must", Result: ruleset.Result{Verdict: "ok"}}},
			},
			text: `rule set "design_v1" can't be applied: the phase "C" does not exist (expected A or B); ` +
				`a result for "a.x.may" (the rule set has no such rule); verdict "ok" for "a.x.must" (expected pass, fail, or skipped)`,
		},

		{
			reason: "everything is named at once",
			phase:  "A",
			given: map[string]ruleset.Result{
				"a.x.note": pass, "a.x.should": {Verdict: "?"}, "b.y.must": pass, "z": pass,
			},
			want: &ruleset.InputError{
				Missing:  []string{"a.x.must"},
				Unknown:  []string{"z"},
				Inactive: []string{"b.y.must"},
				Invalid:  []ruleset.InvalidResult{{ID: "a.x.should", Result: ruleset.Result{Verdict: "?"}}},
			},
			text: `rule set "design_v1" can't be applied: no result for "a.x.must" (every rule active in phase A needs one); ` +
				`a result for "z" (the rule set has no such rule); a result for "b.y.must" (not active in phase A); ` +
				`verdict "?" for "a.x.should" (expected pass, fail, or skipped)`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			score, err := design().Score(tt.phase, tt.given)
			tt.want.RuleSetID, tt.want.Phase = "design_v1", tt.phase
			checkInputError(t, err, tt.want)
			if err != nil && err.Error() != tt.text {
				t.Errorf("message is\n%s\nwant\n%s", err, tt.text)
			}
			if diff := cmp.Diff(ruleset.Score{}, score); diff != "" {
				t.Errorf("a score beside an error:\n%s", diff)
			}
		})
	}
}

func TestScoreRefusesUnusableRuleSet(t *testing.T) {
	tests := []struct {
		reason  string
		edit    func(*ruleset.RuleSet)
		missing []string // without a result
		want    []string
	}{
		{
			reason: "without rules everything would pass",
			edit:   func(s *ruleset.RuleSet) { s.Rules = nil },
			want:   []string{"the rule set has no rules"},
		},
		{
			reason: "one result can't apply to several rules",
			edit: func(s *ruleset.RuleSet) {
				s.Rules = append(s.Rules, s.Rules[0], s.Rules[1], s.Rules[1])
			},
			missing: []string{"a.x.must", "a.x.should"},
			want:    []string{`the ID "a.x.must" is used more than once`, `the ID "a.x.should" is used more than once`},
		},
		{
			reason: "every problem is named",
			edit: func(s *ruleset.RuleSet) {
				s.Scoring.PassThreshold = 1.5
				s.Rules[0].ID = ""
				s.Rules[1].Severity = "error"
				s.Rules[4].Phase = "b"
			},
			want: []string{
				"pass_threshold is 1.5, expected 0 to 1",
				"rule 1 has no ID",
				`rule "a.x.should" has severity "error", expected fail, warn, or info`,
				`rule "b.x.should" has phase "b", expected A or B`,
			},
		},
		{
			reason: "a weight is positive and finite, even in an info rule; one that was forgotten is 0",
			edit: func(s *ruleset.RuleSet) {
				for i, weight := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0} {
					s.Rules[i].Weight = weight
				}
			},
			want: []string{
				`rule "a.x.must" has weight NaN, expected a finite number above 0 (0 only for info)`,
				`rule "a.x.should" has weight +Inf, expected a finite number above 0 (0 only for info)`,
				`rule "a.x.note" has weight -Inf, expected a finite number above 0 (0 only for info)`,
				`rule "b.y.must" has weight -1, expected a finite number above 0 (0 only for info)`,
				`rule "b.x.should" has weight 0, expected a finite number above 0 (0 only for info)`,
			},
		},
		{
			reason: "weights that add up to infinity give no score",
			edit:   func(s *ruleset.RuleSet) { s.Rules[0].Weight, s.Rules[1].Weight = math.MaxFloat64, math.MaxFloat64 },
			want:   []string{"the sum of the weights is too large"},
		},
		{
			reason: "their sum is no problem of its own if a weight is infinite",
			edit:   func(s *ruleset.RuleSet) { s.Rules[1].Weight = math.Inf(1) },
			want:   []string{`rule "a.x.should" has weight +Inf, expected a finite number above 0 (0 only for info)`},
		},
		{
			reason: "no score is below NaN",
			edit:   func(s *ruleset.RuleSet) { s.Scoring.PassThreshold = math.NaN() },
			want:   []string{"pass_threshold is NaN, expected 0 to 1"},
		},
		{
			reason: "a threshold below 0",
			edit:   func(s *ruleset.RuleSet) { s.Scoring.PassThreshold = -0.1 },
			want:   []string{"pass_threshold is -0.1, expected 0 to 1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			s := design()
			tt.edit(s)
			given := map[string]ruleset.Result{}
			for _, r := range s.Active(ruleset.PhaseB) {
				given[r.ID] = ruleset.Result{Verdict: ruleset.VerdictPass}
			}
			for _, id := range tt.missing {
				delete(given, id)
			}
			_, err := s.Score(ruleset.PhaseB, given)
			want := &ruleset.InputError{RuleSetID: "design_v1", Phase: ruleset.PhaseB, Definition: tt.want, Missing: tt.missing}
			checkInputError(t, err, want)
		})
	}
}

func checkInputError(t *testing.T, err error, want *ruleset.InputError) {
	t.Helper()
	got, ok := errors.AsType[*ruleset.InputError](err)
	if !ok {
		t.Fatalf("error is %v, want an *InputError", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}
