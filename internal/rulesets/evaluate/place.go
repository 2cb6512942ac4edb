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
	// What is too far away is not decoded: it can be large.
	const most = (excerptLength + 1) * utf8.UTFMax
	before, from := []rune(line[max(0, at-most):at]), []rune(line[at:min(len(line), at+most)])
	shownBefore := before[max(0, len(before)-excerptLength+min(len(from), excerptFrom)):]
	shownFrom := from[:min(len(from), excerptLength-len(shownBefore))]
	text := string(shownBefore) + string(shownFrom)
	if len(shownBefore) < len(before) {
		text = "…" + text
	}
	if len(shownFrom) < len(from) {
		text += "…"
	}
	return text
}
