package rulesets

import (
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

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
	if !inEnglish {
		return false
	}
	if placeholders[strings.Join(words, " ")] {
		return true
	}
	for _, word := range words {
		if !emptyWords[word] {
			return false
		}
	}
	return true
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
