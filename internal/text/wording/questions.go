package wording

import (
	"regexp"
	"strings"
)

// Place is a part of a text, from byte Start up to byte End.
type Place struct{ Start, End int }

// asking are words that an English question begins with.
const asking = `(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|how|what|which|who|whose|why|where|when)`

// subjects are words that follow the verb of a question but never that of a statement:
// "and is it", but not "and is written".
const subjects = `(?:it|they|he|she|the|this|that|these|those|there|its|their|each|every|all|any|both|executing|an?)`

var (
	// secondSentence is a question after a question.
	secondSentence = regexp.MustCompile(`(?i)\?[”"')\]]*\s+(` + asking + `\b[^?]*\?)`)
	// secondClause is a second question in the same sentence.
	secondClause = regexp.MustCompile(`(?is)^\W*` + asking + `\b[^?]*?((?:,|\s)\s*(?:and|or)\s+(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should)\s+` + subjects + `\b)`)
	// secondDemand is a second demand.
	secondDemand = regexp.MustCompile(`(?i)\b(?:while|but|and) (?:also|additionally|furthermore|simultaneously) [a-z-]+ing\b`)
	// secondWhether is the second of two things to check.
	secondWhether = regexp.MustCompile(`(?is)\bwhether\b[^.?!;]*?\b(and whether)\b`)
)

// SecondQuestion finds the place where an English text begins to ask for a second
// thing. It reports false if it finds none: several things in a list, "clear, short and
// correct", count as one.
func SecondQuestion(text string) (Place, bool) {
	var first Place
	found := false
	lower := strings.ToLower(text)
	for _, form := range secondForms {
		if !holds(lower, form.needs...) {
			continue
		}
		m := form.expr.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		at := Place{m[0], m[1]}
		if len(m) > 2 {
			at = Place{m[2], m[3]}
		}
		at.Start += leading(text[at.Start:at.End])
		if !found || at.Start < first.Start {
			first, found = at, true
		}
	}
	return first, found
}

// secondForms are the forms of a second question. A text has a form only if it contains
// one of the parts that the form needs, which are fast to check.
var secondForms = []struct {
	expr  *regexp.Regexp
	needs []string
}{
	{secondSentence, []string{"? ", "?\n", "?\"", "?'", "?”", "?’", "?)", "?]", "?\t"}},
	{secondClause, []string{" and ", " or ", ",and ", "\nand ", "\nor "}},
	{secondWhether, []string{"whether"}},
	{secondDemand, []string{" also ", " additionally ", " furthermore ", " simultaneously "}},
}

// leading returns how many bytes of spaces and commas precede the first word of a text.
func leading(text string) int {
	from, _ := nextWord(text, 0)
	return from
}
