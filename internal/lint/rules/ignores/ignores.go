// Package ignores has the lint rules about what suppresses findings: comments and the
// baseline.
package ignores

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/lint"
)

// Rules are about what suppresses findings.
var Rules = []*lint.Rule{
	{
		ID: "ignore-malformed", Family: lint.FamilyIgnores, Severity: lint.Error, Unsuppressable: true,
		Summary: "a comment for rubric-lint that it does not understand",
		Why:     "A comment that silences nothing looks as if it did. An ignore names one lint rule and a reason, so that the next reader knows why the finding was accepted.",
		Source:  "the comments for rubric-lint (its help, rubric-lint --help)",
		Bad:     "name: X # rubric-lint: ignore look-alike-id",
		Good:    "name: X # rubric-lint: ignore look-alike-id -- the old ID is retired next month",
		Ignores: func(p *lint.IgnorePass) {
			for _, i := range p.Ignores {
				if i.Malformed {
					p.Report(i, `Write the comment as "# rubric-lint: ignore RULE -- reason": the name of the lint rule, two dashes, and why the finding is accepted. As it stands it silences nothing.`)
				}
			}
		},
	},
	{
		ID: "ignore-forbidden", Family: lint.FamilyIgnores, Severity: lint.Error, Unsuppressable: true,
		Summary: "an ignore of a lint rule that can't be silenced",
		Why:     "What these lint rules find has to be mended: a comment can't make it right.",
		Source:  "the comments for rubric-lint (its help, rubric-lint --help)",
		Bad:     "version: 1.0 # rubric-lint: ignore wrong-type -- later",
		Good:    `version: "1.0.0"`,
		Ignores: func(p *lint.IgnorePass) {
			for _, i := range p.Ignores {
				if rule := p.Find(i.Rule); rule != nil && rule.Unsuppressable {
					p.Report(i, "Remove this comment and mend what "+i.Rule+" finds: its findings can't be silenced.")
				}
			}
		},
	},
	{
		ID: "ignore-unused", Family: lint.FamilyIgnores, Severity: lint.Warning, Unsuppressable: true,
		Summary: "an ignore that silences nothing",
		Why:     "The finding is gone or the name is wrong. A leftover ignore would silently accept the next mistake on that line.",
		Source:  "the comments for rubric-lint (its help, rubric-lint --help)",
		Bad:     "name: X # rubric-lint: ignore no-such-rule -- reason",
		Good:    "name: X",
		Ignores: func(p *lint.IgnorePass) {
			for _, i := range p.Ignores {
				switch rule := p.Find(i.Rule); {
				case i.Malformed || i.Used:
				case rule == nil:
					p.Report(i, "There is no lint rule "+i.Rule+"."+p.Suggestion(i.Rule)+" Remove the comment or mend the name.")
				case !rule.Unsuppressable:
					p.Report(i, "Remove this comment: "+i.Rule+" finds nothing here, and the comment would hide the next mistake.")
				}
			}
		},
	},
	{
		ID: "baseline-unused", Family: lint.FamilyIgnores, Severity: lint.Warning, Unsuppressable: true,
		Summary: "an entry of the baseline that counts more findings than there are",
		Why:     "Some were mended, or the lint rule is another one by now. What is left over would silently accept as many new mistakes in that document.",
		Bad:     `{"rule": "no-calibration", "id": "a_document_with_calibration_v1", "count": 1}`,
		Good:    "rubric-lint --prune",
		Source:  "the baseline (docs/baseline.md): what is mended stays mended",
		Ignores: baselineUnused,
	},
}

// baselineUnused reports the entries of the baseline that count more than there is.
func baselineUnused(p *lint.IgnorePass) {
	for _, e := range p.Leftover() {
		message := ""
		switch {
		case e.Rule == nil:
			message = fmt.Sprintf("There is no lint rule %s.%s", e.ID, p.Suggestion(e.ID))
		case e.Rule.Unsuppressable || e.Rule.History != nil:
			message = fmt.Sprintf("A baseline can't hide what %s finds.", e.ID)
		case e.Found == 0:
			message = fmt.Sprintf("%s finds no error or warning in %s any more.", e.ID, e.About())
		default:
			message = fmt.Sprintf("%s finds %d in %s, fewer than the %d that stand here.", e.ID, e.Found, e.About(), e.Counted)
		}
		p.ReportAt(e.At, e.Document, "baseline "+e.ID+" "+e.File, message+" Run `rubric-lint --prune`, or this would hide new mistakes.")
	}
}
