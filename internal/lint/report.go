package lint

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
)

// weigh applies the severities of the configuration and drops findings that are off or
// duplicates.
func weigh(findings []Finding, config *Config) []Finding {
	for i := range findings {
		if severity, set := config.Severity(findings[i].Rule); set {
			findings[i].Severity = severity
		}
	}
	return slices.DeleteFunc(sortFindings(findings), func(f Finding) bool { return f.Severity == 0 })
}

// list keeps the findings that are not hidden and are in the requested files.
func (r *Report) list(findings []Finding, only []string) {
	findings = sortFindings(findings)
	fingerprint(findings)
	for _, f := range findings {
		switch {
		case len(only) > 0 && !within(f.File, only) && !slices.ContainsFunc(f.Related, func(r Related) bool { return within(r.File, only) }):
		case f.hidden:
			r.Summary.Hidden++
		default:
			r.Findings = append(r.Findings, f)
		}
	}
}

// count counts the checked files and the findings.
func (r *Report) count(results []result) {
	for i := range results {
		if results[i].isDocument {
			r.Summary.Files++
		}
		if f := results[i].facts; f != nil && f.Kind == &document.Rubric {
			r.Summary.Rubrics++
		} else if f != nil {
			r.Summary.RuleSets++
		}
	}
	for _, f := range r.Findings {
		switch f.Severity {
		case Error:
			r.Summary.Errors++
		case Warning:
			r.Summary.Warnings++
		case Note:
			r.Summary.Notes++
		}
	}
}
