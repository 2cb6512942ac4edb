package rulesets

import (
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// vagueCheck finds instructions after which two people would not do the same.
// It knows only those that say nothing at all, and is silent on every other.
func vagueCheck(p *lint.DocumentPass) {
	inEnglish := p.InEnglish()
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		n := rule.Get("check")
		said := asRead(n.Text())
		switch {
		case n == nil || strings.TrimSpace(n.Value) == "":
			// The structural checks say it.
		case said == asRead(rule.Get("description").Text()):
			p.ReportAt(at.Key("check", ""), n, "Say where to look and what has to be found there: this repeats the description, and two people would verify it in two ways.")
		case saysNothing(said, inEnglish):
			p.ReportAt(at.Key("check", ""), n, "Say where to look and what has to be found there: these words fit any rule, and two people would verify it in two ways.")
		}
	})
}

// saysNothing tells whether an instruction is a placeholder or has no word that
// belongs to a certain rule. Signs without any word say nothing in any language.
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

// placeholders stand where an instruction is still to be written, or send the
// reader to where there is none. They are without punctuation.
var placeholders = wording.Set(
	"tbd|tbc|todo|fixme|xxx|n a|na|none|nothing|empty|placeholder|pending|to do|to be done|to be defined|to be decided|to be determined|to be written|fill in|fill me in",
	"as above|as below|as described|as in the description|as stated|as written|ditto|same|same as above|same as description|same as the description|same as in the description|idem",
	"see description|see the description|see rule description|see the rule description|refer to the description|per description|as per description|as per the description",
	"self explanatory|obvious|common sense|use common sense|use judgement|use your judgement|use judgment|use your judgment|use your own judgement|use your own judgment|expert judgement|expert judgment",
	"by hand|human review|peer review|manual|manual review|manual check|manual inspection|manual check required|manual review required|manual check needed|manual review needed|review needed|review required|needs review|needs human review|needs manual review",
)

// emptyWords are the words that instructions for quite different rules share.
// A word that names a part of an artifact, a number or a state that can be seen
// is none of them. Of an instruction that has only these, nothing is left.
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
