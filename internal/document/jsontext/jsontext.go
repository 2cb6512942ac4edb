// Package jsontext writes JSON, and the strings and numbers of canonical JSON (RFC 8785).
package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
)

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

// Encode is encoding/json without a line end and without escaped HTML characters.
// prefix and indent are those of json.Indent; without them the result is one line.
func Encode(value any, prefix, indent string) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	err := e.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// Sorted is Encode on one line with the keys of all objects sorted, so that the order of the
// fields of a type doesn't matter. Numbers keep their digits.
func Sorted(value any) ([]byte, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var plain any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&plain); err != nil {
		return nil, err
	}
	return Encode(plain, "", "")
}

// AppendNumber appends a number as ECMAScript does, which RFC 8785 requires;
// encoding/json formats float64 by the same rules. NaN and the infinities, which have
// no such form, become null.
func AppendNumber(out []byte, f float64) []byte {
	if f == 0 {
		f = 0 // -0 is 0
	}
	data, err := json.Marshal(f)
	if err != nil {
		data = []byte("null")
	}
	return append(out, data...)
}
