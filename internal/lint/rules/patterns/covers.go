package patterns

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/regex/scan"
)

// mostTexts is how many texts of a pattern are tried at most to find out whether
// another pattern covers it.
const mostTexts = 64

// allTexts returns all texts that a pattern can match, ignoring its positions. It
// reports false for a pattern that has an unlimited repetition or too many texts.
func allTexts(x pattern) ([]string, bool) {
	texts, ok := scan.Texts(x.tree, mostTexts)
	return texts, ok && !slices.Contains(texts, "") // the latter is reported by pattern-empty
}

// contexts are what can be before and after a match, as far as positions distinguish
// it: nothing, a line end, a word character, or another character.
var contexts = []string{"", " ", "x", "\n"}

// covers reports whether an expression matches inside each match of a pattern,
// whatever the context. It tries all texts of the pattern in all contexts that the
// pattern allows.
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

// searchesToCover returns how many characters covers searches at most.
func searchesToCover(texts []string) int {
	n := 0
	for _, text := range texts {
		n += len(text) + 2
	}
	return n * len(contexts) * len(contexts)
}

// insideAt reports whether the first match of an expression is within the text.
func insideAt(re *regexp.Regexp, before, text, after string) bool {
	at := re.FindStringIndex(before + text + after)
	return at != nil && at[0] >= len(before) && at[1] <= len(before)+len(text)
}

// allows reports whether the positions of a pattern may hold around its text. If that
// is hard to decide, it reports true.
func (x *pattern) allows(before, text, after string) bool {
	if hasAtEdge(x.tree, false, syntax.OpWordBoundary) && isWord(before, false) == isWord(text, true) {
		return false
	}
	return !hasAtEdge(x.tree, true, syntax.OpWordBoundary) || isWord(text, false) != isWord(after, true)
}

// isWord reports whether a text begins, or ends, with a word character.
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

// hasAtEdge reports whether every match of an expression begins, or ends, with that
// position.
func hasAtEdge(re *syntax.Regexp, end bool, op syntax.Op) bool {
	switch re.Op {
	case op:
		return true
	case syntax.OpCapture, syntax.OpConcat:
		sub := re.Sub[0]
		if end {
			sub = re.Sub[len(re.Sub)-1]
		}
		return hasAtEdge(sub, end, op)
	}
	return false
}
