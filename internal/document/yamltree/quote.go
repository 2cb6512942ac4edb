package yamltree

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// Quote writes a text in quotes, on one line, such that Parse reads the same text.
// The style SingleQuoted is used if it can represent the text, and DoubleQuoted, which
// is also JSON, otherwise. Bytes that are not UTF-8 become U+FFFD.
func Quote(text string, style Style) string {
	if style == SingleQuoted && utf8.ValidString(text) && !strings.ContainsFunc(text, escaped) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	data, _ := jsontext.Encode(text, "", "") // encoding a string never fails
	return string(Escape(data))
}

// Escape escapes the characters of JSON text that are not allowed in a file. The
// result is equivalent, because JSON has none of them outside strings.
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

// escaped reports whether a character is allowed in a file only as an escape, or would
// start a line.
func escaped(r rune) bool { return r < ' ' || r > '~' && !allowed(r) }
