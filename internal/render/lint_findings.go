package render

import (
	"cmp"
	"slices"

	"github.com/rubric-library/rubric-library/internal/lint"
)

// worstFirst orders findings by severity and keeps the order of their places.
func worstFirst(findings []lint.Finding) []*lint.Finding {
	sorted := make([]*lint.Finding, len(findings))
	for i := range findings {
		sorted[i] = &findings[i]
	}
	slices.SortStableFunc(sorted, func(a, b *lint.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return sorted
}

// severityCount is how many findings have a severity.
type severityCount struct {
	severity lint.Severity
	n        int
}

// bySeverity counts the findings, the worst first.
func bySeverity(s lint.Summary) []severityCount {
	return []severityCount{{lint.Error, s.Errors}, {lint.Warning, s.Warnings}, {lint.Note, s.Notes}}
}
