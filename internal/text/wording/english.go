package wording

import (
	_ "embed"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// SaysNothing reports whether an English text only grades and describes nothing
// observable: it has words, and all of them are grades, common words, words for what is
// graded, or in name, the name of the criterion.
func SaysNothing(t Text, name string) bool {
	graded := false
	var names Text
	for w := range t.Words() {
		kind := lexicon[w] &^ article
		if kind == 0 {
			if names.Len == 0 {
				names = Read(name)
			}
			if !strings.Contains(names.joined, " "+w+" ") {
				return false
			}
		}
		graded = graded || kind&(grade|degree) != 0
	}
	return graded
}

// OnlyDegree reports whether two English texts differ only in words of degree, such as
// "mostly" and "fully". Texts that are the same, or have only such words, do not count.
func OnlyDegree(a, b Text) bool {
	if Same(a, b) {
		return false
	}
	alike := 0
	for {
		v, w := a.skipDegree(), b.skipDegree()
		if v != w {
			return false
		}
		if v == "" {
			return alike > 1
		}
		alike++
	}
}

// skipDegree removes from a text everything up to the first word that is not an
// article, grade, or degree, and returns that word, "" if there is none. "And" is such
// a word: a text with "or" instead is another text.
func (t *Text) skipDegree() string {
	for w := range t.Words() {
		t.joined = t.joined[1+len(w):]
		t.Len--
		if lexicon[w]&(grade|degree|article) == 0 {
			return w
		}
	}
	return ""
}

// kind is what the lexicon knows about a word: one or more of the following.
type kind uint8

const (
	grade   kind = 1 << iota // how good something is, but not what it is
	degree                   // how much
	article                  // doesn't matter in a comparison of texts
	idle                     // common, or general for what is graded
)

//go:embed words.txt
var words string

// lexicon has the kinds of all words that have no meaning by themselves.
var lexicon = func() map[string]kind {
	kinds := map[string]kind{"grade": grade, "degree": degree, "idle": idle, "article": article}
	all := map[string]kind{}
	for line := range strings.Lines(words) {
		name, list, _ := strings.Cut(line, ":")
		for word := range strings.FieldsSeq(list) {
			all[word] |= kinds[name]
		}
	}
	return all
}()

// Set returns the set of the words separated by | in the lists.
func Set(lists ...string) map[string]bool {
	words := map[string]bool{}
	for _, list := range lists {
		for word := range strings.SplitSeq(list, "|") {
			words[word] = true
		}
	}
	return words
}

// Place is a part of a text, from byte Start up to byte End.
type Place struct{ Start, End int }

// asking are words that an English question begins with.
const asking = `(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|how|what|which|who|whose|why|where|when)`

// subjects are words that follow the verb of a question but never that of a statement:
// "and is it", but not "and is written".
const subjects = `(?:it|they|he|she|the|this|that|these|those|there|its|their|each|every|all|any|both|executing|an?)`

var (
	// secondSentence is a question after a question.
	secondSentence = lazy.Expr(`(?i)\?[”"')\]]*\s+(` + asking + `\b[^?]*\?)`)
	// secondClause is a second question in the same sentence.
	secondClause = lazy.Expr(`(?is)^\W*` + asking + `\b[^?]*?((?:,|\s)\s*(?:and|or)\s+(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should)\s+` + subjects + `\b)`)
	// secondDemand is a second demand.
	secondDemand = lazy.Expr(`(?i)\b(?:while|but|and) (?:also|additionally|furthermore|simultaneously) [a-z-]+ing\b`)
	// secondWhether is the second of two things to check.
	secondWhether = lazy.Expr(`(?is)\bwhether\b[^.?!;]*?\b(and whether)\b`)
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
	return first, found
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
	{secondDemand, []string{" also ", " additionally ", " furthermore ", " simultaneously "}},
}

// leading returns how many bytes of spaces and commas precede the first word of a text.
func leading(text string) int {
	from, _ := nextWord(text, 0)
	return from
}
