package rules

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/lint"
)

var ignoreRules = map[string]lint.Rule{
	"ignore-malformed": {Severity: lint.Error, Unsuppressable: true, Check: lint.OfIgnores(ignoreMalformed)},
	"ignore-forbidden": {Severity: lint.Error, Unsuppressable: true, Check: lint.OfIgnores(ignoreForbidden)},
	"ignore-unused":    {Severity: lint.Warning, Unsuppressable: true, Check: lint.OfIgnores(ignoreUnused)},
	"baseline-unused":  {Severity: lint.Warning, Unsuppressable: true, Check: lint.OfIgnores(baselineUnused)},
	"rule-removed":     {Severity: lint.Note, Unsuppressable: true, Check: lint.OfIgnores(ruleRemoved)},
}

func ignoreMalformed(p *lint.IgnorePass) {
	for _, i := range p.Ignores {
		if i.Malformed {
			p.Report(i, `Write the comment as "# rubric-lint: ignore RULE -- reason": the name of the lint rule, two dashes, and why the finding is accepted. In its current form, it suppresses nothing.`)
		}
	}
}

func ignoreForbidden(p *lint.IgnorePass) {
	for _, i := range p.Ignores {
		switch rule := p.Find(i.Rule); {
		case rule != nil && rule.Unsuppressable:
			p.Report(i, "Remove this comment and fix the problem: findings of "+i.Rule+" can't be suppressed.")
		case i.Refused && p.Failing < lint.Error:
			p.Report(i,
				"Remove this comment and fix the problem: this check fails on "+p.Failing.String()+
					"s, so no comment can suppress one.")
		case i.Refused:
			p.Report(i,
				"Remove this comment and fix the problem: "+i.Rule+" finds an error here, and no comment can suppress an error.")
		}
	}
}

func ignoreUnused(p *lint.IgnorePass) {
	for _, i := range p.Ignores {
		switch rule := p.Find(i.Rule); {
		case i.Malformed || i.Used || i.Refused || slices.Contains(lint.Removed, i.Rule) || p.Waits(rule):
		case rule == nil:
			p.Report(i, p.ExplainUnknown(i.Rule)+" Fix the name or remove the comment.")
		case !rule.Unsuppressable:
			p.Report(i, "Remove this comment: "+i.Rule+" finds nothing here, and the comment would hide the next mistake.")
		}
	}
}

// baselineUnused reports the baseline entries that count more findings than there are.
func baselineUnused(p *lint.IgnorePass) {
	for _, e := range p.Leftovers() {
		message := ""
		switch {
		case slices.Contains(lint.Removed, e.RuleID):
			continue // reported by rule-removed
		case e.Rule == nil:
			message = p.ExplainUnknown(e.RuleID)
		case e.Rule.Unsuppressable || lint.Checks[lint.OfHistory](e.Rule):
			message = fmt.Sprintf("A baseline can't hide findings of %s.", e.RuleID)
		case e.Found == 0:
			message = fmt.Sprintf("%s no longer finds an error or warning in %s.", e.RuleID, e.About())
		default:
			message = fmt.Sprintf("%s finds %d in %s, fewer than the %d counted here.", e.RuleID, e.Found, e.About(), e.Counted)
		}
		p.ReportAt(e.At, e.ID, "baseline "+e.RuleID+" "+e.File,
			message+" Run `rubric-lint --prune`, because this would hide new mistakes.")
	}
}

// ruleRemoved reports what names a lint rule that no longer exists. It was right when it
// was written, so it is not a mistake.
func ruleRemoved(p *lint.IgnorePass) {
	const message = "The lint rule %s was removed, so this has no effect. %s."
	if at := p.Replaced; at != nil {
		p.ReportAt(*at, "", "rules", "The target's configuration has conventions, which are no longer read. These rules apply instead in this check; for any other change, they apply once they are merged.")
	}
	for _, s := range p.Removed {
		p.ReportAt(s.At, "", "severity."+s.Rule, fmt.Sprintf(message, s.Rule, "Remove the line"))
	}
	for _, i := range p.Ignores {
		if slices.Contains(lint.Removed, i.Rule) {
			p.Report(i, fmt.Sprintf(message, i.Rule, "Remove the comment"))
		}
	}
	for _, e := range p.Leftovers() {
		if slices.Contains(lint.Removed, e.RuleID) {
			p.ReportAt(e.At, e.ID, "baseline "+e.RuleID+" "+e.File, fmt.Sprintf(message, e.RuleID, "Run `rubric-lint --prune`"))
		}
	}
}
