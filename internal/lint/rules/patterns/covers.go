package patterns

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// mostTexts is how many texts of a pattern are looked at to tell whether another
// one covers it.
const mostTexts = 64

// allTexts are all texts that a pattern can match, apart from what its positions
// allow. There is no telling for a pattern that has a repetition without limit or
// too many texts.
func allTexts(x pattern) ([]string, bool) {
	texts, ok := expand(x.tree)
	return texts, ok && len(texts) > 0 && !slices.Contains(texts, "") // pattern-empty says the latter
}

func expand(re *syntax.Regexp) ([]string, bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}, re.Flags&syntax.FoldCase == 0
	case syntax.OpCharClass:
		return classTexts(re.Rune)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, true
	case syntax.OpCapture:
		return expand(re.Sub[0])
	case syntax.OpQuest:
		texts, ok := expand(re.Sub[0])
		return append(texts, ""), ok
	case syntax.OpAlternate:
		var texts []string
		for _, sub := range re.Sub {
			more, ok := expand(sub)
			if texts = append(texts, more...); !ok || len(texts) > mostTexts {
				return nil, false
			}
		}
		return texts, true
	case syntax.OpConcat:
		return concatenations(re.Sub)
	}
	return nil, false
}

func classTexts(ranges []rune) (texts []string, ok bool) {
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if len(texts) == mostTexts || !utf8.ValidRune(r) {
				return nil, false
			}
			texts = append(texts, string(r))
		}
	}
	return texts, true
}

func concatenations(subs []*syntax.Regexp) ([]string, bool) {
	texts := []string{""}
	for _, sub := range subs {
		ends, ok := expand(sub)
		if !ok || len(texts)*len(ends) > mostTexts {
			return nil, false
		}
		var longer []string
		for _, begin := range texts {
			for _, end := range ends {
				longer = append(longer, begin+end)
			}
		}
		texts = longer
	}
	return texts, true
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
