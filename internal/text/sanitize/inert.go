// Package sanitize finds the characters of a text that programs read and people do not see, and makes
// untrusted text safe to print: without a terminal escape, a workflow command, or a hidden character,
// and in a command line that people copy, as one word.
//
// Hidden are direction controls, zero-width characters, tags, variation selectors, and
// characters without a standard meaning. Emoji, and joiners where a script needs them, are
// allowed. The table of hidden characters is fixed, so that a newer toolchain does not reject an
// accepted text. The tables of scripts that allow a character are those of package unicode, so a
// newer toolchain can allow more.
package sanitize

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Line makes text safe to print on one line: invisible characters, including line ends,
// become <U+202E>, and the old form of a workflow command ("##[") is broken up.
func Line(text string) string {
	var b strings.Builder
	for _, c := range Cells(text) {
		b.WriteString(c.Show)
	}
	return b.String()
}

// Cell is a character as printed by Line.
type Cell struct {
	Show string
	// Width is its number of columns on a terminal.
	Width int
}

// Cells splits a text into characters as printed by Line, one per code point.
func Cells(text string) []Cell {
	out := make([]Cell, 0, len(text))
	unseen := FindHidden(text)
	for i, r := range text {
		if len(unseen) > 0 && unseen[0].Start == i {
			unseen = unseen[1:]
			out = append(out, number(r))
			continue
		}
		out = append(out, show(r, text[:i]))
	}
	return out
}

// number returns the number of a character as text.
func number(r rune) Cell {
	s := fmt.Sprintf("<U+%04X>", r)
	return Cell{s, len(s)}
}

const asciiLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func show(r rune, before string) Cell {
	switch {
	case r == '[' && strings.HasSuffix(strings.TrimRight(before, asciiLetters), "##"):
		return Cell{" [", 2} // ##[command] of GitHub, ##vso[command] of Azure
	case r == ':' && strings.TrimLeft(before, " \t") == ":":
		return Cell{" :", 2} // ::command:: at the beginning of a line
	case r == '\t':
		return Cell{"    ", 4}
	case isShaping(r):
		return Cell{string(r), 0}
	case r == utf8.RuneError || !unicode.IsPrint(r):
		return number(r)
	case unicode.In(r, unicode.Mn, unicode.Me):
		return Cell{string(r), 0}
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return Cell{string(r), 2}
	}
	return Cell{string(r), 1}
}

// isShaping reports whether a character only changes the shape of those next to it.
// Where it does not, FindHidden finds it.
func isShaping(r rune) bool {
	switch HiddenKindOf(r) {
	case Joiner, Variation, Tag:
		return true
	}
	return false
}

// JSON escapes, in JSON text, what Line does not print as is, and shaping characters.
// The JSON value stays the same, because JSON has these characters only in strings.
func JSON(text []byte) []byte {
	return escape(text, func(r rune) string {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	})
}

// YAML escapes what JSON does, in a double-quoted YAML text, which has no surrogate pairs.
func YAML(quoted []byte) []byte {
	return escape(quoted, func(r rune) string { return fmt.Sprintf(`\U%08x`, r) })
}

// escape escapes what Line does not print as is; long is the escape of a character
// above U+FFFF.
func escape(text []byte, long func(rune) string) []byte {
	var out bytes.Buffer
	for i, r := range string(text) {
		switch {
		case r == '[' && bytes.HasSuffix(bytes.TrimRight(text[:i], asciiLetters), []byte("##")):
			out.WriteString(`\u005b`)
		case r < 0x7f || unicode.IsPrint(r) && r != utf8.RuneError && HiddenKindOf(r) == 0:
			out.WriteRune(r)
		case r > 0xffff:
			out.WriteString(long(r))
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.Bytes()
}
