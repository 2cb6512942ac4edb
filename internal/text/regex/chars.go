package regex

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// kind is the kind of a character before or after a position, as far as \b, ^, and $
// distinguish it.
type kind uint8

const (
	edge    kind = iota // the beginning or the end of the text
	newline             // \n
	word                // 0-9, A-Z, a-z, and _
	other
	kinds
)

// runesOf are the characters of each kind, as pairs of first and last.
var runesOf = [kinds][]rune{
	newline: {'\n', '\n'},
	word:    {'0', '9', 'A', 'Z', '_', '_', 'a', 'z'},
	other: {
		0, '\n' - 1, '\n' + 1, '0' - 1, '9' + 1, 'A' - 1, 'Z' + 1, '_' - 1, '_' + 1, 'a' - 1,
		'z' + 1, unicode.MaxRune,
	},
}

// condition says where positions hold. It has a digit for each kind of character before
// the position, the last one for edge, and in each a bit for each kind after it.
type condition uint16

const unconditional condition = 0xffff

// conditionOf returns the condition of a position, by its name.
func conditionOf(name byte, flags syntax.Flags) condition {
	if lines := flags&syntax.OneLine == 0; lines && name == '^' {
		return 0x00ff
	} else if lines && name == '$' {
		return 0x3333
	}
	return map[byte]condition{'^': 0x000f, 'A': 0x000f, '$': 0x1111, 'z': 0x1111, 'b': 0x4b44, 'B': 0xb4bb}[name]
}

func (c condition) holds(before, after kind) bool { return c>>(kinds*before+after)&1 != 0 }

// isCertain reports whether the condition holds after a kind, whatever follows.
func (c condition) isCertain(before kind) bool { return c>>(kinds*before)&0xf == 0xf }

// runes returns the characters that a token matches.
func (b *builder) runes(t token) []rune {
	char, folds := t.Char, b.flags&syntax.FoldCase != 0
	if t.Kind != literalToken {
		re, err := syntax.Parse(b.text[t.Start:t.End], b.flags)
		if err != nil {
			panic(errTooComplex)
		}
		b.spend(len(re.Rune))
		switch re.Op {
		case syntax.OpLiteral: // also [aA]
			char, folds = re.Rune[0], re.Flags&syntax.FoldCase != 0
		case syntax.OpAnyCharNotNL:
			return []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
		case syntax.OpAnyChar:
			return []rune{0, unicode.MaxRune}
		default:
			return re.Rune
		}
	}
	runes := []rune{char, char}
	for f := unicode.SimpleFold(char); folds && f != char; f = unicode.SimpleFold(f) {
		runes = append(runes, f, f)
	}
	slices.Sort(runes)
	return runes
}

func (b *builder) number(runes []rune) int {
	n, ok := b.numbers[string(runes)]
	if !ok {
		n = len(b.sets)
		b.numbers[string(runes)] = n
		b.sets = append(b.sets, runes)
	}
	return n
}

// both returns the characters of two sorted sets.
func both(a, b []rune) []rune {
	var runes []rune
	for len(a) > 0 && len(b) > 0 {
		if first, last := max(a[0], b[0]), min(a[1], b[1]); first <= last {
			runes = append(runes, first, last)
		}
		if a[1] < b[1] {
			a = a[2:]
		} else {
			b = b[2:]
		}
	}
	return runes
}

// show returns a character of a set, one that is easy to read if possible; -1 if the set
// is empty.
func show(runes []rune) rune {
	for _, good := range [][]rune{{'a', 'z'}, {' ', '~'}, {0, unicode.MaxRune}} {
		if r := both(runes, good); len(r) > 0 {
			return r[0]
		}
	}
	return -1
}
