package lint

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// mostNeeded is how many texts are looked for before an expression is.
const mostNeeded = 32

// needed are texts, as inSmallLetters writes them, of which each match of an
// expression has one; nil if there are none or too many. To look for them first
// spares most patterns being compiled.
func needed(re *syntax.Regexp, ignoreCase bool) []string {
	switch re.Op {
	case syntax.OpLiteral:
		folds := ignoreCase || re.Flags&syntax.FoldCase != 0
		if folds && slices.ContainsFunc(re.Rune, func(r rune) bool { return r >= utf8.RuneSelf }) {
			return nil // small letters are no measure for their capitals
		}
		return []string{inSmallLetters(string(re.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0], ignoreCase)
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needed(re.Sub[0], ignoreCase)
		}
	case syntax.OpConcat:
		return neededOfAll(re.Sub, ignoreCase)
	case syntax.OpAlternate:
		var texts []string
		for _, sub := range re.Sub {
			more := needed(sub, ignoreCase)
			if texts = append(texts, more...); more == nil || len(texts) > mostNeeded {
				return nil
			}
		}
		return texts
	}
	return nil
}

// neededOfAll are those of one of the parts: the part of which the shortest text
// is the longest, because that is found the least often where there is no match.
func neededOfAll(parts []*syntax.Regexp, ignoreCase bool) []string {
	var best []string
	longest := 0
	for _, part := range parts {
		texts := needed(part, ignoreCase)
		if n := shortest(texts); n > longest {
			best, longest = texts, n
		}
	}
	return best
}

// shortest is the length of the shortest text, 0 if there is none.
func shortest(texts []string) int {
	n := 0
	for i, text := range texts {
		if i == 0 || len(text) < n {
			n = len(text)
		}
	}
	return n
}

// inSmallLetters writes two texts alike that an expression in ASCII takes for the
// same where case is ignored: the long s is an s, too.
func inSmallLetters(text string) string {
	return strings.ReplaceAll(strings.ToLower(text), "ſ", "s")
}

// mayBeIn tells whether the pattern may be found in a text that inSmallLetters
// wrote. Where it says no, it can't.
func (x *pattern) mayBeIn(small string) bool {
	return x.needed == nil || slices.ContainsFunc(x.needed, func(text string) bool { return strings.Contains(small, text) })
}

// searchedSmall are texts in small letters, as mayBeIn takes them, in the form in
// which patterns are searched in them.
func searchedSmall(texts []string) string {
	var all strings.Builder
	for _, text := range texts {
		all.WriteString(inSmallLetters(rubric.Normalize(text)))
		all.WriteByte(0) // of two texts no third one is made
	}
	return all.String()
}
