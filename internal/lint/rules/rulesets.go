package rules

import (
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
)

var ruleSetRules = map[string]lint.Rule{
	"rule-phase": {Document: func(p *lint.DocumentPass) {
		eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
			id, phase := rule.Get("id").Text(), rule.Get("phase")
			if phase == nil || phase.Value != "A" && phase.Value != "B" {
				return
			}
			begin, _, found := strings.Cut(id, ".")
			if !found || begin != "a" && begin != "b" || strings.ToUpper(begin) == phase.Value {
				return
			}
			p.ReportAt(at.Key("phase", ""), phase, "Write phase %s, or begin the ID with %s: people read the phase from the ID.",
				strings.ToUpper(begin), strings.ToLower(phase.Value))
		})
	}},
	"rule-weight":           {Document: ruleWeight},
	"no-scored-rule":        {Document: noScoredRule},
	"duplicate-description": {Document: duplicateDescription},
	"check-never-passes":    {Document: checkNeverPasses},
	"check-never-fails":     {Document: checkNeverFails},
	"shell-check":           {Document: shellCheck},
}

func eachRule(p *lint.DocumentPass, do func(at *schema.Path, rule *yamltree.Node)) {
	if !p.Is(&document.RuleSet) {
		return
	}
	for i, rule := range p.Root().Get("rules").List() {
		do(lint.Key("rules").Elem(i, rule.Get("id").Text(), "rule"), rule)
	}
}

func ruleWeight(p *lint.DocumentPass) {
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		n := rule.Get("weight")
		if n == nil {
			return
		}
		weight, err := strconv.ParseFloat(n.Value, 64)
		if err != nil || weight < 0 {
			return // reported by the structural checks
		}
		switch severity := rule.Get("severity").Text(); {
		case severity == "info" && weight > 0:
			p.ReportAt(at.Key("weight", ""), n, "Remove the weight or write 0: the rule is info, so it is recorded but never scored.")
		case (severity == "fail" || severity == "warn") && weight == 0:
			p.ReportAt(at.Key("weight", ""), n, "Write a weight above 0, or make the rule info: with 0, it does not count in the score.")
		}
	})
}

func duplicateDescription(p *lint.DocumentPass) {
	seen := map[string]string{}
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		n, id := textOf(p, rule.Get("description")), rule.Get("id").Text()
		said := strings.TrimRight(fold(n.Text()), " .,:;!?…")
		if said == "" {
			return
		}
		if before, found := seen[said]; found {
			p.ReportAt(at.Key("description", ""), n, "Describe what this rule checks, or remove it: the description is the same as that of %s.", schema.Quote(before))
			return
		}
		seen[said] = id
	})
}

// fold removes the differences that do not matter to a reader: case, and the
// whitespace between words.
func fold(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}
