// Package rulesets has the lint rules about rule sets.
package rulesets

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Rules are about rule sets.
var Rules = slices.Concat(ruleSetRules, checkRules)

var ruleSetRules = []*lint.Rule{
	{
		ID: "rule-phase", Family: lint.FamilyRuleSets, Severity: lint.Error, Unsuppressable: true,
		Summary: "a rule whose phase is not the one that its ID begins with",
		Why:     "People read the phase off the ID. If it says something else, a rule counts when nobody expects it.",
		Source:  "the phases of a rule set (docs/rule-sets.md)",
		Bad:     "id: a.style.naming\nphase: B",
		Good:    "id: b.style.naming\nphase: B",
		Document: func(p *lint.DocumentPass) {
			eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
				id, phase := rule.Get("id").Text(), rule.Get("phase")
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
		ID: "rule-weight", Family: lint.FamilyRuleSets, Severity: lint.Error, Unsuppressable: true,
		Summary:  "a weight that contradicts the severity",
		Why:      "Info rules are never scored, and a fail or warn rule without weight would not count in the score.",
		Source:   "the weights of a rule set (docs/rule-sets.md)",
		Bad:      "severity: info\nweight: 1",
		Good:     "severity: info",
		Document: ruleWeight,
	},
	{
		ID: "unusual-weight", Family: lint.FamilyRuleSets, Severity: lint.Warning,
		Summary:  "a weight that is not the standard one of its severity, once a file",
		Why:      "Readers expect a fail rule to weigh 2 and a warn rule 1. Another weight changes the score of everybody, and is easily left over from a copy.",
		Source:   "the weights of a rule set (docs/rule-sets.md)",
		Bad:      "severity: warn\nweight: 5",
		Good:     "severity: warn",
		Document: unusualWeight,
	},
	{
		ID: "rule-category", Family: lint.FamilyRuleSets, Severity: lint.Warning,
		Summary:  "a rule whose category is nearly one of the common ones",
		Why:      "A misspelt category is one of its own for everybody who groups or searches by it. Other categories than the common ones are free: correctness, completeness, style, performance, security.",
		Source:   "the IDs of rules (docs/rule-sets.md)",
		Bad:      "id: a.correctnes.endpoints",
		Good:     "id: a.correctness.endpoints",
		Document: ruleCategory,
	},
	{
		ID: "duplicate-description", Family: lint.FamilyRuleSets, Severity: lint.Warning,
		Summary:  "two rules of one rule set with the same description",
		Why:      "What one rule says would count twice, or a copy was not finished.",
		Source:   "the rules of a rule set (docs/rule-sets.md): each has one verdict",
		Bad:      "- id: a.style.naming\n  description: Names are in lower case.\n- id: a.style.paths\n  description: Names are in lower case.",
		Good:     "- id: a.style.naming\n  description: Names are in lower case.\n- id: a.style.paths\n  description: Paths are plural nouns.",
		Document: duplicateDescription,
	},
	{
		ID: "idle-phase", Family: lint.FamilyRuleSets, Severity: lint.Warning,
		Summary:  "a phase without a fail or warn rule of its own, once a file",
		Why:      "Only rules of severity fail or warn decide. Without one in phase A every artifact passes it, and without one in phase B it asks nothing that phase A has not asked.",
		Source:   "the phases of a rule set (docs/rule-sets.md)",
		Bad:      "- id: a.correctness.endpoints\n  severity: fail\n- id: b.style.naming\n  severity: info",
		Good:     "- id: a.correctness.endpoints\n  severity: fail\n- id: b.style.naming\n  severity: warn",
		Document: idlePhase,
	},
}

// commonCategories are those that the rule schema names as examples.
var commonCategories = []string{"correctness", "completeness", "style", "performance", "security"}

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
			return // the structural checks say it
		}
		switch severity := rule.Get("severity").Text(); {
		case severity == "info" && weight > 0:
			p.ReportAt(at.Key("weight", ""), n, "Remove the weight, or write 0: the rule is info, which is recorded and never scored.")
		case (severity == "fail" || severity == "warn") && weight == 0:
			p.ReportAt(at.Key("weight", ""), n, "Write a weight above 0, or make the rule info: with 0 it does not count in the score.")
		}
	})
}

// unusualWeight reports the first one: whoever weighs rules of their own means it
// for all, and can say so once.
func unusualWeight(p *lint.DocumentPass) {
	s := p.RuleSet()
	if s == nil {
		return
	}
	first, count := -1, 0
	for i := range s.Rules {
		r := &s.Rules[i]
		if r.Weight == ruleset.StandardWeight(r.Severity) || r.Severity == ruleset.SeverityInfo || r.Weight == 0 {
			continue // what is wrong with info rules and with 0, rule-weight says
		}
		if count++; first < 0 {
			first = i
		}
	}
	if first < 0 {
		return
	}
	at := lint.Key("rules").Elem(first, s.Rules[first].ID, "rule").Key("weight", "")
	p.ReportAt(at, p.Root().Get("rules").Items[first].Get("weight"),
		"Remove the weight, or say in an ignore why it is meant: a fail rule weighs 2 and a warn rule 1, and for %d of the %d rules that is not so.",
		count, len(s.Rules))
}

func ruleCategory(p *lint.DocumentPass) {
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		n := rule.Get("id")
		parts := strings.Split(n.Text(), ".")
		if len(parts) != 3 {
			return
		}
		// With another first letter it is a word of its own: conformance.
		if meant := suggest.Word(parts[1], commonCategories); meant != "" && meant != parts[1] && meant[0] == parts[1][0] {
			p.ReportAt(at.Key("id", ""), n, "Write %s.%s.%s if the category %s is meant: a misspelt one is found by nobody who looks for it.", parts[0], meant, parts[2], schema.Quote(meant))
		}
	})
}

// asRead is a text without what a reader passes over: capitals, the layout of
// its blanks, and punctuation at its end.
func asRead(text string) string {
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(text), " ")), " .,:;!?…")
}

func duplicateDescription(p *lint.DocumentPass) {
	seen := map[string]string{}
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		n, id := rule.Get("description"), rule.Get("id").Text()
		said := asRead(n.Text())
		if said == "" {
			return
		}
		if before, found := seen[said]; found {
			p.ReportAt(at.Key("description", ""), n, "Say what this rule checks, or remove it: the description is that of %s.", schema.Quote(before))
			return
		}
		seen[said] = id
	})
}

// idlePhase looks for the rules that decide something in each phase. Where there
// is none at all, one finding says it.
func idlePhase(p *lint.DocumentPass) {
	s := p.RuleSet()
	if s == nil {
		return
	}
	deciding := map[ruleset.Phase]bool{}
	for i := range s.Rules {
		r := &s.Rules[i]
		if said, _ := ruleset.PhaseOf(r.ID); said != r.Phase {
			return // rule-phase says it; which of the two phases is meant is open
		}
		if r.Severity != ruleset.SeverityInfo {
			deciding[r.Phase] = true
		}
	}
	at, rules := lint.Key("rules"), keyOf(p.Root(), "rules")
	switch a, b := deciding[ruleset.PhaseA], deciding[ruleset.PhaseB]; {
	case !a && !b:
		p.ReportAt(at, rules, "Give at least one rule the severity fail or warn: all rules here are info, so nothing is scored and every artifact passes.")
	case !a:
		p.ReportAt(at, rules, "Give phase A a rule of severity fail or warn: without one every artifact passes phase A.")
	case !b:
		p.ReportAt(at, rules, "Give phase B a rule of its own, of severity fail or warn: without one it asks nothing more than phase A.")
	}
}

// keyOf is a key of a mapping itself, for findings about all that stands under it.
func keyOf(n *yamltree.Node, key string) *yamltree.Node {
	for _, e := range n.Entries {
		if e.Key.Value == key {
			return e.Key
		}
	}
	return nil
}
