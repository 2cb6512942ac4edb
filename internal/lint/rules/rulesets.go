package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
)

var ruleSetRules = map[string]lint.Rule{
	"rule-phase":            {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(rulePhase)},
	"rule-weight":           {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(ruleWeight)},
	"no-scored-rule":        {Severity: lint.Warning, Check: lint.OfDocument(noScoredRule)},
	"duplicate-description": {Severity: lint.Warning, Check: lint.OfDocument(duplicateDescription)},
	"check-never-passes":    {Severity: lint.Error, Check: lint.OfDocument(checkNeverPasses)},
	"check-never-fails":     {Severity: lint.Warning, Check: lint.OfDocument(checkNeverFails)},
	"shell-check":           {Severity: lint.Warning, Check: lint.OfDocument(shellCheck)},
}

func rulePhase(p *lint.DocumentPass) {
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
	seen := map[string][]string{} // the IDs of rules by their description
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		n, id := textOf(p, rule.Get("description")), rule.Get("id").Text()
		said := strings.TrimRight(fold(n.Text()), " .,:;!?…")
		if said == "" {
			return
		}
		before := slices.IndexFunc(seen[said], func(other string) bool { return !underAnotherHeading(id, other) })
		if before >= 0 {
			p.ReportAt(at.Key("description", ""), n,
				"Describe what this rule checks, or remove it: the description is the same as that of %s.",
				schema.Quote(seen[said][before]))
		}
		seen[said] = append(seen[said], id)
	})
}

// underAnotherHeading reports whether two IDs differ in the category alone: "a.create.name" and
// "a.update.name" are the same requirement on two things.
func underAnotherHeading(id, other string) bool {
	a, b := strings.Split(id, "."), strings.Split(other, ".")
	return len(a) == 3 && len(b) == 3 && a[1] != b[1] && a[0] == b[0] && a[2] == b[2]
}

// fold removes the differences that do not matter to a reader: case, and the
// whitespace between words.
func fold(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}
