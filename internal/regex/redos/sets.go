package redos

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
)

// set parses a class or an escape with package syntax.
func (p *parser) set(start, end int) ([]*tree, error) {
	re, err := syntax.Parse(p.text[start:end], p.flags)
	if err != nil {
		return nil, err
	}
	if re.Op == syntax.OpLiteral {
		return []*tree{p.character(start, end, re.Rune[0])}, nil
	}
	t := &tree{op: opSet, at: start, end: end}
	if t.runes, err = runesOf(re); err != nil || p.flags&syntax.FoldCase == 0 {
		return []*tree{t}, err
	}
	cased, err := syntax.Parse(p.text[start:end], p.flags&^syntax.FoldCase)
	if err != nil {
		return nil, err
	}
	runes, err := runesOf(cased)
	t.foldASCII(&tree{runes: runes})
	return []*tree{t}, err
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
func runesOf(re *syntax.Regexp) ([]rune, error) {
	switch re.Op {
	case syntax.OpLiteral:
		return []rune{re.Rune[0], re.Rune[0]}, nil
	case syntax.OpCharClass:
		return slices.Clone(re.Rune), nil
	case syntax.OpAnyCharNotNL:
		return []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}, nil
	case syntax.OpAnyChar:
		return []rune{0, unicode.MaxRune}, nil
	case syntax.OpNoMatch:
		return nil, nil
	}
	return nil, fmt.Errorf("%s is not a set of characters", re)
}
