package printer

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

// changedFirst orders findings like worstFirst, but puts those that the change touches
// first.
func changedFirst(findings []lint.Finding) []*lint.Finding {
	sorted := worstFirst(findings)
	changed, rest := slices.Clone(sorted), sorted
	changed = slices.DeleteFunc(changed, func(f *lint.Finding) bool { return !f.Changed })
	rest = slices.DeleteFunc(rest, func(f *lint.Finding) bool { return f.Changed })
	return append(changed, rest...)
}

// severityCount is the number of findings with a severity.
type severityCount struct {
	severity lint.Severity
	n        int
}

// bySeverity counts the findings, the worst first.
func bySeverity(s lint.Summary) []severityCount {
	return []severityCount{{lint.Error, s.Errors}, {lint.Warning, s.Warnings}, {lint.Note, s.Notes}}
}
