package rules

import (
	_ "embed"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/regex"
)

//go:embed words.txt
var commonWords string

func patternInsideWord(p *lint.DocumentPass) {
	if p.Doc == nil || !p.Doc.Written() || !p.InEnglish() {
		return
	}
	for x := range validPatterns(p) {
		if !ofWords(x.tree) || nullable(x.tree, true) || !x.mayBeInWords() || x.compiled() == nil {
			continue
		}
		if word, found := insideWord(x.compiled()); word != "" {
			p.ReportAt(x.path, x.node, `Put \b at the beginning or the end of the pattern: it also hits %s in the word %s.`, schema.Quote(found), schema.Quote(word))
		}
	}
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

// mayBeInWords reports whether one of the pattern's literals is in the common words. It
// avoids the full search, which takes a while.
func (x *pattern) mayBeInWords() bool {
	return !(bounded(x.tree, false) && bounded(x.tree, true)) && x.mayBeIn(foldedWords())
}

var foldedWords = sync.OnceValue(func() *regex.Folded { return regex.NewFolded(commonWords) })

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

// insideWord returns a common word that an expression hits although it is a different
// word, and what it hits there. Either the match does not begin where the word does, or
// the rest of the word is not an ending.
func insideWord(re *regexp.Regexp) (word, found string) {
	for _, at := range re.FindAllStringIndex(commonWords, -1) {
		found := commonWords[at[0]:at[1]]
		if strings.Contains(found, "\n") || len(found) < 2 {
			continue
		}
		start := strings.LastIndexByte(commonWords[:at[0]], '\n') + 1
		end := at[1] + strings.IndexByte(commonWords[at[1]:], '\n')
		if at[0] > start || !slices.Contains(endings, commonWords[at[1]:end]) && !slices.Contains(endings, strings.TrimPrefix(commonWords[at[1]:end], found[len(found)-1:])) {
			return commonWords[start:end], found
		}
	}
	return "", ""
}

// endings turn a word into another form of it.
var endings = strings.Split("|e|s|es|d|ed|ing|ly|er|ers|or|ors|r|rs|y|ment|ments|ness|able|ably|al|ally|ation|ations|ion|ions|n't|'s|est|ful|fully|less|ive|ively|ity|ies|ied|ying|th|ty|ward|wards|ance|ances|ence|ant|ants|ent|ary|ism|ist|ists|hood|ship|ous|ously|ity|ist|ize|ized|izes|ise|ised|ises|en|ened|ens|ening", "|")
