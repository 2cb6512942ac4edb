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
	"rule-category":         {Document: ruleCategory},
	"duplicate-description": {Document: duplicateDescription},
	"idle-phase":            {Document: idlePhase},
	"vague-check":           {Document: vagueCheck},
	"check-repeats":         {Document: checkRepeats},
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

// idlePhase reports a phase all of whose rules are info. If both phases have only such
// rules, there is only one finding. Many rule sets have no phase B, so a phase without
// rules is not reported.
func idlePhase(p *lint.DocumentPass) {
	s := p.RuleSet()
	if s == nil {
		return
	}
	decides := map[ruleset.Phase]bool{}
	for i := range s.Rules {
		r := &s.Rules[i]
		if said, _ := ruleset.PhaseOf(r.ID); said != r.Phase {
			return // reported by rule-phase; the intended phase is unknown
		}
		decides[r.Phase] = decides[r.Phase] || r.Severity != ruleset.SeverityInfo
	}
	at, rules := lint.Key("rules"), p.Root().Entries[slices.IndexFunc(p.Root().Entries, func(e yamltree.Entry) bool { return e.Key.Value == "rules" })].Key
	if !decides[ruleset.PhaseA] && !decides[ruleset.PhaseB] {
		p.ReportAt(at, rules, "Set the severity of at least one rule to fail or warn: all rules here are info, so nothing is scored and every artifact passes.")
		return
	}
	for _, phase := range []ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB} {
		if decided, hasRules := decides[phase]; hasRules && !decided {
			p.ReportAt(at, rules, "Set the severity of a rule of phase %s to fail or warn: all its rules are info, so every artifact passes it.", phase)
		}
	}
}

// vagueCheck finds instructions that two people would follow differently. It reports
// only those that say nothing at all.
func vagueCheck(p *lint.DocumentPass) {
	inEnglish := p.InEnglish()
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		n := rule.Get("check")
		if n == nil || strings.TrimSpace(n.Value) == "" {
			return // reported by the structural checks
		}
		if saysNothing(asRead(n.Value), inEnglish) {
			p.ReportAt(at.Key("check", ""), n, "Say where to look and what must be there: these words fit any rule, so two people would verify it in two ways.")
		}
	})
}

// checkRepeats reports only the first check that repeats its description: in a converted
// checklist, most do.
func checkRepeats(p *lint.DocumentPass) {
	var first *yamltree.Node
	var path *schema.Path
	count := 0
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		n := rule.Get("check")
		said := asRead(n.Text())
		if said == "" || said != asRead(rule.Get("description").Text()) {
			return
		}
		if count++; first == nil {
			first, path = n, at.Key("check", "")
		}
	})
	if first != nil {
		p.ReportAt(path, first, "Say where to look and what must be there: this repeats the description (%d of the checks here do), so two people could verify it in two ways.", count)
	}
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
