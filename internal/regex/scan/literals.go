// Package scan says of a regular expression, before it is searched for, which texts a
// match needs and how much work a search takes.
package scan

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// The bounds of what is looked up of an expression.
const (
	// ShortestLiteral is how many bytes a text needs to be looked up by its start.
	ShortestLiteral = 3
	// mostLiterals is how many texts stand for one expression.
	mostLiterals = 16
	// widestClass is how many characters a class may have to be spelt out.
	widestClass = 4
)

// Literals are texts of which at least one stands, as Fold writes it, in
// whatever the expression matches, with regard to case or without. To look for them
// first spares most patterns being compiled. They are nil where no such texts are
// known, or one of them would have fewer than shortest bytes.
func Literals(re *syntax.Regexp, shortest int) []string {
	known := reader{folds: true, most: mostLiterals, widest: 2 * widestClass}.required(re) // capitals count, too
	if known.shortest() < shortest {
		return nil
	}
	slices.Sort(known.texts)
	return slices.Compact(known.texts)
}

// Texts are all texts that the expression can match, apart from what its positions
// allow. There is no telling for one that ignores case, repeats without limit, or
// matches more than most texts.
func Texts(re *syntax.Regexp, most int) (texts []string, ok bool) {
	known := reader{most: most, widest: most}.required(re)
	return known.texts, known.exact && len(known.texts) > 0
}

// reader looks up the texts of expressions.
type reader struct {
	folds  bool // the texts are written as Fold does
	most   int  // texts of an expression
	widest int  // characters of a class that is spelt out
}

// requirement is what is known of the matches of an expression: each holds one of
// the texts, or is one if exact. Without texts nothing is known.
type requirement struct {
	texts []string
	exact bool
}

// shortest is the length of the shortest text, 0 if nothing is known.
func (r requirement) shortest() int {
	if len(r.texts) == 0 {
		return 0
	}
	n := len(r.texts[0])
	for _, t := range r.texts {
		n = min(n, len(t))
	}
	return n
}

// better is the requirement that rules out more.
func (r requirement) better(other requirement) requirement {
	if other.shortest() > r.shortest() {
		return requirement{texts: other.texts}
	}
	return requirement{texts: r.texts}
}

// unknown is the requirement of an expression that says nothing.
var unknown = requirement{}

func (r reader) required(re *syntax.Regexp) requirement {
	switch re.Op {
	case syntax.OpLiteral:
		return requirement{[]string{r.written(string(re.Rune))}, r.folds || re.Flags&syntax.FoldCase == 0}
	case syntax.OpCharClass:
		return r.class(re.Rune)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return requirement{[]string{""}, true}
	case syntax.OpCapture:
		return r.required(re.Sub[0])
	case syntax.OpQuest:
		if sub := r.required(re.Sub[0]); sub.exact {
			return requirement{append(slices.Clone(sub.texts), ""), true}
		}
	case syntax.OpPlus:
		return requirement{texts: r.required(re.Sub[0]).texts}
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requirement{texts: r.required(re.Sub[0]).texts}
		}
	case syntax.OpAlternate:
		return r.any(re.Sub)
	case syntax.OpConcat:
		return r.all(re.Sub)
	}
	return unknown
}

func (r reader) written(text string) string {
	if r.folds {
		return Fold(text)
	}
	return text
}

func (r reader) class(ranges []rune) requirement {
	var all requirement
	for i := 0; i+1 < len(ranges); i += 2 {
		first, last := ranges[i], ranges[i+1]
		if int(last-first)+len(all.texts) >= r.widest || !utf8.ValidRune(first) || !utf8.ValidRune(last) {
			return unknown
		}
		for c := first; c <= last; c++ {
			all.texts = append(all.texts, r.written(string(c)))
		}
	}
	all.exact = true
	return all
}

func (r reader) any(subs []*syntax.Regexp) requirement {
	all := requirement{exact: true}
	for _, sub := range subs {
		one := r.required(sub)
		if len(one.texts) == 0 || len(all.texts)+len(one.texts) > r.most {
			return unknown
		}
		all.texts = append(all.texts, one.texts...)
		all.exact = all.exact && one.exact
	}
	return all
}

// all joins neighbours whose texts are exact, and takes the best of what
// is left.
func (r reader) all(subs []*syntax.Regexp) requirement {
	best := unknown
	run := requirement{[]string{""}, true}
	whole := true
	for _, sub := range subs {
		one := r.required(sub)
		if one.exact && len(run.texts)*len(one.texts) <= r.most {
			run.texts = joined(run.texts, one.texts)
			continue
		}
		whole = false
		best = best.better(run).better(one)
		run = requirement{[]string{""}, true}
	}
	if whole {
		return run
	}
	return best.better(run)
}

func joined(left, right []string) []string {
	var all []string
	for _, l := range left {
		for _, r := range right {
			all = append(all, l+r)
		}
	}
	return all
}

// Fold writes each character as the first of those that an expression without
// regard to case takes for it.
func Fold(text string) string {
	b := make([]byte, 0, len(text))
	for _, r := range text {
		b = utf8.AppendRune(b, firstCase(r))
	}
	return string(b)
}

func firstCase(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}
	first := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	return first
}
