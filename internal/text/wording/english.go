package wording

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// SaysNothing reports whether an English text only grades and describes nothing
// observable: it has words, and all of them are grades, comparisons with another score,
// feelings of a person, common words, words for what is graded, or in name, the name of the
// criterion.
func SaysNothing(t Text, name string) bool {
	var graded kind
	var names Text
	kinds := lexicon().kinds
	people := false
	for w := range t.Words() {
		kind := kinds[w] & (grade | degree | idle | relative | feeling)
		switch isScore := len(w) == 1 && '1' <= w[0] && w[0] <= '5'; {
		case kind != 0 || isScore:
		case kinds[w]&person != 0:
			people = true
		default:
			if names.Len == 0 {
				names = Read(name)
			}
			if !strings.Contains(names.joined, " "+w+" ") {
				return false
			}
		}
		graded |= kind
	}
	return graded&feeling != 0 || !people && graded&(grade|degree|relative) != 0
}

// kind is what the lexicon knows about a word: one or more of the following.
type kind uint32

const (
	grade   kind = 1 << iota // how good something is, but not what it is
	degree                   // how much
	article                  // doesn't matter in a comparison of texts
	idle                     // common, or general for what is graded
	vague                    // a degree or grade in texts that have other words, too
	general                  // general for what an artifact does and has
	demand                   // what a criterion can require an artifact to do
	absent                   // says that something is missing
	number
	relative  // compares with another score
	person    // who reads the work
	feeling   // of a person about the work
	quality   // a property, as a noun
	merit     // what good work is like
	flaw      // what bad work is like
	little    // makes a flaw small
	denial    // says that something is not there
	lacking   // is a denial and a fault: "lacks", but not "no"
	wholeness // says that all of something is there
)

//go:embed words.txt
var words string

// knowledge is what the program knows about English words.
type knowledge struct {
	kinds map[string]kind
	// properties have the place of a word in the lists of properties: its line, and its
	// form as an adjective, adverb, or noun. Words of one line mean much the same.
	properties map[string][2]int
	// levels are the quantifiers, from none (0) to all (1).
	levels map[string]float64
}

var lexicon = sync.OnceValue(func() knowledge {
	kinds := map[string]kind{
		"grade": grade, "degree": degree, "idle": idle, "article": article,
		"vague": vague, "general": general, "demand": demand, "absent": absent, "number": number,
		"relative": relative, "person": person, "feeling": feeling, "quality": quality,
		"merit": merit, "flaw": flaw, "small": little, "denial": denial, "lacking": lacking, "whole": wholeness,
	}
	known := knowledge{map[string]kind{}, map[string][2]int{}, map[string]float64{}}
	line := 0
	for text := range strings.Lines(words) {
		line++
		name, list, _ := strings.Cut(text, ":")
		for form, word := range strings.Fields(list) {
			if kind, ok := kinds[name]; ok {
				known.kinds[word] |= kind
				continue
			}
			if level, err := strconv.ParseFloat(strings.TrimPrefix(name, "level "), 64); err == nil {
				known.levels[word] = level
				continue
			}
			for synonym := range strings.SplitSeq(word, ",") {
				known.properties[synonym] = [2]int{line, form}
			}
		}
	}
	known.turnAround()
	return known
})

// turnAround adds the words for good work with a prefix of denial, such as "unclear": they are flaws.
func (k *knowledge) turnAround() {
	for _, word := range wordsOfKind(k.kinds, merit) {
		for _, prefix := range [...]string{"un", "in", "im", "ir", "non", "dis", "mis"} {
			if k.kinds[prefix+word]&(merit|flaw|denial) == 0 {
				k.kinds[prefix+word] |= flaw
			}
		}
	}
}

// wordsOf returns the words of a kind.
func wordsOf(k kind) []string { return wordsOfKind(lexicon().kinds, k) }

func wordsOfKind(kinds map[string]kind, k kind) (words []string) {
	for word, of := range kinds {
		if of&k != 0 {
			words = append(words, word)
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
	secondSentence = lazy.Expr(`(?i)\?[”"')\]]*\s+(?:(?:in addition|additionally|also|furthermore|moreover|finally),?\s+)?(` + asking + `\b[^?]*\?)`)
	// secondClause is a second question in the same sentence.
	secondClause = lazy.Expr(`(?is)^\W*` + asking + `\b[^?]*?((?:,|\s)\s*(?:and|or)\s+(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should)\s+` + subjects + `\b)`)
	// secondWhether is the second of two things to check.
	secondWhether = lazy.Expr(`(?is)\bwhether\b[^.?!;]*?\b(and whether|as well as (?:how|whether|if)|and (?:the|its|each|every|all) [^.?!;,]{1,40}? (?:is|has))\b`)
	// secondPlural is the same with a verb in the plural, which belongs to both of two subjects if no
	// other verb is before it: "whether the actor and the action are named".
	secondPlural = lazy.Expr(`(?is)\bwhether\b[^.?!;]*?\b(?:is|are|was|were|has|have|does|do|can)\b[^.?!;]*?\b(and (?:the|its|each|every|all) [^.?!;,]{1,40}? (?:are|have))\b`)
	// secondQuality is a property after words that add something, such as "as well as its style".
	secondQuality = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:as\W+well\W+as|along\W+with|and\W+also)\W+(?:how|(?:[\w'’]+\W+){0,2}?(?:` + strings.Join(wordsOf(quality), "|") + `))\b`)
	})
	// butAlso ends "not only".
	butAlso = lazy.Expr(`(?is)\bnot only\b.*?\b(but\W+also)\b`)
	andHow  = lazy.Expr(`(?i)(?:\b(when|where|what|why|who)\W+)?\b(and\W+how)\b(\W+to\b)?`)
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
}

// leading returns how many bytes of spaces and commas precede the first word of a text.
func leading(text string) int {
	from, _ := nextWord(text, 0)
	return from
}

// secondPart finds a second demand after "and" or "while" ("and explains why", "while
// avoiding jargon"), and a second property ("clear and accurate"). Two demands in a row,
// "extracts and lists the dates", count as one.
func secondPart(text string) (Place, bool) {
	known := lexicon()
	link, linkAt := "", 0      // "and" or "while", if only adverbs followed
	previous, end := "", 0     // the word before the link
	var isDemand, isAim bool   // of the previous word: "to extract" is an aim
	property := [2]int{-1, -1} // of the previous word
	for from, to := nextWord(text, 0); from < to; from, to = nextWord(text, to) {
		w := fold(text[from:to])
		next, ok := known.properties[w]
		if ok && next[0] != property[0] && next[1] == property[1] && listed(text[end:from]) {
			return Place{from, to}, true
		}
		demands := known.kinds[w]&demand != 0
		switch {
		case w == "and", w == "while":
			link, linkAt = w, from
			continue
		case link == "while" && demands && strings.HasSuffix(w, "ing"), link == "and" && demands && !isDemand && !isAim:
			return Place{linkAt, to}, true
		case !strings.HasSuffix(w, "ly") && w != "also" && w != "then":
			link = ""
		}
		if property = [2]int{-1, -1}; ok {
			property = next
		}
		isDemand, isAim = demands, previous == "to"
		previous, end = w, to
	}
	return Place{}, false
}

// listed reports whether what is between two words makes them items of a list.
func listed(between string) bool {
	and := strings.Trim(between, " \n\t,")
	return and == "and" || and == "" && strings.Contains(between, ",")
}
