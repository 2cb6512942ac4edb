// Package sanitize makes text of unknown origin safe to print: no terminal escape,
// no workflow command and no hidden character comes through. Joiners, selectors
// and tags do where scripts and emoji need them (package hidden).
package sanitize

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/rubric-library/rubric-library/internal/text/invisible"
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
	unseen := invisible.Find(text)
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

// number shows a character by its number.
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

// isShaping tells whether a character changes nothing but the shape of those
// beside it. Where it does not, package hidden finds it.
func isShaping(r rune) bool {
	switch invisible.Of(r) {
	case invisible.Joiner, invisible.Variation, invisible.Tag:
		return true
	}
	return false
}

// JSON escapes in JSON text what Line would not show, and what it shows only beside
// others: it stays the same JSON, because outside strings JSON has none of these
// characters.
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
		case r < 0x7f || unicode.IsPrint(r) && r != utf8.RuneError && invisible.Of(r) == 0:
			out.WriteRune(r)
		case r > 0xffff:
			out.WriteString(long(r))
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.Bytes()
}
