// Package ignores has the lint rules about the two ways to suppress findings: comments
// and the baseline.
package ignores

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/lint"
)

// Rules are about what suppresses findings.
var Rules = []*lint.Rule{
	{
		ID: "ignore-malformed", Family: lint.FamilyIgnores, Severity: lint.Error, Unsuppressable: true,
		Summary: "a malformed comment for rubric-lint",
		Why:     "A malformed comment suppresses nothing but looks as if it did. An ignore comment names one lint rule and a reason, so that the next reader knows why the finding was accepted.",
		Source:  "the comments for rubric-lint (its help, rubric-lint --help)",
		Bad:     "name: X # rubric-lint: ignore look-alike-id",
		Good:    "name: X # rubric-lint: ignore look-alike-id -- the old ID is retired next month",
		Ignores: func(p *lint.IgnorePass) {
			for _, i := range p.Ignores {
				if i.Malformed {
					p.Report(i, `Write the comment as "# rubric-lint: ignore RULE -- reason": the name of the lint rule, two dashes, and why the finding is accepted. In its current form, it suppresses nothing.`)
				}
			}
		},
	},
	{
		ID: "ignore-forbidden", Family: lint.FamilyIgnores, Severity: lint.Error, Unsuppressable: true,
		Summary: "an ignore comment for a lint rule that can't be suppressed",
		Why:     "Findings of these lint rules must be fixed: a comment can't make the document valid.",
		Source:  "the comments for rubric-lint (its help, rubric-lint --help)",
		Bad:     "version: 1.0 # rubric-lint: ignore wrong-type -- later",
		Good:    `version: "1.0.0"`,
		Ignores: func(p *lint.IgnorePass) {
			for _, i := range p.Ignores {
				if rule := p.Find(i.Rule); rule != nil && rule.Unsuppressable {
					p.Report(i, "Remove this comment and fix the problem: findings of "+i.Rule+" can't be suppressed.")
				}
			}
		},
	},
	{
		ID: "ignore-unused", Family: lint.FamilyIgnores, Severity: lint.Warning, Unsuppressable: true,
		Summary: "an ignore comment that suppresses nothing",
		Why:     "The finding is gone or the name is wrong. A leftover comment would silently accept the next mistake on that line.",
		Source:  "the comments for rubric-lint (its help, rubric-lint --help)",
		Bad:     "name: X # rubric-lint: ignore no-such-rule -- reason",
		Good:    "name: X",
		Ignores: func(p *lint.IgnorePass) {
			for _, i := range p.Ignores {
				switch rule := p.Find(i.Rule); {
				case i.Malformed || i.Used:
				case rule == nil:
					p.Report(i, "There is no lint rule "+i.Rule+"."+p.Suggestion(i.Rule)+" Fix the name or remove the comment.")
				case !rule.Unsuppressable:
					p.Report(i, "Remove this comment: "+i.Rule+" finds nothing here, and the comment would hide the next mistake.")
				}
			}
		},
	},
	{
		ID: "baseline-unused", Family: lint.FamilyIgnores, Severity: lint.Warning, Unsuppressable: true,
		Summary: "a baseline entry that counts more findings than there are",
		Why:     "Some findings were fixed, or the lint rule has changed. The surplus would silently accept as many new mistakes in that document.",
		Bad:     `{"rule": "no-calibration", "id": "a_document_with_calibration_v1", "count": 1}`,
		Good:    "rubric-lint --prune",
		Source:  "the baseline (docs/baseline.md): what is fixed stays fixed",
		Ignores: baselineUnused,
	},
}

// baselineUnused reports the baseline entries that count more findings than there are.
func baselineUnused(p *lint.IgnorePass) {
	for _, e := range p.Leftover() {
		message := ""
		switch {
		case e.Rule == nil:
			message = fmt.Sprintf("There is no lint rule %s.%s", e.ID, p.Suggestion(e.ID))
		case e.Rule.Unsuppressable || e.Rule.History != nil:
			message = fmt.Sprintf("A baseline can't hide findings of %s.", e.ID)
		case e.Found == 0:
			message = fmt.Sprintf("%s no longer finds an error or warning in %s.", e.ID, e.About())
		default:
			message = fmt.Sprintf("%s finds %d in %s, fewer than the %d counted here.", e.ID, e.Found, e.About(), e.Counted)
		}
		p.ReportAt(e.At, e.Document, "baseline "+e.ID+" "+e.File, message+" Run `rubric-lint --prune`, because this would hide new mistakes.")
	}
}
