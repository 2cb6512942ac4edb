package patterns

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/regex/scan"
)

// mostTexts is how many texts of a pattern are looked at to tell whether another
// one covers it.
const mostTexts = 64

// allTexts are all texts that a pattern can match, apart from what its positions
// allow. There is no telling for a pattern that has a repetition without limit or
// too many texts.
func allTexts(x pattern) ([]string, bool) {
	texts, ok := scan.Texts(x.tree, mostTexts)
	return texts, ok && !slices.Contains(texts, "") // pattern-empty says the latter
}

// contexts are what can stand before and after a match, as far as positions tell
// it apart: nothing, a line end, a character of a word, another one.
var contexts = []string{"", " ", "x", "\n"}

// covers tells whether an expression matches inside of each match of a pattern,
// whatever stands around that. It looks at all texts of the pattern in all
// contexts that the pattern allows there.
func covers(by *regexp.Regexp, x pattern, texts []string) bool {
	for _, before := range contexts {
		for _, after := range contexts {
			for _, text := range texts {
				if !insideAt(by, before, text, after) && x.allows(before, text, after) {
					return false
				}
			}
		}
	}
	return true
}

// searchesToCover is how many characters covers searches at most.
func searchesToCover(texts []string) int {
	n := 0
	for _, text := range texts {
		n += len(text) + 2
	}
	return n * len(contexts) * len(contexts)
}

// insideAt tells whether the first match of an expression lies within the text.
func insideAt(re *regexp.Regexp, before, text, after string) bool {
	at := re.FindStringIndex(before + text + after)
	return at != nil && at[0] >= len(before) && at[1] <= len(before)+len(text)
}

// allows tells whether the positions of a pattern may hold where its text stands
// so. Where that is hard to tell they may.
func (x *pattern) allows(before, text, after string) bool {
	if starts(x.tree, syntax.OpWordBoundary) && isWord(before, false) == isWord(text, true) {
		return false
	}
	return !finishes(x.tree, syntax.OpWordBoundary) || isWord(text, false) != isWord(after, true)
}

// isWord tells whether a text begins, or ends, with a character of a word.
func isWord(text string, begins bool) bool {
	if text == "" {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(text)
	if begins {
		r, _ = utf8.DecodeRuneInString(text)
	}
	return syntax.IsWordChar(r)
}

// starts tells whether every match of an expression begins with that position.
func starts(re *syntax.Regexp, op syntax.Op) bool {
	switch re.Op {
	case op:
		return true
	case syntax.OpCapture, syntax.OpConcat:
		return starts(re.Sub[0], op)
	}
	return false
}

// finishes tells whether every match of an expression ends with that position.
func finishes(re *syntax.Regexp, op syntax.Op) bool {
	switch re.Op {
	case op:
		return true
	case syntax.OpCapture, syntax.OpConcat:
		return finishes(re.Sub[len(re.Sub)-1], op)
	}
	return false
}
