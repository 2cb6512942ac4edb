package wording

import (
	"regexp"
	"strings"
)

// Place is a part of a text, from the byte Start up to the byte End.
type Place struct{ Start, End int }

// asking are the words that an English question begins with.
const asking = `(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|how|what|which|who|whose|why|where|when)`

// subjects are the words that follow the verb of a question and never that of a
// statement: "and is it", but not "and is written".
const subjects = `(?:it|they|he|she|the|this|that|these|those|there|its|their|each|every|all|any|both|executing|an?)`

var (
	// secondSentence is a sentence that asks, after one that asks.
	secondSentence = regexp.MustCompile(`(?i)\?[”"')\]]*\s+(` + asking + `\b[^?]*\?)`)
	// secondClause is a clause that asks anew within a sentence that asks.
	secondClause = regexp.MustCompile(`(?is)^\W*` + asking + `\b[^?]*?((?:,|\s)\s*(?:and|or)\s+(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should)\s+` + subjects + `\b)`)
	// secondDemand is a demand beside the first.
	secondDemand = regexp.MustCompile(`(?i)\b(?:while|but|and) (?:also|additionally|furthermore|simultaneously) [a-z-]+ing\b`)
	// secondWhether is the second of two things that are looked at.
	secondWhether = regexp.MustCompile(`(?is)\bwhether\b[^.?!;]*?\b(and whether)\b`)
)

// SecondQuestion finds where an English text, which asks for one thing, begins to
// ask for another. It is false where no second question is seen: several things
// in one list, "clear, short and correct", are not told from one.
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

// secondForms are the forms of a second question. A text has none without one of
// the parts that the form needs, which are quickly looked for.
var secondForms = []struct {
	expr  *regexp.Regexp
	needs []string
}{
	{secondSentence, []string{"? ", "?\n", "?\"", "?'", "?”", "?’", "?)", "?]", "?\t"}},
	{secondClause, []string{" and ", " or ", ",and ", "\nand ", "\nor "}},
	{secondWhether, []string{"whether"}},
	{secondDemand, []string{" also ", " additionally ", " furthermore ", " simultaneously "}},
}

// leading is how many bytes of a text are blanks and commas before its first word.
func leading(text string) int {
	from, _ := nextWord(text, 0)
	return from
}
