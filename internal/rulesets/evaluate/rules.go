package evaluate

import (
	"context"

	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Source says what a rule's verdict rests on.
type Source string

const (
	// SourceChecks: the checks decided.
	SourceChecks Source = "checks"
	// SourceOutside: the verdict from outside decided, because checks could not
	// be run, there are none, or they passed and it did not.
	SourceOutside Source = "outside"
	// SourceBoth: the checks and the verdict from outside agree.
	SourceBoth Source = "both"
	// SourceNone: no check could be run and no verdict was given, so that the
	// rule is skipped.
	SourceNone Source = "none"
)

// RuleResult is the verdict on a rule with its evidence. The reason is never
// empty, one line, and says what the verdict rests on.
type RuleResult struct {
	ID string
	ruleset.Result
	Source Source
	Checks []CheckResult
}

// Rules evaluates the rules that are active in a phase, in the rule set's order.
// Checks are the prepared ones and outside are verdicts of people or judges,
// both by rule ID and as package runfile reads them. What they hold for rules that
// are not active is left alone.
//
// The error is the cause of ctx being cancelled. Otherwise ruleset.RuleSet.Score
// takes the results.
func Rules(ctx context.Context, s *ruleset.RuleSet, phase ruleset.Phase, checks map[string][]ruleset.Check, outside map[string]ruleset.Result, a *Artifact, o Options) ([]RuleResult, error) {
	var results []RuleResult
	for _, rule := range s.Active(phase) {
		r := RuleResult{ID: rule.ID}
		for _, c := range checks[rule.ID] {
			result, err := Check(ctx, c, a, o)
			if err != nil {
				return nil, err
			}
			r.Checks = append(r.Checks, result)
		}
		given, ok := outside[rule.ID]
		r.Result, r.Source = decide(r.Checks, given, ok)
		results = append(results, r)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return results, nil
}
