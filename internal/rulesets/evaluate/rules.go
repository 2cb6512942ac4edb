package evaluate

import (
	"context"
	"fmt"

	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Source is the origin of a rule's verdict.
type Source string

const (
	// SourceChecks means that the checks decided.
	SourceChecks Source = "checks"
	// SourceOutside means that the external verdict decided, because checks could
	// not be run, there are none, or they passed and it did not.
	SourceOutside Source = "outside"
	// SourceBoth means that the checks and the external verdict agree.
	SourceBoth Source = "both"
	// SourceNone means that no check could be run and there is no external verdict,
	// so the rule is skipped.
	SourceNone Source = "none"
)

// RuleResult is the verdict on a rule with its evidence. The reason is one line, never
// empty.
type RuleResult struct {
	ID string
	ruleset.Result
	Source Source
	Checks []CheckResult
}

// Rules evaluates the rules that are active in a phase, in the order of the rule set.
// checks are the prepared checks and outside the external verdicts of people or judges,
// both by rule ID and as read by package runfile. Entries for inactive rules are ignored.
//
// Rules returns an error if ctx is canceled, which is its cause, or if content checks
// can't search the artifact because it is not UTF-8. Otherwise, the results are valid for
// ruleset.RuleSet.Score.
func Rules(ctx context.Context, s *ruleset.RuleSet, phase ruleset.Phase, checks map[string][]ruleset.Check, outside map[string]ruleset.Result, a *Artifact, o Options) ([]RuleResult, error) {
	var results []RuleResult
	for _, rule := range s.Active(phase) {
		r := RuleResult{ID: rule.ID}
		for _, c := range checks[rule.ID] {
			if !a.isText && c.Type != ruleset.CheckExecutable {
				return nil, fmt.Errorf("artifact %q is not UTF-8 text, so the check of %s can't search it. Save it as UTF-8", a.name, rule.ID)
			}
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
