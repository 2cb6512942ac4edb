package lint

import (
	"cmp"
	"slices"
	"strings"
)

// RuleCount counts the findings of a lint rule with a severity.
type RuleCount struct {
	Rule     string
	Severity Severity
	// Findings is at least 1. Fixable counts those that have a safe fix.
	Findings, Fixable int
}

// CountRules counts the findings of each lint rule and severity: most first, then worst, then by
// rule. It is not nil.
func CountRules(findings []Finding) []RuleCount {
	type key struct {
		rule     string
		severity Severity
	}
	counts := map[key]*RuleCount{}
	for i := range findings {
		f := &findings[i]
		k := key{f.Rule.ID, f.Severity}
		if counts[k] == nil {
			counts[k] = &RuleCount{Rule: k.rule, Severity: k.severity}
		}
		counts[k].Findings++
		if f.Fix != nil {
			counts[k].Fixable++
		}
	}
	sorted := make([]RuleCount, 0, len(counts))
	for _, c := range counts {
		sorted = append(sorted, *c)
	}
	slices.SortFunc(sorted, func(a, b RuleCount) int {
		return cmp.Or(cmp.Compare(b.Findings, a.Findings), cmp.Compare(b.Severity, a.Severity),
			strings.Compare(a.Rule, b.Rule))
	})
	return sorted
}
