package regex

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode"
)

// ECMAScript translates an expression of package regexp to one of ECMAScript that, with the flags g
// and u, has the same matches in every text: the same leftmost ones, of which the first alternative
// is preferred. It reports false for what has no such form: a repetition of something that can
// match nothing, where the languages stop at other places.
func ECMAScript(expression string) (translated string, ok bool) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	ok = writeECMAScript(&b, tree)
	return b.String(), ok
}

// anchors are the expressions without a width. With the flag u and without i, \b is that of ASCII.
var anchors = map[syntax.Op]string{
	syntax.OpNoMatch:        `[]`,
	syntax.OpEmptyMatch:     `(?:)`,
	syntax.OpBeginLine:      `(?<![^\n])`,
	syntax.OpEndLine:        `(?![^\n])`,
	syntax.OpBeginText:      `^`,
	syntax.OpEndText:        `$`,
	syntax.OpWordBoundary:   `\b`,
	syntax.OpNoWordBoundary: `\B`,
	syntax.OpAnyChar:        `[^]`,
	syntax.OpAnyCharNotNL:   `[^\n]`,
}

// writeECMAScript writes a part of an expression as one atom or a sequence of atoms.
func writeECMAScript(b *strings.Builder, e *syntax.Regexp) bool {
	if text, found := anchors[e.Op]; found {
		b.WriteString(text)
		return true
	}
	switch e.Op {
	case syntax.OpLiteral:
		for _, r := range e.Rune {
			writeCharacter(b, r, e.Flags&syntax.FoldCase != 0)
		}
		return true
	case syntax.OpCharClass:
		b.WriteByte('[')
		for i := 0; i < len(e.Rune); i += 2 {
			fmt.Fprintf(b, `\u{%x}-\u{%x}`, e.Rune[i], e.Rune[i+1])
		}
		b.WriteByte(']')
		return true
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		return writeRepetition(b, e)
	}
	return writeGroup(b, e) // OpCapture, OpConcat, or OpAlternate
}

// writeCharacter writes a character, or all forms of it that match if case is ignored.
func writeCharacter(b *strings.Builder, r rune, fold bool) {
	forms := fmt.Sprintf(`\u{%x}`, r)
	for other := unicode.SimpleFold(r); fold && other != r; other = unicode.SimpleFold(other) {
		forms += fmt.Sprintf(`\u{%x}`, other)
	}
	b.WriteString("[" + forms + "]")
}

func writeGroup(b *strings.Builder, e *syntax.Regexp) bool {
	b.WriteString("(?:")
	for i, part := range e.Sub {
		if i > 0 && e.Op == syntax.OpAlternate {
			b.WriteByte('|')
		}
		if !writeECMAScript(b, part) {
			return false
		}
	}
	b.WriteByte(')')
	return true
}

func writeRepetition(b *strings.Builder, e *syntax.Regexp) bool {
	if canBeEmpty(e.Sub[0]) {
		return false
	}
	b.WriteString("(?:")
	if !writeECMAScript(b, e.Sub[0]) {
		return false
	}
	b.WriteByte(')')
	switch {
	case e.Op == syntax.OpStar:
		b.WriteByte('*')
	case e.Op == syntax.OpPlus:
		b.WriteByte('+')
	case e.Op == syntax.OpQuest:
		b.WriteByte('?')
	case e.Max < 0:
		fmt.Fprintf(b, "{%d,}", e.Min)
	default:
		fmt.Fprintf(b, "{%d,%d}", e.Min, e.Max)
	}
	if e.Flags&syntax.NonGreedy != 0 {
		b.WriteByte('?')
	}
	return true
}

// canBeEmpty reports whether an expression may match an empty text. It can err on the side of
// true.
func canBeEmpty(e *syntax.Regexp) bool {
	switch e.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpNoMatch:
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return canBeEmpty(e.Sub[0])
	case syntax.OpRepeat:
		return e.Min == 0 || canBeEmpty(e.Sub[0])
	case syntax.OpConcat:
		for _, part := range e.Sub {
			if !canBeEmpty(part) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		for _, part := range e.Sub {
			if canBeEmpty(part) {
				return true
			}
		}
		return false
	}
	return true
}
