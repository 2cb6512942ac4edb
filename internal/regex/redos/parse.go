package redos

import (
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parser reads an expression that package syntax took. Characters, classes and
// escapes are read by package syntax, one by one.
type parser struct {
	text  string
	at    int
	flags syntax.Flags
}

// read returns the expression, which package syntax takes, as it was written.
func read(pattern string, flags syntax.Flags) (*tree, error) {
	p := &parser{text: pattern, flags: flags}
	t, err := p.alternation()
	if err == nil && p.at < len(p.text) {
		err = fmt.Errorf("a ) at byte %d closes nothing", p.at)
	}
	return t, err
}

func (p *parser) rest() string { return p.text[p.at:] }

func (p *parser) sees(prefix string) bool { return strings.HasPrefix(p.rest(), prefix) }

// take goes on after a prefix, if there is one.
func (p *parser) take(prefix string) bool {
	if !p.sees(prefix) {
		return false
	}
	p.at += len(prefix)
	return true
}

func (p *parser) alternation() (*tree, error) {
	t := &tree{op: opAlternate, at: p.at}
	for {
		sub, err := p.sequence()
		if err != nil {
			return nil, err
		}
		t.subs = append(t.subs, sub)
		if !p.take("|") {
			break
		}
	}
	t.end = p.at
	if len(t.subs) == 1 {
		return t.subs[0], nil
	}
	return t, nil
}

func (p *parser) sequence() (*tree, error) {
	t := &tree{op: opSequence, at: p.at}
	for p.at < len(p.text) && !p.sees("|") && !p.sees(")") {
		subs, err := p.atom()
		if err != nil {
			return nil, err
		}
		if n := len(subs); n > 0 {
			subs[n-1] = p.repetition(subs[n-1])
		}
		t.subs = append(t.subs, subs...)
	}
	t.end = p.at
	return t, nil
}

// repetition puts the repetitions that follow around what stands before them.
func (p *parser) repetition(sub *tree) *tree {
	for {
		least, most, length := repeatSign(p.rest())
		if length == 0 {
			return sub
		}
		p.at += length
		lazy := p.take("?") != (p.flags&syntax.NonGreedy != 0)
		sub = &tree{op: opRepeat, at: sub.at, end: p.at, subs: []*tree{sub}, min: least, max: most, lazy: lazy}
	}
}

// repeatSign reads *, +, ? or {2,3} at the beginning of a text. The length is 0
// if none stands there.
func repeatSign(text string) (least, most, length int) {
	if text == "" {
		return 0, 0, 0
	}
	switch text[0] {
	case '*':
		return 0, unlimited, 1
	case '+':
		return 1, unlimited, 1
	case '?':
		return 0, 1, 1
	case '{':
		return repeatCount(text)
	}
	return 0, 0, 0
}

func repeatCount(text string) (least, most, length int) {
	inner, _, closed := strings.Cut(text[1:], "}")
	first, second, isRange := strings.Cut(inner, ",")
	least, err := strconv.Atoi(first)
	most = least
	if isRange && err == nil {
		if most = unlimited; second != "" {
			most, err = strconv.Atoi(second)
		}
	}
	if !closed || err != nil || strings.ContainsAny(inner, "+-") {
		return 0, 0, 0 // plain characters
	}
	return least, most, len(inner) + 2
}

// atom reads what a repetition can follow. A quotation is several, a change of
// flags none.
func (p *parser) atom() ([]*tree, error) {
	switch start := p.at; p.text[start] {
	case '(':
		return p.group()
	case '^':
		p.at++
		return p.look(start, syntax.EmptyBeginLine, syntax.EmptyBeginText), nil
	case '$':
		p.at++
		return p.look(start, syntax.EmptyEndLine, syntax.EmptyEndText), nil
	case '[', '.':
		return p.set(p.at + classLength(p.rest()))
	case '\\':
		return p.escape()
	default:
		r, size := utf8.DecodeRuneInString(p.rest())
		p.at += size
		return []*tree{p.character(start, r)}, nil
	}
}

// look is a position that means something else in each line and in all the text.
func (p *parser) look(start int, line, text syntax.EmptyOp) []*tree {
	look := text
	if p.flags&syntax.OneLine == 0 {
		look = line
	}
	return []*tree{{op: opLook, at: start, end: p.at, look: look}}
}

// character is a single character, in both its cases where case is ignored.
func (p *parser) character(start int, r rune) *tree {
	t := &tree{op: opSet, at: start, end: p.at, runes: []rune{r, r}}
	if p.flags&syntax.FoldCase != 0 {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			if r > unicode.MaxASCII || f <= unicode.MaxASCII {
				t.runes = append(t.runes, f, f)
			}
		}
	}
	return t
}

// classLength is the length of the class in brackets that a text begins with, or
// 1 where it begins with something else.
func classLength(text string) int {
	if text[0] != '[' {
		return 1
	}
	i := 1
	if strings.HasPrefix(text[i:], "^") {
		i++
	}
	for first := true; i < len(text) && (first || text[i] != ']'); first = false {
		switch {
		case text[i] == '\\':
			i += escapeLength(text[i:])
		case strings.HasPrefix(text[i:], "[:") && strings.Contains(text[i:], ":]"):
			i += strings.Index(text[i:], ":]") + 2
		default:
			i++
		}
	}
	return min(i+1, len(text))
}

// escapeLength is the length of the escape that a text begins with.
func escapeLength(text string) int {
	if len(text) < 2 {
		return len(text)
	}
	switch c := text[1]; {
	case strings.IndexByte("pPx", c) >= 0 && strings.HasPrefix(text[2:], "{"):
		return strings.IndexByte(text, '}') + 1
	case c == 'x':
		return min(4, len(text))
	case c == 'p' || c == 'P':
		_, size := utf8.DecodeRuneInString(text[2:])
		return 2 + size
	case c >= '0' && c <= '7':
		end := 2
		for end < min(4, len(text)) && text[end] >= '0' && text[end] <= '7' {
			end++
		}
		return end
	}
	_, size := utf8.DecodeRuneInString(text[1:])
	return 1 + size
}

// escapedLooks are the positions that are written with a backslash.
var escapedLooks = map[byte]syntax.EmptyOp{
	'A': syntax.EmptyBeginText, 'z': syntax.EmptyEndText,
	'b': syntax.EmptyWordBoundary, 'B': syntax.EmptyNoWordBoundary,
}

func (p *parser) escape() ([]*tree, error) {
	start := p.at
	if look := escapedLooks[p.text[start+1]]; look != 0 {
		p.at += 2
		return []*tree{{op: opLook, at: start, end: p.at, look: look}}, nil
	}
	if p.take(`\Q`) {
		return p.quotation(), nil
	}
	return p.set(start + escapeLength(p.rest()))
}

// quotation reads plain characters up to \E or the end.
func (p *parser) quotation() []*tree {
	quoted, _, _ := strings.Cut(p.rest(), `\E`)
	var subs []*tree
	for _, r := range quoted {
		start := p.at
		p.at += utf8.RuneLen(r)
		subs = append(subs, p.character(start, r))
	}
	p.take(`\E`)
	return subs
}

// group reads a group or a change of flags.
func (p *parser) group() ([]*tree, error) {
	start, outside := p.at, p.flags
	p.at++
	if p.take("?") {
		if p.sees("P<") || p.sees("<") {
			p.at += strings.IndexByte(p.rest(), '>') + 1
		} else if p.setFlags() {
			return nil, nil // they stay
		}
	}
	t, err := p.alternation()
	if err != nil {
		return nil, err
	}
	if !p.take(")") {
		return nil, fmt.Errorf("a ( at byte %d is never closed", start)
	}
	p.flags = outside
	return []*tree{{op: opSequence, at: start, end: p.at, subs: []*tree{t}}}, nil
}

// setFlags reads flags up to : or ), and tells whether it was the latter.
func (p *parser) setFlags() (alone bool) {
	on := true
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch c {
		case ':', ')':
			return c == ')'
		case '-':
			on = false
		case 'i':
			p.setFlag(syntax.FoldCase, on)
		case 's':
			p.setFlag(syntax.DotNL, on)
		case 'U':
			p.setFlag(syntax.NonGreedy, on)
		case 'm':
			p.setFlag(syntax.OneLine, !on)
		}
	}
	return false
}

func (p *parser) setFlag(flag syntax.Flags, on bool) {
	p.flags &^= flag
	if on {
		p.flags |= flag
	}
}
