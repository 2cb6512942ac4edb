// Package rulesets has the lint rules about rule sets.
package rulesets

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/internal/text/wording"
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

// vagueCheck finds instructions that two people would follow differently. It reports
// only those that say nothing at all.
func vagueCheck(p *lint.DocumentPass) {
	inEnglish := p.InEnglish()
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		n := rule.Get("check")
		said := asRead(n.Text())
		switch {
		case n == nil || strings.TrimSpace(n.Value) == "":
			// reported by the structural checks
		case said == asRead(rule.Get("description").Text()):
			p.ReportAt(at.Key("check", ""), n, "Say where to look and what must be there: this repeats the description, so two people would verify it in two ways.")
		case saysNothing(said, inEnglish):
			p.ReportAt(at.Key("check", ""), n, "Say where to look and what must be there: these words fit any rule, so two people would verify it in two ways.")
		}
	})
}

// saysNothing reports whether an instruction is a placeholder or has no word that
// belongs to a specific rule. A text without words says nothing in any language.
func saysNothing(said string, inEnglish bool) bool {
	words := strings.FieldsFunc(said, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '\'' && r != '’'
	})
	if len(words) == 0 {
		return true
	}
	return inEnglish && (placeholders[strings.Join(words, " ")] ||
		!slices.ContainsFunc(words, func(word string) bool { return !emptyWords[word] }))
}

// placeholders are used instead of an instruction, or refer the reader to a place that
// has none. They are listed without punctuation.
var placeholders = wording.Set(
	"tbd|tbc|todo|fixme|xxx|n a|na|none|nothing|empty|placeholder|pending|to do|to be done|to be defined|to be decided|to be determined|to be written|fill in|fill me in",
	"as above|as below|as described|as in the description|as stated|as written|ditto|same|same as above|same as description|same as the description|same as in the description|idem",
	"see description|see the description|see rule description|see the rule description|refer to the description|per description|as per description|as per the description",
	"self explanatory|obvious|common sense|use common sense|use judgement|use your judgement|use judgment|use your judgment|use your own judgement|use your own judgment|expert judgement|expert judgment",
	"by hand|human review|peer review|manual|manual review|manual check|manual inspection|manual check required|manual review required|manual check needed|manual review needed|review needed|review required|needs review|needs human review|needs manual review",
)

// emptyWords are words that instructions for very different rules share. Words for a
// part of an artifact, a number, or a visible state are not among them. An instruction
// that has only empty words says nothing.
var emptyWords = wording.Set(
	// what to do
	"assess|assure|check|checking|confirm|consider|decide|determine|do|ensure|evaluate|examine|inspect|inspection|judge|make|review|reviewing|see|sure|test|validate|verification|verify|verifying",
	// whom and how
	"carefully|closely|please|by|eye|hand|human|manual|manually|properly|should|you|your|yourself|we|reviewer|simply|thoroughly|visually|well",
	// of what
	"it|its|it's|that's|this|that|these|those|them|they|all|any|anything|each|everything|artifact|criterion|rule|something|thing|things|here",
	// and how it should be
	"acceptable|adequate|appropriate|correct|correctly|correctness|fine|fulfilled|good|goodness|great|holds|met|nice|ok|okay|proper|quality|reasonable|respected|right|satisfied|satisfactory|sensible|sound|suitable|true|work|works|working|expected",
	// what joins them
	"a|an|and|are|as|at|be|been|for|how|i|if|in|is|of|on|or|so|the|to|was|were|whether|with|enough|really|very",
)
