package regex

import (
	_ "embed"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed words.txt
var commonWords string

// MayHitInsideWord reports whether an expression is a list of words that InsideWord may find inside of
// another one; literals are those of Literals. It avoids that search, which takes a while.
func MayHitInsideWord(re *syntax.Regexp, literals []string) bool {
	isBounded := bounded(re, false) && bounded(re, true)
	return ofWords(re) && !Nullable(re, true) && !isBounded && foldedWords().MayMatch(literals)
}

// ofWords reports whether an expression is a list of words: letters, spaces, and
// optional parts, without repetitions.
func ofWords(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpAnyCharNotNL, syntax.OpEmptyMatch, syntax.OpWordBoundary:
		return true
	case syntax.OpCharClass:
		return len(re.Rune) <= 8 && re.Rune[len(re.Rune)-1] < utf8.RuneSelf
	case syntax.OpConcat, syntax.OpAlternate, syntax.OpCapture, syntax.OpQuest:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !ofWords(sub) })
	}
	return false
}

var foldedWords = sync.OnceValue(func() *Folded { return NewFolded(commonWords) })

// bounded reports whether every match of an expression begins, or ends, with \b.
func bounded(re *syntax.Regexp, end bool) bool {
	switch re.Op {
	case syntax.OpWordBoundary:
		return true
	case syntax.OpCapture, syntax.OpConcat:
		sub := re.Sub[0]
		if end {
			sub = re.Sub[len(re.Sub)-1]
		}
		return bounded(sub, end)
	}
	return false
}

// InsideWord returns a common English word that an expression hits although it is a different word,
// and what it hits there; both are "" if there is none. Either the match does not begin where the word
// does, or the rest of the word is not an ending.
func InsideWord(re *regexp.Regexp) (word, found string) {
	for _, at := range re.FindAllStringIndex(commonWords, -1) {
		found := commonWords[at[0]:at[1]]
		if strings.Contains(found, "\n") || len(found) < 2 {
			continue
		}
		start := strings.LastIndexByte(commonWords[:at[0]], '\n') + 1
		end := at[1] + strings.IndexByte(commonWords[at[1]:], '\n')
		rest := commonWords[at[1]:end]
		undoubled := strings.TrimPrefix(rest, found[len(found)-1:]) // "ing" of "ning" after "run"
		isForm := slices.Contains(endings, rest) || slices.Contains(endings, undoubled)
		if at[0] > start || !isForm {
			return commonWords[start:end], found
		}
	}
	return "", ""
}

// endings turn a word into another form of it.
var endings = strings.Split("|e|s|es|d|ed|ing|ly|er|ers|or|ors|r|rs|y|ment|ments|ness|able|ably|al|ally|"+
	"ation|ations|ion|ions|n't|'s|est|ful|fully|less|ive|ively|ity|ies|ied|ying|th|ty|ward|wards|ance|ances|"+
	"ence|ant|ants|ent|ary|ism|ist|ists|hood|ship|ous|ously|ize|ized|izes|ise|ised|ises|en|ened|ens|ening", "|")
