package evaluate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/suggest"
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
// both by rule ID. What they hold for rules that are not active is left alone.
//
// The error is the cause of ctx being cancelled, or says what is wrong with the
// phase, with an ID or with a verdict from outside; then no check was run.
// Otherwise ruleset.RuleSet.Score takes the results.
func Rules(ctx context.Context, s *ruleset.RuleSet, phase ruleset.Phase, checks map[string][]ruleset.Check, outside map[string]ruleset.Result, a *Artifact, o Options) ([]RuleResult, error) {
	if err := validate(s, phase, checks, outside); err != nil {
		return nil, err
	}
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

// validate names everything that would otherwise be left out unseen.
func validate(s *ruleset.RuleSet, phase ruleset.Phase, checks map[string][]ruleset.Check, outside map[string]ruleset.Result) error {
	var problems []error
	if phase != ruleset.PhaseA && phase != ruleset.PhaseB {
		problems = append(problems, fmt.Errorf("there is no phase %q (expected A or B)", phase))
	}
	ids := make([]string, len(s.Rules))
	for i := range s.Rules {
		ids[i] = s.Rules[i].ID
	}
	for _, id := range slices.Sorted(maps.Keys(checks)) {
		problems = append(problems, unknown("checks", id, ids))
	}
	for _, id := range slices.Sorted(maps.Keys(outside)) {
		problems = append(problems, unknown("a verdict from outside", id, ids), invalid(id, outside[id]))
	}
	return errors.Join(problems...)
}

// unknown is nil for an ID that the rule set has.
func unknown(what, id string, ids []string) error {
	if slices.Contains(ids, id) {
		return nil
	}
	if word := suggest.Word(id, ids); word != "" {
		return fmt.Errorf("%s for %q: the rule set has no such rule; did you mean %q?", what, id, word)
	}
	return fmt.Errorf("%s for %q: the rule set has no such rule", what, id)
}

// invalid is nil for a result that a score can be made of.
func invalid(id string, r ruleset.Result) error {
	switch r.Verdict {
	case ruleset.VerdictPass, ruleset.VerdictFail:
		return nil
	case ruleset.VerdictSkipped:
		if strings.TrimSpace(r.Reason) != "" {
			return nil
		}
		return fmt.Errorf("the verdict from outside for %q is skipped without a reason", id)
	}
	return fmt.Errorf("the verdict from outside for %q is %q (expected pass, fail or skipped)", id, r.Verdict)
}
