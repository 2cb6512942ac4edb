package yamltree

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// Quote writes a text in quotes, on one line, so that Parse reads the same text
// again. The style is SingleQuoted, where the text can be written so, or else
// DoubleQuoted, which is JSON too. Bytes that are not UTF-8 become U+FFFD.
func Quote(text string, style Style) string {
	if style == SingleQuoted && utf8.ValidString(text) && !strings.ContainsFunc(text, escaped) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	data, _ := jsontext.Encode(text, "", "") // a string can always be written
	return string(Escape(data))
}

// Escape escapes in JSON text the characters that must not stand in a file. It
// stays the same JSON, because outside strings JSON has none of them.
func Escape(text []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(text) {
		if r >= ' ' && escaped(r) {
			fmt.Fprintf(&out, `\u%04x`, r) // none is beyond U+FFFF
		} else {
			out.WriteRune(r)
		}
	}
	return out.Bytes()
}

// escaped tells whether a character can stand in a file only as an escape, or
// would start a line.
func escaped(r rune) bool { return r < ' ' || r > '~' && !allowed(r) }
