package yamltree

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// What authors type who are used to another notation, and what YAML has instead.

// cause reports what a line has that makes it, or a line after it, fail: a fence of Markdown, or a
// dash or a colon without a space of YAML after it. The line contains the byte at i.
func cause(f *source.File, i int) (source.Problem, bool) {
	span := f.LineSpan(f.Position(i).Line)
	line := f.Text(span)
	text := strings.TrimLeft(line, " ")
	span.Start += len(line) - len(text)
	m := noSpace().FindStringSubmatchIndex(text)
	b := bullet().FindStringSubmatch(text)
	switch {
	case b != nil:
		return mistake(source.Span{Start: span.Start, End: span.Start + len(b[1])},
			"Replace %s with a dash, which begins each item of a list: - %s", shown([]byte(b[1])), excerpt([]byte(b[2]))), true
	case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
		return fence(f, span, text[:3]), true
	case m == nil:
		return source.Problem{}, false
	case m[2] >= 0:
		r, _ := utf8.DecodeRuneInString(text[m[2]:])
		sign := map[byte]string{'-': "dash", ':': "colon"}[text[m[2]-1]]
		return mistake(source.Span{Start: span.Start + m[2], End: span.Start + m[3]},
			"Replace the no-break or other special space after the %s (U+%04X) with a space: YAML allows only these.", sign, r), true
	}
	return mistake(source.Span{Start: span.Start, End: span.Start + 1}, "Put a space after the dash: - %s",
		excerpt([]byte(text[1:]))), true
}

// noSpace matches a dash or a key and a colon, with a special space after it, and a dash at a key
// or at a text in quotes.
var noSpace = lazy.Expr(`^(?:(?:- +)*(?:-|[\w"']+:)([\x{a0}\x{1680}\x{2000}-\x{200a}\x{202f}\x{205f}\x{3000}]+)|-[A-Za-z_][\w-]*:(?: |$)|-['"][^'"]*['"]$)`)

// bullet matches a line with the sign of a list of Markdown or a word processor: a bullet, another
// dash, or a number before a key.
var bullet = lazy.Expr(`^([*+•·‣▪◦●–—−]|[0-9]+[.)])[ \x{a0}]+([A-Za-z_]+:(?: .*)?|["'].*)$`)

// fence reports a line of Markdown around the document, and the other one.
func fence(f *source.File, span source.Span, sign string) source.Problem {
	line := f.Position(span.Start).Line
	for n := line + 1; n <= f.LineCount(); n++ {
		if strings.TrimSpace(f.Text(f.LineSpan(n))) == sign {
			return mistake(span, "Remove this line and line %d, which begin with %s: they are a fence of Markdown around the document.", n, sign)
		}
	}
	return mistake(span, "Remove this line: it is a fence of Markdown, which is not part of the document.")
}

// tightColon matches a key and a value without a space between, but not http://x.
var tightColon = lazy.Expr(`^([^\s:]+):([^/].*)$`)

// otherColon matches a key and its value with another sign between: 1. x, 1) x, 1 - x, key = x, or
// a full-width colon.
var otherColon = lazy.Expr(`^(?:([0-9]+)(?:[.)]|\s+[-–—])\s+|([A-Za-z0-9_]+)\s*(?:=>?|:=|->|：)\s*)([^\s=>].*)$`)

// textFollows matches a line whose text follows in the lines below it.
var textFollows = lazy.Expr(`[:-] +[|>][-+1-9]*\s*(?:#.*)?$`)

// missingColon reports a line without a colon where a key is expected.
func missingColon(f *source.File, span source.Span) source.Problem {
	data := f.Data
	line := source.Span{Start: span.Start, End: min(span.End, restOfLine(data, span.Start).End)}
	text := data[line.Start:line.End]
	if bytes.HasPrefix(text, []byte("//")) {
		return mistake(line, slashes)
	}
	if m := tightColon().FindSubmatch(text); m != nil {
		return mistake(line, "Put a space after the colon: %s: %s", excerpt(m[1]), excerpt(m[2]))
	}
	if m := otherColon().FindSubmatch(text); m != nil {
		key := append(m[1], m[2]...)
		return mistake(line, "Put a colon and a space after the key: %s: %s", excerpt(key), excerpt(m[3]))
	}
	above := f.Position(span.Start).Line - 1
	for above > 1 && strings.TrimSpace(f.Text(f.LineSpan(above))) == "" {
		above--
	}
	switch {
	case above > 0 && textFollows().MatchString(f.Text(f.LineSpan(above))):
		return mistake(line, "Indent this text deeper than the line above it, which says that a text follows: all its lines.")
	case bytes.IndexByte(text, ' ') > 0:
		return mistake(line, "A key is expected here, but %s has no colon after it. Indent the line if it belongs to the text above;"+
			" if it begins with a key, put a colon after the key.", shown(text))
	}
	return mistake(line, "A key is expected here, but %s has no colon after it. Add the colon, or indent the line"+
		" if it belongs to the one above.", shown(text))
}

// commaAfter reports the comma at i after a complete value outside brackets.
func commaAfter(data []byte, i int) source.Problem {
	line := data[bytes.LastIndexByte(data[:i], '\n')+1 : i]
	if rest := restOfLine(data, i); rest.Len() > 1 && data[skipBlanks(data, i+1)] != '#' {
		if bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("- ")) {
			return mistake(rest, "Write each item of the list on a line of its own, after a dash. If all of it is one text, put it in quotes.")
		}
		return mistake(rest, "Put the values before and after this comma in brackets if they are a list: [a, b]. If all of it is one text, put it in quotes.")
	}
	return mistake(oneCharacter(data, i), "Remove the comma: in YAML, a value ends at the end of its line.")
}
