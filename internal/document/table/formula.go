package table

import (
	"strings"
	"unicode"
)

// Defuse prefixes an apostrophe to a text that a spreadsheet could interpret as a
// formula. Arm is its inverse: Arm(Defuse(text)) == text.
func Defuse(text string) string {
	if isArmed(text) {
		return "'" + text
	}
	return text
}

// Arm removes the apostrophe that Defuse added, unless a spreadsheet removed it.
func Arm(text string) string {
	if strings.HasPrefix(text, "'") && isArmed(text) {
		return text[1:]
	}
	return text
}

// isArmed reports whether a spreadsheet could interpret a text as a formula. It ignores
// leading apostrophes, so that Arm removes only the one that Defuse added.
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

// showsNothing reports whether a spreadsheet may drop a character from the start of a
// cell: white space, control characters, and format characters such as byte order marks.
func showsNothing(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.Z, unicode.Cc, unicode.Cf)
}
