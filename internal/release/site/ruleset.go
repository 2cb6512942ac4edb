package site

import (
	"cmp"
	"slices"

	"github.com/rubric-library/rubric-library/internal/release/printer"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

type ruleSetPage struct {
	documentPage
	Rules []ruleset.Rule   // by phase, the most severe first
	Data  *ruleset.RuleSet // the part that the script needs
}

func (b *builder) ruleSetPage(e *entry, i int) error {
	s := e.Versions[i].RuleSet
	base, err := b.documentPage(e, i, scriptName, benchName)
	if err != nil {
		return err
	}
	p := &ruleSetPage{
		documentPage: base, Rules: slices.Clone(s.Rules), Data: &ruleset.RuleSet{ID: s.ID, Scoring: s.Scoring},
	}
	p.Name, p.Description, p.Language, p.Metadata = s.Name, s.Description, s.Language, s.Metadata
	for _, r := range s.Rules {
		p.Data.Rules = append(p.Data.Rules, ruleset.Rule{
			ID: r.ID, Severity: r.Severity, Weight: r.Weight, Phase: r.Phase, Checks: r.Checks,
		})
	}
	severities := []ruleset.Severity{ruleset.SeverityFail, ruleset.SeverityWarn, ruleset.SeverityInfo}
	slices.SortStableFunc(p.Rules, func(x, y ruleset.Rule) int {
		return cmp.Or(cmp.Compare(x.Phase, y.Phase),
			slices.Index(severities, x.Severity)-slices.Index(severities, y.Severity))
	})
	p.Passes = printer.WhenRuleSetPasses(s)
	if p.Latest {
		e.Rules = len(s.Rules)
	}
	return b.putDocument("ruleset.html", p, &p.documentPage)
}
