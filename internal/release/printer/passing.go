package printer

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// WhenPasses says when work passes a document, in a sentence that is true of every verdict: work
// passes if and only if it holds for the scores and hits, or for the results of the rules.
func WhenPasses(d *library.Document) string {
	clause := ""
	if d.RuleSet != nil {
		clause = WhenRuleSetPasses(d.RuleSet)
	} else {
		clause = WhenRubricPasses(d.Rubric)
	}
	return "Work passes if " + clause + "."
}

// WhenRubricPasses says when work passes a rubric: the end of a sentence after "if".
func WhenRubricPasses(r *rubric.Rubric) string {
	var conditions []string
	if essential := essentialOf(r); essential != "" {
		conditions = append(conditions, essential)
	}
	if r.Scoring.PassThreshold > 0 {
		mean := "mean"
		if r.Weighted() {
			mean = "weighted mean"
		}
		conditions = append(conditions, fmt.Sprintf("the %s of all scores is at least %s", mean,
			render.Number(r.Scoring.PassThreshold)))
	}
	if negative := negativeOf(r); negative != "" {
		conditions = append(conditions, negative)
	}
	if len(conditions) == 0 {
		return "each criterion has a score, whatever it is"
	}
	return schema.Or(conditions, "and")
}

// essentialOf says which scores essential criteria need, or is "" if there are none.
func essentialOf(r *rubric.Rubric) string {
	var minimums []float64
	for i := range r.Criteria {
		if c := &r.Criteria[i]; c.Weight == rubric.Essential {
			minimums = append(minimums, r.Minimum(c))
		}
	}
	if len(minimums) == 0 {
		return ""
	}
	all, score, reach := fmt.Sprintf("all %d essential criteria", len(minimums)), "score", "reach their minimums"
	switch len(minimums) {
	case 1:
		all, score = "the essential criterion", "scores"
	case 2:
		all = "both essential criteria"
	}
	low, high := slices.Min(minimums), slices.Max(minimums)
	if low < high {
		return fmt.Sprintf("%s %s, from %s to %s", all, reach, render.Number(low), render.Number(high))
	}
	return fmt.Sprintf("%s %s at least %s", all, score, render.Number(low))
}

// negativeOf says what must not be found, or is "" if nothing that is found fails work.
func negativeOf(r *rubric.Rubric) string {
	fails := func(n rubric.NegativeCriterion) bool { return n.Effect != rubric.EffectReport }
	switch reports := func(n rubric.NegativeCriterion) bool { return !fails(n) }; {
	case !slices.ContainsFunc(r.NegativeCriteria, fails):
		return ""
	case slices.ContainsFunc(r.NegativeCriteria, reports):
		return "no negative criterion with the effect fail matches"
	}
	return "no negative criterion matches"
}

// WhenRuleSetPasses says when work passes a rule set: the end of a sentence after "if". A rule is active in
// the phases in which it counts.
func WhenRuleSetPasses(s *ruleset.RuleSet) string {
	active := ""
	if slices.ContainsFunc(s.Rules, func(r ruleset.Rule) bool { return r.Phase != ruleset.PhaseA }) {
		active = "active "
	}
	has := func(severity ruleset.Severity) bool {
		return slices.ContainsFunc(s.Rules, func(r ruleset.Rule) bool { return r.Severity == severity })
	}
	if !has(ruleset.SeverityFail) && !has(ruleset.SeverityWarn) {
		return fmt.Sprintf("each %srule has a result, whatever it is: without rules that count, the score is 1 and so at least %s",
			active, render.Number(s.Scoring.PassThreshold))
	}
	rules := active + "rules"
	if has(ruleset.SeverityInfo) {
		rules += " with severity fail or warn"
	}
	share := "share"
	if isWeighted(s) {
		share = "weighted share"
	}
	score := fmt.Sprintf("the score, which is the %s of the %s that pass, is at least %s",
		share, rules, render.Number(s.Scoring.PassThreshold))
	if !has(ruleset.SeverityFail) {
		return score
	}
	return "every " + active + "rule with severity fail passes and " + score
}

// isWeighted reports whether some rules count more than others in the score.
func isWeighted(s *ruleset.RuleSet) bool {
	counted := slices.DeleteFunc(slices.Clone(s.Rules), func(r ruleset.Rule) bool {
		return r.Severity == ruleset.SeverityInfo
	})
	return slices.ContainsFunc(counted, func(r ruleset.Rule) bool { return r.Weight != counted[0].Weight })
}
