package lint

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/change"
)

// weigh applies the severities of the configuration and drops findings that are off or
// duplicates.
func weigh(findings []Finding, config *Config) []Finding {
	for i := range findings {
		findings[i].Severity = config.severity(&findings[i])
	}
	return slices.DeleteFunc(sortFindings(findings), func(f Finding) bool { return f.Severity == 0 })
}

// soften makes the errors of rules for new versions warnings in a version that the target has.
func soften(findings []Finding, c *change.Step) {
	for i := range findings {
		if f := &findings[i]; f.Rule.New && f.Severity > Warning && c.OnTarget(f.ID) {
			f.Severity = Warning
		}
	}
}

// withhold removes the fixes that change the meaning of a published document: a person
// must make such a change, with a new version.
func withhold(findings []Finding, published func(id string) bool) {
	for i := range findings {
		if f := &findings[i]; f.Fix != nil && f.Fix.Rewrites && published(f.ID) {
			f.Fix = nil
		}
	}
}
