// Package inert makes text of unknown origin safe to print: no terminal escape,
// no workflow command and no invisible character comes through, but for the
// joiners and selectors that scripts and emoji need.
package inert

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Line makes text safe to print within one line: characters that do not show are
// written as <U+202E>, line ends among them, and the old form of a workflow
// command ("##[") is broken up.
func Line(text string) string {
	var b strings.Builder
	for _, c := range Cells(text) {
		b.WriteString(c.Show)
	}
	return b.String()
}

// Cell is a character as Line shows it.
type Cell struct {
	Show string
	// Width is the number of columns that it takes on a terminal.
	Width int
}

// Cells splits a text into its characters as Line shows them, one a code point.
func Cells(text string) []Cell {
	out := make([]Cell, 0, len(text))
	for i, r := range text {
		out = append(out, show(r, text[:i]))
	}
	return out
}

const asciiLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// invisible are the characters that unicode.IsPrint calls printable and that
// show nothing: fillers, the blank Braille pattern and variation selectors, but
// for those of emoji (U+FE0E, U+FE0F).
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, {Lo: 0x115f, Hi: 0x1160, Stride: 1}, {Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
		{Lo: 0x180b, Hi: 0x180f, Stride: 1}, {Lo: 0x2800, Hi: 0x2800, Stride: 1}, {Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xfe00, Hi: 0xfe0d, Stride: 1}, {Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0xe0100, Hi: 0xe01ef, Stride: 1}},
}

func show(r rune, before string) Cell {
	switch {
	case r == '[' && strings.HasSuffix(strings.TrimRight(before, asciiLetters), "##"):
		return Cell{" [", 2} // ##[command] of GitHub, ##vso[command] of Azure
	case r == ':' && strings.TrimLeft(before, " \t") == ":":
		return Cell{" :", 2} // ::command:: at the beginning of a line
	case r == '\t':
		return Cell{"    ", 4}
	case r == '\u200c' || r == '\u200d':
		// The joiners of real scripts and of emoji change nothing but shapes.
		return Cell{string(r), 0}
	case r == utf8.RuneError || !unicode.IsPrint(r) || unicode.Is(invisible, r):
		s := fmt.Sprintf("<U+%04X>", r)
		return Cell{s, len(s)}
	case unicode.In(r, unicode.Mn, unicode.Me):
		return Cell{string(r), 0}
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return Cell{string(r), 2}
	}
	return Cell{string(r), 1}
}

// JSON escapes in JSON text what Line would not show: it stays the same JSON,
// because outside strings JSON has none of these characters.
func JSON(text []byte) []byte {
	return escape(text, func(r rune) string {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	})
}

// YAML escapes what JSON does in a text of YAML in double quotes, which knows no
// pairs of surrogates.
func YAML(quoted []byte) []byte {
	return escape(quoted, func(r rune) string { return fmt.Sprintf(`\U%08x`, r) })
}

// escape escapes what Line would not show; long is the escape of a character
// beyond U+FFFF.
func escape(text []byte, long func(rune) string) []byte {
	var out bytes.Buffer
	for i, r := range string(text) {
		switch {
		case r == '[' && bytes.HasSuffix(bytes.TrimRight(text[:i], asciiLetters), []byte("##")):
			out.WriteString(`\u005b`)
		case r < 0x7f || unicode.IsPrint(r) && r != utf8.RuneError && !unicode.Is(invisible, r):
			out.WriteRune(r)
		case r > 0xffff:
			out.WriteString(long(r))
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.Bytes()
}
