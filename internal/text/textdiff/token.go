package textdiff

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

const (
	single kind = iota
	space
	word
	number
)

// token is a piece of a text.
type token struct {
	text string
	kind kind
}

// split cuts a text into words, numbers, runs of white space, and single other characters.
func split(text string) []token {
	var out []token
	for at := 0; at < len(text); {
		if end := numberEnd(text, at); end > at {
			out = append(out, token{text[at:end], number})
			at = end
			continue
		}
		end := wordEnd(text, at)
		kind := kindOf(text[at:])
		out = append(out, token{text[at:end], kind})
		at = end
	}
	return out
}

// wordEnd is where the word, the white space, or the single character at a place ends, with the
// marks on it.
func wordEnd(text string, at int) int {
	kind, end := kindOf(text[at:]), at
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		isPart := kind != single && kindOf(text[end:]) == kind
		if end > at && !isPart && !unicode.Is(unicode.M, r) {
			break
		}
		end += size
	}
	return end
}

// unspaced are scripts without spaces between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// kindOf is the kind of token that begins a text, if it is not a number.
func kindOf(text string) kind {
	switch r, _ := utf8.DecodeRuneInString(text); {
	case unicode.IsSpace(r):
		return space
	case unicode.In(r, unspaced...):
		return single
	case unicode.In(r, unicode.L, unicode.M, unicode.N) || strings.ContainsRune("_'’", r):
		return word
	}
	return single
}
