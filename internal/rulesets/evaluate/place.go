package evaluate

import (
	"strings"
	"unicode/utf8"
)

// Place is the start of a match.
type Place struct {
	// File is the path of the file in an artifact that is a folder, or "".
	File string `json:"file,omitempty"`
	// Line and Column count from 1 in the artifact's normalized text, columns in
	// characters (Unicode code points).
	Line   int `json:"line"`
	Column int `json:"column"`
	// Excerpt is the line in which the match starts. A long line is shortened to
	// about 120 characters around the start of the match, with "…" where it is cut.
	Excerpt string `json:"excerpt"`
}

// An excerpt has at least excerptFrom characters from the start of the match, unless the
// line ends before.
const (
	excerptLength = 120
	excerptFrom   = 80
)

// placeOf returns the place of the byte offset start in a text.
func placeOf(text string, start int) Place {
	lineStart := strings.LastIndexByte(text[:start], '\n') + 1
	line := text[lineStart:]
	if end := strings.IndexByte(text[start:], '\n'); end >= 0 {
		line = text[lineStart : start+end]
	}
	return Place{
		Line:    1 + strings.Count(text[:lineStart], "\n"),
		Column:  1 + utf8.RuneCountInString(text[lineStart:start]),
		Excerpt: excerpt(line, start-lineStart),
	}
}

// excerpt shortens a line around the byte offset at.
func excerpt(line string, at int) string {
	before, from := line[:at], line[at:]
	room := excerptLength - utf8.RuneCountInString(first(from, excerptFrom))
	shownBefore := last(before, room)
	shownFrom := first(from, excerptLength-utf8.RuneCountInString(shownBefore))

	text := shownBefore + shownFrom
	if len(shownBefore) < len(before) {
		text = "…" + text
	}
	if len(shownFrom) < len(from) {
		text += "…"
	}
	return text
}

func first(text string, n int) string {
	end := 0
	for ; n > 0 && end < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[:end]
}

func last(text string, n int) string {
	start := len(text)
	for ; n > 0 && start > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	return text[start:]
}
