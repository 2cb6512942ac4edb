package jsontext

import (
	"bytes"
	"strconv"
	"unicode/utf16"
)

// HalfPair returns the offset of the first escape in valid JSON that is half of a surrogate pair,
// such as \ud800, or -1. No text of Unicode has one, and encoding/json would replace it by another
// character. Readers of JSON from outside refuse it.
func HalfPair(data []byte) int {
	for at := 0; ; {
		next := bytes.IndexByte(data[at:], '\\')
		if next < 0 {
			return -1
		}
		at += next
		switch first := escaped(data[at:]); {
		case !utf16.IsSurrogate(first):
			at += len(`\x`)
		case utf16.DecodeRune(first, escaped(data[min(at+len(`\u0000`), len(data)):])) == '\uFFFD':
			return at
		default:
			at += 2 * len(`\u0000`)
		}
	}
}

// escaped is the code unit of the escape at the beginning of data, or 0.
func escaped(data []byte) rune {
	if len(data) < len(`\u0000`) || data[0] != '\\' || data[1] != 'u' {
		return 0
	}
	unit, _ := strconv.ParseUint(string(data[2:6]), 16, 16) // valid JSON has no other digits
	return rune(unit)
}
