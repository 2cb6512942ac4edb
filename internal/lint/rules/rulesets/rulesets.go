// Package rulesets has the lint rules about rule sets.
package rulesets

import (
	_ "embed"
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
var Rules = lint.Describe(texts, map[string]lint.Rule{
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
	"unusual-weight":        {Document: unusualWeight},
	"rule-category":         {Document: ruleCategory},
	"duplicate-description": {Document: duplicateDescription},
	"idle-phase":            {Document: idlePhase},
	"vague-check":           {Document: vagueCheck},
	"check-never-passes":    {Document: checkNeverPasses},
	"check-never-fails":     {Document: checkNeverFails},
	"check-idle-count":      {Document: checkIdleCount},
	"shell-check":           {Document: shellCheck},
})

//go:embed rules.txt
var texts string

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

// unusualWeight reports only the first one: an author who chooses other weights usually
// does so throughout, and can explain it once.
func unusualWeight(p *lint.DocumentPass) {
	s := p.RuleSet()
	if s == nil {
		return
	}
	first, count := -1, 0
	for i := range s.Rules {
		r := &s.Rules[i]
		if r.Weight == ruleset.StandardWeight(r.Severity) || r.Severity == ruleset.SeverityInfo || r.Weight == 0 {
			continue // info rules and 0 are reported by rule-weight
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
		"Remove the weight, or add an ignore comment that says why: the default is 2 for a fail rule and 1 for a warn rule, and %d of the %d rules here have another weight.",
		count, len(s.Rules))
}

func ruleCategory(p *lint.DocumentPass) {
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		n := rule.Get("id")
		parts := strings.Split(n.Text(), ".")
		if len(parts) != 3 {
			return
		}
		// With another first letter it is a different word, such as conformance.
		if meant := suggest.Word(parts[1], commonCategories); meant != "" && meant != parts[1] && meant[0] == parts[1][0] {
			p.ReportAt(at.Key("id", ""), n, "Write %s.%s.%s if you mean the category %s: a search does not find a misspelled one.", parts[0], meant, parts[2], schema.Quote(meant))
		}
	})
}

// asRead normalizes a text as a reader would: case, whitespace, and final punctuation
// do not matter.
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
			p.ReportAt(at.Key("description", ""), n, "Describe what this rule checks, or remove it: the description is the same as that of %s.", schema.Quote(before))
			return
		}
		seen[said] = id
	})
}

// idlePhase reports a phase without a rule that decides something. If both phases have
// none, there is only one finding.
func idlePhase(p *lint.DocumentPass) {
	s := p.RuleSet()
	if s == nil {
		return
	}
	deciding := map[ruleset.Phase]bool{}
	for i := range s.Rules {
		r := &s.Rules[i]
		if said, _ := ruleset.PhaseOf(r.ID); said != r.Phase {
			return // reported by rule-phase; the intended phase is unknown
		}
		if r.Severity != ruleset.SeverityInfo {
			deciding[r.Phase] = true
		}
	}
	at, rules := lint.Key("rules"), p.Root().Entries[slices.IndexFunc(p.Root().Entries, func(e yamltree.Entry) bool { return e.Key.Value == "rules" })].Key
	switch a, b := deciding[ruleset.PhaseA], deciding[ruleset.PhaseB]; {
	case !a && !b:
		p.ReportAt(at, rules, "Set the severity of at least one rule to fail or warn: all rules here are info, so nothing is scored and every artifact passes.")
	case !a:
		p.ReportAt(at, rules, "Add a rule of severity fail or warn to phase A: without one, every artifact passes phase A.")
	case !b:
		p.ReportAt(at, rules, "Add a rule of severity fail or warn to phase B: without one, it checks nothing more than phase A.")
	}
}
