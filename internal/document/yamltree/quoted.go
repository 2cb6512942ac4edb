package yamltree

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// atQuote reports whether a quoted text is next.
func (r *looseJSONReader) atQuote() bool {
	rest := r.text[r.at:]
	return strings.HasPrefix(rest, `"`) || r.notation == JSON5 && strings.HasPrefix(rest, "'")
}

// readQuoted reads a quoted text.
func (r *looseJSONReader) readQuoted() string {
	start, quote := r.at, r.text[r.at]
	for r.at++; r.at < len(r.text) && r.text[r.at] != quote; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	if r.at >= len(r.text) {
		r.at = start
		r.fail(CodeJSON, "This text has no end: expected "+string(quote)+".")
		return ""
	}
	r.at++
	span := r.text[start:r.at]
	text, ok, half := "", false, -1
	if r.notation == JSON5 {
		text, ok, half = unquote5(span[1 : len(span)-1])
	} else if ok = json.Unmarshal([]byte(span), &text) == nil; ok {
		half = jsontext.HalfPair([]byte(span))
	}
	switch {
	case half >= 0:
		r.at = start
		r.fail(CodeEncoding, halfPair)
	case !ok:
		r.at = start
		r.fail(CodeJSON, "This text has a line break or an escape that is not allowed. Write \\n for a line break, and \\\\ for a backslash.")
	}
	return text
}

// unquote5 returns the text that a text of JSON5 between quotation marks stands for, and half is the
// offset of half of a surrogate pair, or -1.
func unquote5(inner string) (text string, ok bool, half int) {
	var out strings.Builder
	for at := 0; at < len(inner); {
		if plain := strings.IndexAny(inner[at:]+"\\", "\\\n\r"); plain > 0 {
			out.WriteString(inner[at : at+plain])
			at += plain
			continue
		}
		r, length, ok := escape5(inner[at:]) // a line break is not one
		switch {
		case !ok:
			return "", false, -1
		case utf16.IsSurrogate(r):
			second, more, _ := escape5(inner[at+length:])
			if r = utf16.DecodeRune(r, second); r == utf8.RuneError {
				return "", true, at
			}
			length += more
		}
		if r >= 0 {
			out.WriteRune(r)
		}
		at += length
	}
	return out.String(), true, -1
}

// escape5 reads the escape at the beginning of a text: its character, or -1 for a line that
// continues, and its length.
func escape5(text string) (r rune, length int, ok bool) {
	if len(text) < 2 || text[0] != '\\' {
		return 0, 0, false
	}
	digits := map[byte]int{'x': 2, 'u': 4}[text[1]]
	if digits > 0 {
		if len(text) < 2+digits {
			return 0, 0, false
		}
		unit, err := strconv.ParseUint(text[2:2+digits], 16, 32)
		return rune(unit), 2 + digits, err == nil
	}
	c, size := utf8.DecodeRuneInString(text[1:])
	short := strings.IndexRune("bfnrtv", c)
	switch {
	case strings.HasPrefix(text[1:], "\r\n"):
		return -1, 3, true
	case strings.ContainsRune("\n\r\u2028\u2029", c):
		return -1, 1 + size, true
	case short >= 0:
		return rune("\b\f\n\r\t\v"[short]), 2, true
	case c == '0' && (len(text) == 2 || text[2] < '0' || text[2] > '9'):
		return 0, 2, true
	case '0' <= c && c <= '9':
		return 0, 0, false
	}
	return c, 1 + size, true
}
