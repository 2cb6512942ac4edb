package redos

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
)

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
