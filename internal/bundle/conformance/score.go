package conformance

import (
	"errors"

	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// scoreVector is one case of rule_score.json.
type scoreVector struct {
	Name    string           `json:"name"`
	Reason  string           `json:"reason"`
	RuleSet *ruleset.RuleSet `json:"ruleset"`
	Phase   ruleset.Phase    `json:"phase"`
	Results results          `json:"results"`
	Result  *ruleset.Score   `json:"result,omitempty"`
	Error   *refusal         `json:"error,omitempty"`
}

type results = map[string]ruleset.Result

var (
	pass = ruleset.Result{Verdict: ruleset.VerdictPass}
	fail = ruleset.Result{Verdict: ruleset.VerdictFail, Reason: "It is not there."}
	skip = ruleset.Result{Verdict: ruleset.VerdictSkipped, Reason: "The tool did not start."}
)

// rule is a rule whose texts say nothing; its phase is that of its ID.
func rule(id string, severity ruleset.Severity, weight float64) ruleset.Rule {
	phase, _ := ruleset.PhaseOf(id)
	return ruleset.Rule{ID: id, Description: "What has to hold.", Severity: severity, Weight: weight, Phase: phase, Check: "Look."}
}

// ruleSet is a rule set of the rules.
func ruleSet(threshold float64, rules ...ruleset.Rule) *ruleset.RuleSet {
	return &ruleset.RuleSet{
		ID: "vector_v1", Name: "Vector", Version: "1.0.0", ArtifactType: "vectors",
		Scoring: ruleset.Scoring{PassThreshold: threshold}, Rules: rules,
	}
}

// scoreVectors computes what is expected of each case.
func scoreVectors() []scoreVector {
	vectors := append(scoreCases(), refusedScores()...)
	for i := range vectors {
		v := &vectors[i]
		result, err := v.RuleSet.Score(v.Phase, v.Results)
		var input *ruleset.InputError
		if errors.As(err, &input) {
			v.Error = &refusal{
				Definition: len(input.Definition) > 0, UnknownPhase: input.UnknownPhase,
				Missing: input.Missing, Unknown: input.Unknown, Inactive: input.Inactive,
			}
			for _, r := range input.Invalid {
				v.Error.Invalid = append(v.Error.Invalid, r.ID)
			}
		} else {
			v.Result = must(result, err)
		}
	}
	return vectors
}

const (
	a, b = ruleset.PhaseA, ruleset.PhaseB

	failing = ruleset.SeverityFail
	warning = ruleset.SeverityWarn
	info    = ruleset.SeverityInfo
)

func scoreCases() []scoreVector {
	both := func() *ruleset.RuleSet {
		return ruleSet(0.75, rule("a.x.one", failing, 2), rule("a.x.two", warning, 1), rule("b.x.three", warning, 1))
	}
	tenths := func(threshold float64) *ruleset.RuleSet {
		return ruleSet(threshold, rule("a.x.three", warning, 0.3), rule("a.x.two", warning, 0.2), rule("a.x.one", warning, 0.1))
	}
	return []scoreVector{
		{Name: "phase-a", Reason: "rules of phase B are not active in phase A", RuleSet: both(), Phase: a, Results: results{"a.x.one": pass, "a.x.two": pass}},
		{Name: "phase-b", Reason: "rules of phases A and B are active in phase B", RuleSet: both(), Phase: b, Results: results{"a.x.one": pass, "a.x.two": fail, "b.x.three": pass}},
		{Name: "phase-b-raises", Reason: "more rules that pass can raise a score above the threshold", RuleSet: both(), Phase: a, Results: results{"a.x.one": pass, "a.x.two": fail}},
		{Name: "on-threshold", Reason: "a score that is the threshold passes", RuleSet: ruleSet(0.5, rule("a.x.one", warning, 1), rule("a.x.two", warning, 1)), Phase: a, Results: results{"a.x.one": pass, "a.x.two": fail}},
		{Name: "blocked", Reason: "a rule with severity fail that fails blocks, whatever the score", RuleSet: ruleSet(0.1, rule("a.x.one", failing, 1), rule("a.x.two", warning, 9)), Phase: a, Results: results{"a.x.one": fail, "a.x.two": pass}},
		{Name: "skipped-blocks", Reason: "a skipped rule with severity fail blocks too", RuleSet: ruleSet(0, rule("a.x.one", failing, 2)), Phase: a, Results: results{"a.x.one": skip}},
		{Name: "skipped-counts", Reason: "a skipped rule is active and does not pass", RuleSet: ruleSet(0.6, rule("a.x.one", warning, 1), rule("a.x.two", warning, 1)), Phase: a, Results: results{"a.x.one": pass, "a.x.two": skip}},
		{Name: "reasons-in-order", Reason: "blocking rules in the rule set's order, then the score", RuleSet: ruleSet(0.9, rule("a.z.one", failing, 2), rule("a.a.two", failing, 2), rule("a.m.three", failing, 2)), Phase: a, Results: results{"a.z.one": skip, "a.a.two": fail, "a.m.three": pass}},
		{Name: "info-only", Reason: "where only info rules are active the score is 1", RuleSet: ruleSet(1, rule("a.x.one", info, 0)), Phase: a, Results: results{"a.x.one": fail}},
		{Name: "info-weight", Reason: "the weight of an info rule counts nowhere", RuleSet: ruleSet(1, rule("a.x.one", info, 100), rule("a.x.two", warning, 1)), Phase: a, Results: results{"a.x.one": fail, "a.x.two": pass}},
		{Name: "none-active", Reason: "where no rule is active the score is 1", RuleSet: ruleSet(1, rule("b.x.one", failing, 2)), Phase: a, Results: results{}},
		{Name: "threshold-0", Reason: "a threshold of 0 is reached by a score of 0", RuleSet: ruleSet(0, rule("a.x.one", warning, 1)), Phase: a, Results: results{"a.x.one": fail}},
		{Name: "threshold-1", Reason: "a threshold of 1 needs every rule", RuleSet: ruleSet(1, rule("a.x.one", warning, 1), rule("a.x.two", warning, 0.001)), Phase: a, Results: results{"a.x.one": pass, "a.x.two": fail}},
		{Name: "score-0", Reason: "a score of 0 is a score", RuleSet: ruleSet(0.5, rule("a.x.one", warning, 1)), Phase: a, Results: results{"a.x.one": fail}},
		{Name: "inexact-weights", Reason: "0.1 + 0.2 is not 0.3, and the quotient is not 0.5; the tolerance absorbs it", RuleSet: tenths(0.5), Phase: a, Results: results{"a.x.one": pass, "a.x.two": pass, "a.x.three": fail}},
		{Name: "ascending-order", Reason: "the smallest weight is added first, so that the sum is 0.6000000000000001", RuleSet: tenths(1), Phase: a, Results: results{"a.x.one": pass, "a.x.two": pass, "a.x.three": pass}},
		{Name: "added-one-by-one", Reason: "no compensated summation: ten times 0.1 is below 1", RuleSet: ruleSet(0.5, tenthRules()...), Phase: a, Results: tenResults()},
		{Name: "within-tolerance", Reason: "half of 1e-9 below the threshold is not below", RuleSet: ruleSet(0.5000000005, rule("a.x.one", warning, 1), rule("a.x.two", warning, 1)), Phase: a, Results: results{"a.x.one": pass, "a.x.two": fail}},
		{Name: "beyond-tolerance", Reason: "twice 1e-9 below the threshold is below", RuleSet: ruleSet(0.500000002, rule("a.x.one", warning, 1), rule("a.x.two", warning, 1)), Phase: a, Results: results{"a.x.one": pass, "a.x.two": fail}},
	}
}

// tenthRules are ten rules that weigh 0.1 and one that weighs 1; tenResults let
// the ten pass.
func tenthRules() []ruleset.Rule {
	rules := []ruleset.Rule{rule("a.y.whole", warning, 1)}
	for i := range 10 {
		rules = append(rules, rule("a.x.tenth"+string(rune('0'+i)), warning, 0.1))
	}
	return rules
}

func tenResults() results {
	r := results{}
	for _, rule := range tenthRules() {
		r[rule.ID] = pass
	}
	r["a.y.whole"] = fail
	return r
}

func refusedScores() []scoreVector {
	two := func() *ruleset.RuleSet {
		return ruleSet(0.5, rule("a.x.one", failing, 2), rule("b.x.two", warning, 1))
	}
	one := func(change func(*ruleset.Rule)) *ruleset.RuleSet {
		r := rule("a.x.one", warning, 1)
		change(&r)
		return ruleSet(0.5, r)
	}
	right := results{"a.x.one": pass}
	return []scoreVector{
		{Name: "missing", Reason: "every active rule needs a result", RuleSet: two(), Phase: b, Results: results{"a.x.one": pass}},
		{Name: "missing-info", Reason: "an info rule too", RuleSet: ruleSet(0.5, rule("a.x.one", info, 0)), Phase: a, Results: results{}},
		{Name: "unknown", Reason: "a result of what the rule set does not have", RuleSet: two(), Phase: a, Results: results{"a.x.one": pass, "a.x.other": pass}},
		{Name: "inactive", Reason: "a result of a rule that is not active in the phase", RuleSet: two(), Phase: a, Results: results{"a.x.one": pass, "b.x.two": pass}},
		{Name: "unknown-verdict", Reason: "a verdict that does not exist", RuleSet: two(), Phase: a, Results: results{"a.x.one": {Verdict: "passed"}}},
		{Name: "skipped-without-reason", Reason: "skipped needs a reason, and blanks are none", RuleSet: two(), Phase: a, Results: results{"a.x.one": {Verdict: ruleset.VerdictSkipped, Reason: " \n\u00a0"}}},
		{Name: "unknown-phase", Reason: "a phase that does not exist; unknown and invalid results are still named", RuleSet: two(), Phase: "C", Results: results{"a.x.one": {Verdict: "passed"}, "a.x.other": pass}},
		{Name: "small-phase", Reason: "phases are capitals", RuleSet: two(), Phase: "a", Results: right},
		{Name: "no-rules", Reason: "a rule set without rules passes nothing", RuleSet: ruleSet(0), Phase: a, Results: results{}},
		{Name: "rule-twice", Reason: "one result can't be that of two rules", RuleSet: ruleSet(0.5, rule("a.x.one", warning, 1), rule("a.x.one", failing, 2)), Phase: a, Results: right},
		{Name: "weight-0", Reason: "a weight of 0 would let every rule be broken", RuleSet: one(func(r *ruleset.Rule) { r.Weight = 0 }), Phase: a, Results: right},
		{Name: "weight-negative", Reason: "nor is a weight below 0 one, of an info rule neither", RuleSet: one(func(r *ruleset.Rule) { r.Weight, r.Severity = -1, info }), Phase: a, Results: right},
		{Name: "weights-too-large", Reason: "weights whose sum is infinite", RuleSet: ruleSet(0.5, rule("a.x.one", warning, 1e308), rule("a.x.two", warning, 1e308)), Phase: a, Results: results{"a.x.one": pass, "a.x.two": pass}},
		{Name: "threshold-percent", Reason: "a percentage is no threshold", RuleSet: ruleSet(80, rule("a.x.one", warning, 1)), Phase: a, Results: right},
		{Name: "unknown-severity", Reason: "a severity of a later library is not guessed", RuleSet: one(func(r *ruleset.Rule) { r.Severity = "error" }), Phase: a, Results: right},
		{Name: "unknown-rule-phase", Reason: "nor is a phase", RuleSet: one(func(r *ruleset.Rule) { r.Phase = "C" }), Phase: a, Results: results{}},
	}
}
