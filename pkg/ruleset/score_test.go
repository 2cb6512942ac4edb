package ruleset_test

import (
	"testing"

	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// rule is one rule with the standard weight, in the phase of its ID.
func rule(id string, severity ruleset.Severity) ruleset.Rule {
	phase, _ := ruleset.PhaseOf(id)
	return ruleset.Rule{ID: id, Severity: severity, Weight: ruleset.StandardWeight(severity), Phase: phase}
}

// design has a rule of each severity in phase A and of two in phase B.
func design() *ruleset.RuleSet {
	return &ruleset.RuleSet{
		ID:      "design_v1",
		Scoring: ruleset.Scoring{PassThreshold: 0.8},
		Rules: []ruleset.Rule{
			rule("a.x.must", ruleset.SeverityFail),
			rule("a.x.should", ruleset.SeverityWarn),
			rule("a.x.note", ruleset.SeverityInfo),
			rule("b.y.must", ruleset.SeverityFail),
			rule("b.x.should", ruleset.SeverityWarn),
		},
	}
}

// TestScoreOnTheTolerance checks a comparison of equal numbers; the conformance vectors in
// internal/release/conformance check all other scores.
func TestScoreOnTheTolerance(t *testing.T) {
	s := design()
	s.Rules = s.Rules[1:2]
	s.Scoring.PassThreshold = ruleset.Tolerance
	score, err := s.Score(ruleset.PhaseA, map[string]ruleset.Result{"a.x.should": {Verdict: ruleset.VerdictFail}})
	if err != nil || !score.Passed || score.Score != 0 {
		t.Errorf("got %+v, %v, want 0 to reach 1e-9 - 1e-9", score, err)
	}
}

func TestReasonString(t *testing.T) {
	tests := []struct {
		reason string
		given  ruleset.Reason
		want   string
	}{
		{
			"a skipped rule says why",
			ruleset.Reason{Kind: ruleset.ReasonSkipped, Rule: "a.x.must", Explanation: "no linter"},
			"the rule a.x.must must pass but was skipped: no linter",
		},
		{
			"a long score is shortened",
			ruleset.Reason{Kind: ruleset.ReasonScore, Score: 2.0 / 3, Threshold: 0.8},
			"the score must reach 0.8, got 0.67",
		},
		{
			"nine decimals are shown if fewer would be the threshold",
			ruleset.Reason{Kind: ruleset.ReasonScore, Score: 0.79999999912, Threshold: 0.8},
			"the score must reach 0.8, got 0.799999999",
		},
		{
			"a score that differs beyond nine decimals is shown whole",
			ruleset.Reason{Kind: ruleset.ReasonScore, Score: 0.79999999994, Threshold: 0.8},
			"the score must reach 0.8, got 0.79999999994",
		},
		{
			"a kind of a later version still says something",
			ruleset.Reason{Kind: "something_new"},
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
