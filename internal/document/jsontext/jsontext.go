// Package jsontext writes canonical JSON (RFC 8785) and its strings.
package jsontext

import "strings"

// Append appends a quoted string by RFC 8785, section 3.2.2.2: only quotes,
// backslashes, and control characters are escaped, fewer than encoding/json escapes.
// The text must be UTF-8.
func Append(out []byte, text string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for i := range len(text) {
		switch b := text[i]; {
		case b == '"' || b == '\\':
			out = append(out, '\\', b)
		case b >= 0x20:
			out = append(out, b)
		default:
			if short := strings.IndexByte("\b\t\n\f\r", b); short >= 0 {
				out = append(out, '\\', "btnfr"[short])
			} else {
				out = append(out, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
			}
		}
	}
	return append(out, '"')
}
