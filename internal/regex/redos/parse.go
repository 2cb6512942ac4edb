package redos

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/regex/token"
)

// parser reads an expression that package syntax accepts. Package syntax reads the single
// characters, classes, and escapes.
type parser struct {
	text   string
	tokens *token.Scanner
	token  token.Token // the next one
	more   bool        // there is a next one
	flags  syntax.Flags
}

// mistake is the cause of a panic of the parser.
type mistake struct{ error }

// read returns the tree of an expression that package syntax accepts, as written.
func read(pattern string, flags syntax.Flags) (t *tree, err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case mistake:
			err = cause
		default:
			panic(cause)
		}
	}()
	p := &parser{text: pattern, tokens: token.NewScanner(pattern), flags: flags}
	p.next()
	t = p.alternation()
	if p.more {
		err = fmt.Errorf("the ) at byte %d has no matching (", p.at())
	}
	return t, err
}

// at returns the offset of the next token in bytes.
func (p *parser) at() int {
	if !p.more {
		return len(p.text)
	}
	return p.token.Start
}

// sees reports whether the next token has a kind.
func (p *parser) sees(k token.Kind) bool { return p.more && p.token.Kind == k }

// next consumes the next token.
func (p *parser) next() token.Token {
	t := p.token
	p.token, p.more = p.tokens.Next()
	return t
}

func (p *parser) alternation() *tree {
	t := &tree{op: opAlternate, at: p.at(), subs: []*tree{p.sequence()}}
	for p.sees(token.Bar) {
		p.next()
		t.subs = append(t.subs, p.sequence())
	}
	t.end = p.at()
	if len(t.subs) == 1 {
		return t.subs[0]
	}
	return t
}

func (p *parser) sequence() *tree {
	t := &tree{op: opSequence, at: p.at()}
	for p.more && !p.sees(token.Bar) && !p.sees(token.Closing) {
		subs := p.atom()
		if n := len(subs); n > 0 {
			subs[n-1] = p.repetition(subs[n-1])
		}
		t.subs = append(t.subs, subs...)
	}
	t.end = p.at()
	return t
}

// repetition wraps a tree in the repetitions that follow it.
func (p *parser) repetition(sub *tree) *tree {
	for p.sees(token.Repeat) {
		t := p.next()
		lazy := t.Lazy != (p.flags&syntax.NonGreedy != 0)
		sub = &tree{op: opRepeat, at: sub.at, end: t.End, subs: []*tree{sub}, min: t.Least, max: t.Most, lazy: lazy}
	}
	return sub
}

// atom reads the parts that a repetition can follow: several for a quotation, none for
// a change of flags.
func (p *parser) atom() []*tree {
	switch t := p.next(); t.Kind {
	case token.Open:
		return []*tree{p.group(t)}
	case token.FlagGroup:
		p.flags = t.Flags(p.flags)
		return nil
	case token.Position:
		return []*tree{{op: opLook, at: t.Start, end: t.End, look: p.look(t.Name)}}
	case token.Quoted:
		return p.quotation(t)
	case token.Literal:
		return []*tree{p.character(t.Start, t.End, t.Char)}
	default:
		return []*tree{p.set(t.Start, t.End)}
	}
}

// look returns the meaning of a position. ^ and $ have different meanings with and without
// multiline.
func (p *parser) look(name byte) syntax.EmptyOp {
	if p.flags&syntax.OneLine == 0 {
		switch name {
		case '^':
			return syntax.EmptyBeginLine
		case '$':
			return syntax.EmptyEndLine
		}
	}
	return map[byte]syntax.EmptyOp{
		'^': syntax.EmptyBeginText, 'A': syntax.EmptyBeginText, '$': syntax.EmptyEndText, 'z': syntax.EmptyEndText,
		'b': syntax.EmptyWordBoundary, 'B': syntax.EmptyNoWordBoundary,
	}[name]
}

// character returns a single character, with both cases if case is ignored.
func (p *parser) character(start, end int, r rune) *tree {
	t := &tree{op: opSet, at: start, end: end, runes: []rune{r, r}}
	if p.flags&syntax.FoldCase != 0 {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			if r > unicode.MaxASCII || f <= unicode.MaxASCII {
				t.runes = append(t.runes, f, f)
			}
		}
	}
	return t
}

// quotation returns the literal characters of \Q…\E.
func (p *parser) quotation(t token.Token) []*tree {
	var subs []*tree
	start := t.Start + len(`\Q`)
	for i, r := range strings.TrimSuffix(p.text[start:t.End], `\E`) {
		subs = append(subs, p.character(start+i, start+i+utf8.RuneLen(r), r))
	}
	return subs
}

// group reads a group whose opening bracket was read.
func (p *parser) group(open token.Token) *tree {
	outside := p.flags
	p.flags = open.Flags(p.flags)
	t := p.alternation()
	if !p.sees(token.Closing) {
		panic(mistake{fmt.Errorf("the ( at byte %d is not closed", open.Start)})
	}
	p.flags = outside
	return &tree{op: opSequence, at: open.Start, end: p.next().End, subs: []*tree{t}}
}

// set parses a class or an escape with package syntax.
func (p *parser) set(start, end int) *tree {
	read := func(flags syntax.Flags) *syntax.Regexp {
		re, err := syntax.Parse(p.text[start:end], flags)
		if err != nil {
			panic(mistake{err})
		}
		return re
	}
	re := read(p.flags)
	if re.Op == syntax.OpLiteral {
		return p.character(start, end, re.Rune[0])
	}
	t := &tree{op: opSet, at: start, end: end, runes: runesOf(re)}
	if p.flags&syntax.FoldCase != 0 {
		t.foldASCII(&tree{runes: runesOf(read(p.flags &^ syntax.FoldCase))})
	}
	return t
}

// foldASCII removes the characters outside ASCII that ignoring case added for ASCII
// letters: the long s and the Kelvin sign.
func (t *tree) foldASCII(cased *tree) {
	for _, r := range []rune{'\u017F', '\u212A'} {
		if !t.has(r) || cased.has(r) {
			continue
		}
		var runes []rune
		for i := 0; i < len(t.runes); i += 2 {
			first, last := t.runes[i], t.runes[i+1]
			if r < first || r > last {
				runes = append(runes, first, last)
				continue
			}
			if first < r {
				runes = append(runes, first, r-1)
			}
			if r < last {
				runes = append(runes, r+1, last)
			}
		}
		t.runes = runes
	}
}

// runesOf returns the characters that an expression for one character matches.
func runesOf(re *syntax.Regexp) []rune {
	switch re.Op {
	case syntax.OpLiteral:
		return []rune{re.Rune[0], re.Rune[0]}
	case syntax.OpCharClass:
		return slices.Clone(re.Rune)
	case syntax.OpAnyCharNotNL:
		return []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
	case syntax.OpAnyChar:
		return []rune{0, unicode.MaxRune}
	case syntax.OpNoMatch:
		return nil
	}
	panic(mistake{fmt.Errorf("%s is not a set of characters", re)})
}
