package wording

import (
	"regexp"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// asking are words that an English question begins with.
const asking = `(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|how|what|which|who|whose|why|where|when)`

// subjects are words that follow the verb of a question but never that of a statement:
// "and is it", but not "and is written".
const subjects = `(?:it|they|he|she|the|this|that|these|those|there|its|their|each|every|all|any|both|executing|an?)`

var (
	// secondSentence is a question after a question.
	secondSentence = lazy.Expr(`(?i)\?[”"')\]]*\s+(?:(?:in addition|additionally|also|furthermore|moreover|finally),?\s+)?(` +
		asking + `\b[^?]*\?)`)
	// secondClause is a second question in the same sentence.
	secondClause = lazy.Expr(`(?is)^\W*` + asking +
		`\b[^?]*?((?:,|\s)\s*(?:and|or)\s+(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should)\s+` +
		subjects + `\b)`)
	// secondWhether is the second of two things to check.
	secondWhether = lazy.Expr(`(?is)\bwhether\b[^.?!;]*?\b(and whether|as well as (?:how|whether|if)|and (?:the|its|each|every|all) [^.?!;,]{1,40}? (?:is|has))\b`)
	// secondPlural is the same with a verb in the plural, which belongs to both of two subjects if no
	// other verb is before it: "whether the actor and the action are named".
	secondPlural = lazy.Expr(`(?is)\bwhether\b[^.?!;]*?\b(?:is|are|was|were|has|have|does|do|can)\b[^.?!;]*?\b(and (?:the|its|each|every|all) [^.?!;,]{1,40}? (?:are|have))\b`)
	// secondQuality is a property after words that add something, such as "as well as its style".
	secondQuality = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:as\W+well\W+as|along\W+with|and\W+also)\W+(?:how|(?:[\w'’]+\W+){0,2}?(?:` +
			strings.Join(wordsOf(quality), "|") + `))\b`)
	})
	// butAlso ends "not only".
	butAlso = lazy.Expr(`(?is)\bnot only\b.*?\b(but\W+also)\b`)
	// alsoAsks begins a sentence that adds something.
	alsoAsks = lazy.Expr(`(?i)[.;]\s+((?:(?:it|they|the \w+)\s+)?(?:should\s+|must\s+)?also\b|(?:additionally|furthermore|moreover|in addition),)`)
	andHow   = lazy.Expr(`(?i)(?:\b(when|where|what|why|who)\W+)?\b(and\W+how)\b(\W+to\b)?`)
)

// SecondQuestion finds the place where an English text begins to ask for a second
// thing. It reports false if it finds none: several things in a list, "the author, the date
// and the title", count as one.
func SecondQuestion(text string) (Place, bool) {
	var first Place
	found := false
	lower := strings.ToLower(text)
	for _, form := range secondForms {
		if !holds(lower, form.needs...) {
			continue
		}
		m := form.expr().FindStringSubmatchIndex(text)
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
	for _, find := range []func(string) (Place, bool){secondPart, secondHow} {
		if at, ok := find(text); ok && (!found || at.Start < first.Start) {
			first, found = at, true
		}
	}
	return first, found
}

// secondHow finds "and how" with a statement: "and how convincing it is", but not "and how to" or
// "when and how".
func secondHow(text string) (Place, bool) {
	if strings.Contains(strings.ToLower(text), "and how") {
		for _, m := range andHow().FindAllStringSubmatchIndex(text, -1) {
			if m[2] < 0 && m[6] < 0 {
				return Place{m[4], m[5]}, true
			}
		}
	}
	return Place{}, false
}

// secondForms are the forms of a second question. A text has a form only if it contains
// one of the parts that the form needs, which are fast to check.
var secondForms = []struct {
	expr  func() *regexp.Regexp
	needs []string
}{
	{secondSentence, []string{"? ", "?\n", "?\"", "?'", "?”", "?’", "?)", "?]", "?\t"}},
	{secondClause, []string{" and ", " or ", ",and ", "\nand ", "\nor "}},
	{secondWhether, []string{"whether"}},
	{secondPlural, []string{"whether"}},
	{secondQuality, []string{"well", "along", "also"}},
	{butAlso, []string{"not only"}},
	{alsoAsks, []string{"also", "additional", "further", "moreover", "in addition"}},
}

// leading returns how many bytes of spaces and commas precede the first word of a text.
func leading(text string) int {
	from, _ := nextWord(text, 0)
	return from
}
