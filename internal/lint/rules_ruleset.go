package lint

import (
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/schema"
)

var ruleSetRules = []*Rule{
	{
		ID: "rule-phase", Family: FamilyRuleSets, Severity: Error, Firm: true,
		Summary: "a rule whose phase is not the one that its ID begins with",
		Why:     "People read the phase off the ID. If it says something else, a rule counts when nobody expects it.",
		Bad:     "id: a.style.naming\nphase: B",
		Good:    "id: b.style.naming\nphase: B",
		Document: func(p *DocumentPass) {
			eachRule(p, func(at *schema.Path, rule *node) {
				id, phase := text(rule.Get("id")), rule.Get("phase")
				if phase == nil || phase.Value != "A" && phase.Value != "B" {
					return
				}
				begin, _, found := strings.Cut(id, ".")
				if !found || begin != "a" && begin != "b" || strings.ToUpper(begin) == phase.Value {
					return
				}
				p.ReportAt(at.Key("phase", ""), phase, "Write phase %s, or begin the ID with %s: people read the phase off the ID.",
					strings.ToUpper(begin), strings.ToLower(phase.Value))
			})
		},
	},
	{
		ID: "rule-weight", Family: FamilyRuleSets, Severity: Error, Firm: true,
		Summary:  "a weight that contradicts the severity",
		Why:      "Info rules are never scored, and a fail or warn rule without weight would not count in the score.",
		Bad:      "severity: info\nweight: 1",
		Good:     "severity: info",
		Document: ruleWeight,
	},
}

func eachRule(p *DocumentPass, do func(at *schema.Path, rule *node)) {
	if !p.is(&document.RuleSet) {
		return
	}
	for i, rule := range items(p.Root().Get("rules")) {
		do(key("rules").Elem(i, text(rule.Get("id")), "rule"), rule)
	}
}

func ruleWeight(p *DocumentPass) {
	eachRule(p, func(at *schema.Path, rule *node) {
		n := rule.Get("weight")
		if n == nil {
			return
		}
		weight, err := strconv.ParseFloat(n.Value, 64)
		if err != nil || weight < 0 {
			return // the structural checks say it
		}
		switch severity := text(rule.Get("severity")); {
		case severity == "info" && weight > 0:
			p.ReportAt(at.Key("weight", ""), n, "Remove the weight, or write 0: the rule is info, which is recorded and never scored.")
		case (severity == "fail" || severity == "warn") && weight == 0:
			p.ReportAt(at.Key("weight", ""), n, "Write a weight above 0, or make the rule info: with 0 it does not count in the score.")
		}
	})
}
