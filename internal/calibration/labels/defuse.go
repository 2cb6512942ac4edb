package labels

import (
	"strings"
	"unicode"
)

// defuse puts an apostrophe before a text that a spreadsheet could take for a
// formula. arm takes it away again: arm(defuse(text)) is the text.
func defuse(text string) string {
	if isArmed(text) {
		return "'" + text
	}
	return text
}

// arm takes away the apostrophe that defuse put there. A spreadsheet that took it
// away itself leaves nothing to do.
func arm(text string) string {
	if strings.HasPrefix(text, "'") && isArmed(text) {
		return text[1:]
	}
	return text
}

// isArmed tells whether a spreadsheet could take a text for a formula. Apostrophes
// before it count as nothing, so that one more of them can be told from those of
// the text.
func isArmed(text string) bool {
	text = strings.TrimLeft(text, "'")
	if text != "" && strings.IndexByte("\t\r\n", text[0]) >= 0 {
		return true
	}
	text = strings.TrimLeftFunc(text, showsNothing)
	for _, sign := range []string{"=", "+", "-", "@", "＝", "＋", "－", "＠"} {
		if strings.HasPrefix(text, sign) {
			return true
		}
	}
	return false
}

// showsNothing is what a spreadsheet may drop from the beginning of a cell: blanks
// of all kinds, control characters, byte order marks, and bytes of none.
func showsNothing(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.Z, unicode.Cc, unicode.Cf)
}
