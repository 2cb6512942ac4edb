// Package jsontext writes canonical JSON (RFC 8785) and its strings.
package jsontext

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
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

// Canonical returns a value from encoding/json in the form of RFC 8785: sorted keys,
// no spaces, and no unnecessary escapes. Whole numbers are written exactly, even
// beyond 2^53. The error is that of encoding/json.
func Canonical(value any) ([]byte, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var plain any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&plain); err != nil {
		return nil, err
	}
	return appendValue(nil, plain), nil
}

func appendValue(out []byte, value any) []byte {
	switch v := value.(type) {
	case map[string]any:
		return appendObject(out, v)
	case []any:
		out = append(out, '[')
		for i, elem := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendValue(out, elem)
		}
		return append(out, ']')
	case string:
		return Append(out, v)
	case json.Number:
		// encoding/json formats float64 as ECMAScript does, except for this value.
		if v == "-0" {
			v = "0"
		}
		return append(out, v...)
	case bool:
		if v {
			return append(out, "true"...)
		}
		return append(out, "false"...)
	}
	return append(out, "null"...)
}

func appendObject(out []byte, object map[string]any) []byte {
	keys := slices.SortedFunc(maps.Keys(object), func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
	out = append(out, '{')
	for i, key := range keys {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(Append(out, key), ':')
		out = appendValue(out, object[key])
	}
	return append(out, '}')
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
