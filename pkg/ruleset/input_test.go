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
			reason: "no results at all",
			phase:  "A",
			want:   &ruleset.InputError{Missing: []string{"a.x.must", "a.x.note", "a.x.should"}},
			text:   `rule set "design_v1" can't be applied: no result for "a.x.must", "a.x.note", "a.x.should" (every rule active in phase A needs one)`,
		},
		{
			reason: "a result for another rule set's rule",
			phase:  "A",
			given:  map[string]ruleset.Result{"a.x.must": pass, "a.x.note": pass, "a.x.should": pass, "a.x.may": pass, "": pass},
			want:   &ruleset.InputError{Unknown: []string{"", "a.x.may"}},
			text:   `rule set "design_v1" can't be applied: a result for "", "a.x.may" (the rule set has no such rule)`,
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
			reason: "phases are upper case",
			phase:  "a",
			want:   &ruleset.InputError{UnknownPhase: true},
			text:   `rule set "design_v1" can't be applied: the phase "a" does not exist (expected A or B)`,
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
		reason string
		edit   func(*ruleset.RuleSet)
		want   []string
	}{
		{
			reason: "without rules everything would pass",
			edit:   func(s *ruleset.RuleSet) { s.Rules = nil },
			want:   []string{"the rule set has no rules"},
		},
		{
			reason: "one result can't apply to two rules",
			edit:   func(s *ruleset.RuleSet) { s.Rules = append(s.Rules, s.Rules[1], s.Rules[1]) },
			want:   []string{`the ID "a.x.should" is used more than once`},
		},
		{
			reason: "a rule without an ID can't be given a result",
			edit:   func(s *ruleset.RuleSet) { s.Rules[0].ID = "" },
			want:   []string{"rule 1 has no ID"},
		},
		{
			reason: "an unknown severity could mean fail",
			edit:   func(s *ruleset.RuleSet) { s.Rules[0].Severity = "error" },
			want:   []string{`rule "a.x.must" has severity "error", expected fail, warn, or info`},
		},
		{
			reason: "a rule in no known phase would never be active",
			edit:   func(s *ruleset.RuleSet) { s.Rules[4].Phase = "b" },
			want:   []string{`rule "b.x.should" has phase "b", expected A or B`},
		},
		{
			reason: "an infinite or NaN weight makes the score unusable, even in an info rule",
			edit: func(s *ruleset.RuleSet) {
				s.Rules[0].Weight, s.Rules[1].Weight, s.Rules[2].Weight = math.NaN(), math.Inf(1), math.Inf(-1)
			},
			want: []string{
				`rule "a.x.must" has weight NaN, expected a finite number above 0 (0 only for info)`,
				`rule "a.x.should" has weight +Inf, expected a finite number above 0 (0 only for info)`,
				`rule "a.x.note" has weight -Inf, expected a finite number above 0 (0 only for info)`,
			},
		},
		{
			reason: "a rule can't be worth less than nothing",
			edit:   func(s *ruleset.RuleSet) { s.Rules[1].Weight, s.Rules[2].Weight = -1, -0.5 },
			want: []string{
				`rule "a.x.should" has weight -1, expected a finite number above 0 (0 only for info)`,
				`rule "a.x.note" has weight -0.5, expected a finite number above 0 (0 only for info)`,
			},
		},
		{
			reason: "a weight that was forgotten is 0, and all of them would score 1",
			edit:   func(s *ruleset.RuleSet) { s.Rules[1].Weight = 0 },
			want:   []string{`rule "a.x.should" has weight 0, expected a finite number above 0 (0 only for info)`},
		},
		{
			reason: "weights that add up to infinity give no score",
			edit:   func(s *ruleset.RuleSet) { s.Rules[0].Weight, s.Rules[1].Weight = math.MaxFloat64, math.MaxFloat64 },
			want:   []string{"the sum of the weights is too large"},
		},
		{
			reason: "no score is below NaN",
			edit:   func(s *ruleset.RuleSet) { s.Scoring.PassThreshold = math.NaN() },
			want:   []string{"pass_threshold is NaN, expected 0 to 1"},
		},
		{
			reason: "a threshold in percent",
			edit:   func(s *ruleset.RuleSet) { s.Scoring.PassThreshold = 80 },
			want:   []string{"pass_threshold is 80, expected 0 to 1"},
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
			_, err := s.Score(ruleset.PhaseB, given)
			checkInputError(t, err, &ruleset.InputError{RuleSetID: "design_v1", Phase: ruleset.PhaseB, Definition: tt.want})
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
