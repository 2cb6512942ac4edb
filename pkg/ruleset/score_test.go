package ruleset_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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

// results gives the verdicts, a letter a rule in the order of the rule set:
// p, f, s (with a reason), or a dot for none.
func results(s *ruleset.RuleSet, letters string) map[string]ruleset.Result {
	of := map[byte]ruleset.Result{
		'p': {Verdict: ruleset.VerdictPass},
		'f': {Verdict: ruleset.VerdictFail},
		's': {Verdict: ruleset.VerdictSkipped, Reason: "no linter"},
	}
	given := map[string]ruleset.Result{}
	for i := range letters {
		if result, ok := of[letters[i]]; ok {
			given[s.Rules[i].ID] = result
		}
	}
	return given
}

func TestScorePasses(t *testing.T) {
	// The letters are verdicts on a.x.must (fail, 2), a.x.should (warn, 1),
	// a.x.note (info), b.y.must (fail, 2), b.x.should (warn, 1).
	tests := []struct {
		reason    string
		edit      func(*ruleset.RuleSet)
		phase     ruleset.Phase
		letters   string
		wantScore float64
		want      bool
	}{
		{reason: "everything passes", phase: "A", letters: "ppp..", wantScore: 1, want: true},
		{reason: "phase B counts the rules of both phases", phase: "B", letters: "ppppf", wantScore: 5.0 / 6, want: true},
		{reason: "a score below the threshold fails", phase: "A", letters: "pfp..", wantScore: 2.0 / 3, want: false},
		{reason: "a failed fail rule blocks", phase: "A", letters: "fpp..", wantScore: 1.0 / 3, want: false},
		{
			reason: "it blocks whatever the score",
			edit:   func(s *ruleset.RuleSet) { s.Rules[1].Weight = 98 }, phase: "A", letters: "fpp..", wantScore: 0.98, want: false,
		},
		{
			reason: "a skipped fail rule blocks like a failed one",
			edit:   func(s *ruleset.RuleSet) { s.Rules[1].Weight = 98 }, phase: "A", letters: "spp..", wantScore: 0.98, want: false,
		},
		{reason: "a skipped warn rule is active and not passed", phase: "A", letters: "psp..", wantScore: 2.0 / 3, want: false},
		{reason: "a failed info rule means nothing", phase: "A", letters: "ppf..", wantScore: 1, want: true},
		{reason: "nor does a skipped one", phase: "A", letters: "pps..", wantScore: 1, want: true},
		{
			reason: "an info rule counts in neither sum, whatever its weight",
			edit:   func(s *ruleset.RuleSet) { s.Rules[2].Weight = 1000 }, phase: "A", letters: "pfp..", wantScore: 2.0 / 3, want: false,
		},
		{
			reason: "the weight counts, not the severity",
			edit:   func(s *ruleset.RuleSet) { s.Rules[1].Weight = 0.5 }, phase: "A", letters: "pfp..", wantScore: 0.8, want: true,
		},
		{
			reason: "a score at the threshold passes",
			edit:   func(s *ruleset.RuleSet) { s.Scoring.PassThreshold = 2.0 / 3 }, phase: "A", letters: "pfp..", wantScore: 2.0 / 3, want: true,
		},
		{
			reason: "a difference within the tolerance is ignored",
			edit:   func(s *ruleset.RuleSet) { s.Scoring.PassThreshold = 2.0/3 + 0.9e-9 }, phase: "A", letters: "pfp..", wantScore: 2.0 / 3, want: true,
		},
		{
			reason: "a difference beyond the tolerance is one",
			edit:   func(s *ruleset.RuleSet) { s.Scoring.PassThreshold = 2.0/3 + 1.1e-9 }, phase: "A", letters: "pfp..", wantScore: 2.0 / 3, want: false,
		},
		{
			reason: "if only info rules are active, the score is 1",
			edit:   func(s *ruleset.RuleSet) { s.Rules = s.Rules[2:3] }, phase: "A", letters: "f", wantScore: 1, want: true,
		},
		{
			reason: "an info rule with a weight does not make it 0",
			edit:   func(s *ruleset.RuleSet) { s.Rules = s.Rules[2:3]; s.Rules[0].Weight = 3 }, phase: "A", letters: "f", wantScore: 1, want: true,
		},
		{
			reason: "if all rules wait for phase B, the weights of phase A are 0",
			edit:   func(s *ruleset.RuleSet) { s.Rules = s.Rules[3:] }, phase: "A", letters: "..", wantScore: 1, want: true,
		},
		{
			reason: "a threshold of 0 still lets fail rules block",
			edit:   func(s *ruleset.RuleSet) { s.Scoring.PassThreshold = 0 }, phase: "A", letters: "ffp..", wantScore: 0, want: false,
		},
		{
			reason: "a threshold of 0 is reached by a score of 0",
			edit:   func(s *ruleset.RuleSet) { s.Scoring.PassThreshold = 0; s.Rules = s.Rules[1:2] }, phase: "A", letters: "f", wantScore: 0, want: true,
		},
		{
			reason: "the field says the phase, not the ID",
			edit:   func(s *ruleset.RuleSet) { s.Rules[3].Phase = ruleset.PhaseA }, phase: "A", letters: "pppp.", wantScore: 1, want: true,
		},
		{
			reason: "phase B can score higher than A: the formula has the last word",
			edit:   func(s *ruleset.RuleSet) { s.Scoring.PassThreshold = 0.7 }, phase: "B", letters: "pfppp", wantScore: 5.0 / 6, want: true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			s := design()
			if tt.edit != nil {
				tt.edit(s)
			}
			got, err := s.Score(tt.phase, results(s, tt.letters))
			if err != nil {
				t.Fatal(err)
			}
			if got.Passed != tt.want || got.Score != tt.wantScore {
				t.Errorf("passed is %v with %v, want %v with %v; reasons: %v", got.Passed, got.Score, tt.want, tt.wantScore, got.Reasons)
			}
		})
	}
}

func TestScoreShowsEverything(t *testing.T) {
	s := design()
	s.Rules[2].Weight = 7
	given := results(s, "sfffp")
	given["b.y.must"] = ruleset.Result{Verdict: ruleset.VerdictFail, Reason: "GET /orders is missing"}
	got, err := s.Score(ruleset.PhaseB, given)
	if err != nil {
		t.Fatal(err)
	}
	want := ruleset.Score{
		Phase:        ruleset.PhaseB,
		Score:        1.0 / 6,
		PassedWeight: 1,
		ActiveWeight: 6,
		Threshold:    0.8,
		Rules: []ruleset.Outcome{
			{ID: "a.x.must", Severity: ruleset.SeverityFail, Weight: 2, Verdict: ruleset.VerdictSkipped, Reason: "no linter"},
			{ID: "a.x.should", Severity: ruleset.SeverityWarn, Weight: 1, Verdict: ruleset.VerdictFail},
			{ID: "a.x.note", Severity: ruleset.SeverityInfo, Verdict: ruleset.VerdictFail},
			{ID: "b.y.must", Severity: ruleset.SeverityFail, Weight: 2, Verdict: ruleset.VerdictFail, Reason: "GET /orders is missing"},
			{ID: "b.x.should", Severity: ruleset.SeverityWarn, Weight: 1, Verdict: ruleset.VerdictPass},
		},
		Blocking: []string{"a.x.must", "b.y.must"},
		Reasons: []ruleset.Reason{
			{Kind: ruleset.ReasonSkipped, Rule: "a.x.must", Explanation: "no linter"},
			{Kind: ruleset.ReasonFailed, Rule: "b.y.must", Explanation: "GET /orders is missing"},
			{Kind: ruleset.ReasonScore, Score: 1.0 / 6, Threshold: 0.8},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("score (-want +got):\n%s", diff)
	}
}

func TestScoreJSON(t *testing.T) {
	tests := []struct {
		reason  string
		letters string
		want    string
	}{
		{
			reason:  "lists are never null, so that a consumer can walk them",
			letters: "p",
			want: `{"passed":true,"phase":"A","score":1,"passed_weight":2,"active_weight":2,"threshold":0.8,` +
				`"rules":[{"id":"a.x.must","severity":"fail","weight":2,"verdict":"pass"}],"blocking":[],"reasons":[]}`,
		},
		{
			reason:  "a reason carries what explains it",
			letters: "s",
			want: `{"passed":false,"phase":"A","score":0,"passed_weight":0,"active_weight":2,"threshold":0.8,` +
				`"rules":[{"id":"a.x.must","severity":"fail","weight":2,"verdict":"skipped","reason":"no linter"}],` +
				`"blocking":["a.x.must"],"reasons":[{"kind":"rule_skipped","rule":"a.x.must","explanation":"no linter"},` +
				`{"kind":"score_below_threshold","threshold":0.8}]}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			s := design()
			s.Rules = s.Rules[:1]
			got, err := s.Score(ruleset.PhaseA, results(s, tt.letters))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(encode(t, got))); diff != "" {
				t.Errorf("JSON (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWeightsAreSummedInAscendingOrder(t *testing.T) {
	// In any other order the two small weights are lost one by one.
	s := &ruleset.RuleSet{ID: "sum_v1", Rules: []ruleset.Rule{
		{ID: "a.x.big", Severity: ruleset.SeverityWarn, Weight: 1e16, Phase: ruleset.PhaseA},
		{ID: "a.x.one", Severity: ruleset.SeverityWarn, Weight: 1, Phase: ruleset.PhaseA},
		{ID: "a.x.two", Severity: ruleset.SeverityWarn, Weight: 1, Phase: ruleset.PhaseA},
	}}
	got, err := s.Score(ruleset.PhaseA, results(s, "ppp"))
	if err != nil {
		t.Fatal(err)
	}
	if want := 1e16 + 2.0; got.PassedWeight != want || got.ActiveWeight != want {
		t.Errorf("weights are %v of %v, want %v of both", got.PassedWeight, got.ActiveWeight, want)
	}
}

func TestReasonString(t *testing.T) {
	tests := []struct {
		reason string
		given  ruleset.Reason
		want   string
	}{
		{
			"a failed rule with what was seen",
			ruleset.Reason{Kind: ruleset.ReasonFailed, Rule: "a.x.must", Explanation: "GET /orders is missing"},
			"the rule a.x.must must pass but failed: GET /orders is missing",
		},
		{
			"a failed rule without",
			ruleset.Reason{Kind: ruleset.ReasonFailed, Rule: "a.x.must"},
			"the rule a.x.must must pass but failed",
		},
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
			"a score just below is never shown as the threshold",
			ruleset.Reason{Kind: ruleset.ReasonScore, Score: 0.79999, Threshold: 0.8},
			"the score must reach 0.8, got 0.79999",
		},
		{
			"a score that differs beyond nine decimals is shown whole",
			ruleset.Reason{Kind: ruleset.ReasonScore, Score: 0.7999999996, Threshold: 0.8},
			"the score must reach 0.8, got 0.7999999996",
		},
		{
			"a score of 0 is shown",
			ruleset.Reason{Kind: ruleset.ReasonScore, Threshold: 0.8},
			"the score must reach 0.8, got 0",
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
