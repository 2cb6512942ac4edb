package ruleset_test

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// anyRuleSet draws usable rule sets: all that a score depends on is valid, and
// the texts are anything.
func anyRuleSet() *rapid.Generator[*ruleset.RuleSet] {
	return rapid.Custom(func(t *rapid.T) *ruleset.RuleSet {
		s := &ruleset.RuleSet{
			ID:          "s_v1",
			Description: rapid.String().Draw(t, "description"),
			Scoring:     ruleset.Scoring{PassThreshold: rapid.Float64Range(0, 1).Draw(t, "pass_threshold")},
		}
		for i := range rapid.IntRange(1, 6).Draw(t, "rules") {
			s.Rules = append(s.Rules, anyRule(i).Draw(t, "rule"))
		}
		if rapid.Bool().Draw(t, "is deprecated") {
			s.Deprecated = &ruleset.Deprecation{Reason: rapid.String().Draw(t, "why")}
		}
		return s
	})
}

func anyRule(number int) *rapid.Generator[ruleset.Rule] {
	return rapid.Custom(func(t *rapid.T) ruleset.Rule {
		r := ruleset.Rule{
			ID:       fmt.Sprintf("a.x.r%d", number),
			Severity: anySeverity().Draw(t, "severity"),
			Phase:    rapid.SampledFrom([]ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB}).Draw(t, "phase"),
			Check:    rapid.String().Draw(t, "check"),
		}
		standard := rapid.Just(ruleset.StandardWeight(r.Severity))
		r.Weight = rapid.OneOf(standard, rapid.Float64Range(0.01, 100)).Draw(t, "weight")
		if rapid.Bool().Draw(t, "has a check") {
			r.Checks = []ruleset.Check{{
				Type:     ruleset.CheckContent,
				Literal:  rapid.String().Draw(t, "literal"),
				Expect:   rapid.SampledFrom([]ruleset.Expectation{"", ruleset.ExpectPresent, ruleset.ExpectAbsent}).Draw(t, "expect"),
				MinCount: rapid.Ptr(rapid.IntRange(0, 9), true).Draw(t, "min_count"),
			}}
		}
		return r
	})
}

// anySeverity rarely draws fail, so that blocking rules do not hide the score.
func anySeverity() *rapid.Generator[ruleset.Severity] {
	return rapid.SampledFrom([]ruleset.Severity{
		ruleset.SeverityFail, ruleset.SeverityWarn, ruleset.SeverityWarn, ruleset.SeverityWarn, ruleset.SeverityInfo,
	})
}

func anyPhase() *rapid.Generator[ruleset.Phase] {
	return rapid.SampledFrom([]ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB})
}

// drawResults draws a result for every rule that is active in a phase. It is no
// generator, because a generator must draw and there can be no such rule.
func drawResults(t *rapid.T, s *ruleset.RuleSet, phase ruleset.Phase) map[string]ruleset.Result {
	given := map[string]ruleset.Result{}
	for _, r := range s.Active(phase) {
		given[r.ID] = rapid.SampledFrom([]ruleset.Result{
			{Verdict: ruleset.VerdictPass},
			{Verdict: ruleset.VerdictPass, Reason: "seen"},
			{Verdict: ruleset.VerdictFail},
			{Verdict: ruleset.VerdictSkipped, Reason: "no linter"},
		}).Draw(t, r.ID)
	}
	return given
}
