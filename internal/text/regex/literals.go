package regex

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits for the texts of an expression.
const (
	// ShortestLiteral is how many bytes a text needs for a lookup by its start.
	ShortestLiteral = 3
	// mostLiterals is how many texts an expression can have.
	mostLiterals = 16
	// widestClass is how many characters a class can have to be expanded. A letter in
	// both cases counts as two.
	widestClass = 8
)

// Literals returns texts, in the form of Fold, of which every match contains at least
// one, whether or not case is ignored. Searching for them first avoids compiling most
// patterns. It returns nil if no such texts are known.
func Literals(re *syntax.Regexp) []string {
	known := required(re)
	if known.shortestLength() == 0 {
		return nil
	}
	for i, text := range known.texts {
		known.texts[i] = Fold(text)
	}
	slices.Sort(known.texts)
	return slices.Compact(known.texts)
}

// requirement is what is known about the matches of an expression: each contains one of
// the texts, or is one if exact. Without texts, nothing is known.
type requirement struct {
	texts []string
	exact bool
}

// shortestLength returns the length of the shortest text, 0 if nothing is known.
func (r requirement) shortestLength() int {
	if len(r.texts) == 0 {
		return 0
	}
	return len(slices.MinFunc(r.texts, func(a, b string) int { return len(a) - len(b) }))
}

// betterOf returns the requirement that rules out more.
func (r requirement) betterOf(other requirement) requirement {
	if other.shortestLength() > r.shortestLength() {
		return requirement{texts: other.texts}
	}
	return requirement{texts: r.texts}
}

// unknown is the requirement of an expression about which nothing is known, and nothing that of an
// empty one.
var unknown, nothing = requirement{}, requirement{[]string{""}, true}

func required(re *syntax.Regexp) requirement {
	switch re.Op {
	case syntax.OpLiteral:
		return requirement{[]string{string(re.Rune)}, true}
	case syntax.OpCharClass:
		return class(re.Rune)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return nothing
	case syntax.OpCapture:
		return required(re.Sub[0])
	case syntax.OpQuest:
		if sub := required(re.Sub[0]); sub.exact {
			return requirement{append(slices.Clone(sub.texts), ""), true}
		}
	case syntax.OpPlus:
		return requirement{texts: required(re.Sub[0]).texts}
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requirement{texts: required(re.Sub[0]).texts}
		}
	case syntax.OpAlternate:
		return anyOf(re.Sub)
	case syntax.OpConcat:
		return allOf(re.Sub)
	}
	return unknown
}

func class(ranges []rune) requirement {
	var all requirement
	for i := 0; i+1 < len(ranges); i += 2 {
		first, last := ranges[i], ranges[i+1]
		if int(last-first)+len(all.texts) >= widestClass || !utf8.ValidRune(first) || !utf8.ValidRune(last) {
			return unknown
		}
		for c := first; c <= last; c++ {
			all.texts = append(all.texts, string(c))
		}
	}
	all.exact = true
	return all
}

func anyOf(subs []*syntax.Regexp) requirement {
	all := requirement{exact: true}
	for _, sub := range subs {
		one := required(sub)
		if len(one.texts) == 0 || len(all.texts)+len(one.texts) > mostLiterals {
			return unknown
		}
		all.texts = append(all.texts, one.texts...)
		all.exact = all.exact && one.exact
	}
	return all
}

// allOf joins adjacent exact requirements and returns the best of the rest.
func allOf(subs []*syntax.Regexp) requirement {
	best := unknown
	run := nothing
	whole := true
	for _, sub := range subs {
		one := required(sub)
		if one.exact && len(run.texts)*len(one.texts) <= mostLiterals {
			run.texts = joined(run.texts, one.texts)
			continue
		}
		whole = false
		best = best.betterOf(run).betterOf(one)
		run = nothing
	}
	if whole {
		return run
	}
	return best.betterOf(run)
}

func joined(left, right []string) []string {
	switch {
	case len(left) == 1 && left[0] == "":
		return right
	case len(right) == 1 && right[0] == "":
		return left
	case len(right) == 1:
		for i := range left {
			left[i] += right[0]
		}
		return left
	}
	all := make([]string, 0, len(left)*len(right))
	for _, l := range left {
		for _, r := range right {
			all = append(all, l+r)
		}
	}
	return all
}

// Nullable reports whether an expression can match without consuming any text.
// Whether positions such as ^ and \b count as empty depends on the use: a fail pattern
// that has only positions hits nearly everything, while a check for an empty line may
// be intentional.
func Nullable(re *syntax.Regexp, positions bool) bool {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpStar, syntax.OpQuest:
		return true
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return positions
	case syntax.OpRepeat:
		return re.Min == 0 || Nullable(re.Sub[0], positions)
	case syntax.OpPlus, syntax.OpCapture:
		return Nullable(re.Sub[0], positions)
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return Nullable(sub, positions) })
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !Nullable(sub, positions) })
	}
	return false
}

// Fold replaces each character with the first of those that are equal if case is ignored.
func Fold(text string) string {
	folded := []byte(text)
	for i, b := range folded {
		switch {
		case b >= utf8.RuneSelf:
			return strings.Map(firstCase, text)
		case 'a' <= b && b <= 'z':
			folded[i] -= 'a' - 'A'
		}
	}
	return string(folded)
}

// Folded is a text in the form of Fold in which many literals are looked up.
type Folded struct {
	Text  string
	parts Starts // of each part of the text, which rule out most literals at once
}

// NewFolded folds a text.
func NewFolded(text string) *Folded {
	f := &Folded{Text: Fold(text)}
	for i := ShortestLiteral; i <= len(f.Text); i++ {
		f.parts.Add(f.Text[i-ShortestLiteral:])
	}
	return f
}

// Contains reports whether the text contains a literal.
func (f *Folded) Contains(literal string) bool {
	for i := ShortestLiteral; i <= len(literal); i++ {
		if !f.parts.MayHave(literal[i-ShortestLiteral:]) {
			return false
		}
	}
	return strings.Contains(f.Text, literal)
}

// MayMatch reports whether an expression with these literals, as Literals returns them, may match in
// the text. If it reports false, it can't.
func (f *Folded) MayMatch(literals []string) bool {
	return literals == nil || slices.ContainsFunc(literals, f.Contains)
}

// Starts is a set of the beginnings, of ShortestLiteral bytes, of texts. It can seem to have some
// that are not in it.
type Starts [1 << 13 / 64]uint64

// Add adds the beginning of a text of at least ShortestLiteral bytes.
func (s *Starts) Add(text string) {
	at := place(text)
	s[at/64] |= 1 << (at % 64)
}

// MayHave reports whether the beginning of a text may be in the set.
func (s *Starts) MayHave(text string) bool {
	at := place(text)
	return s[at/64]&(1<<(at%64)) != 0
}

// place returns the bit of Starts for the beginning of a text.
func place(text string) uint32 {
	return (uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16) * 0x9e3779b1 >> 19
}

func firstCase(r rune) rune {
	first := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	return first
}

// Allowance returns how much search an expression of a length gets, in characters
// multiplied by the effort. The patterns of a document are then searched in bounded
// time, and the result for one does not depend on the others.
func Allowance(expr string) int {
	const each, more = 8192, 16 // per byte, and additional bytes
	return each * (len(expr) + more)
}

// Effort returns the maximum time of a search, as a multiple of that for a short
// expression. Go checks all parts at each character, and each round of a counted
// repetition separately.
func Effort(re *syntax.Regexp) int {
	const short = 4
	return 1 + parts(re)/short
}

// parts returns how many parts an expression has with its repetitions expanded. Go refuses
// more than 1000 rounds, including nested repetitions.
func parts(re *syntax.Regexp) int {
	n := max(1, len(re.Sub))
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += parts(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return n
}
