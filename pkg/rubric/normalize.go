package rubric

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalize returns the form of a text in which patterns are searched and the positions of
// a Hit are counted: Unicode NFC, with LF instead of CRLF and CR. It is idempotent. The
// text must be valid UTF-8.
func Normalize(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	composed := norm.NFC.String(text)
	if strings.Count(composed, graphemeJoiner) == strings.Count(text, graphemeJoiner) {
		return composed
	}
	return compose(decompose(text))
}

// graphemeJoiner is inserted by package norm into sequences of more than 30 combining
// marks (the stream-safe format of UAX #15). NFC has no such limit and other languages
// insert nothing, so such texts are normalized by decompose and compose.
const graphemeJoiner = "\u034F"

// character is a code point with its canonical combining class.
type character struct {
	r     rune
	class uint8 // 0 for a starter
}

// decompose returns the canonical decomposition (NFD) of a text, with unlimited sequences
// of marks: it decomposes each code point, then sorts each sequence of marks by class.
func decompose(text string) []character {
	chars := make([]character, 0, len(text))
	for _, r := range text {
		for _, d := range norm.NFD.String(string(r)) {
			chars = append(chars, character{d, norm.NFD.PropertiesString(string(d)).CCC()})
		}
	}
	for start := 0; start < len(chars); start++ {
		end := start
		for end < len(chars) && chars[end].class != 0 {
			end++
		}
		slices.SortStableFunc(chars[start:end], func(a, b character) int { return int(a.class) - int(b.class) })
		start = end
	}
	return chars
}

// compose returns the canonical composition of decomposed characters (Unicode 3.11, D117):
// a character combines with the preceding starter unless a character that remains between
// them has the same or a higher class.
func compose(chars []character) string {
	out := make([]rune, 0, len(chars))
	starter := -1     // index in out
	var between uint8 // class of the last character after the starter
	for _, c := range chars {
		if starter >= 0 && (starter == len(out)-1 || between < c.class) {
			// Two code points are below the limit of package norm, which returns
			// one code point exactly if there is a composition.
			pair := norm.NFC.String(string([]rune{out[starter], c.r}))
			if joined, size := utf8.DecodeRuneInString(pair); size == len(pair) {
				out[starter] = joined
				continue
			}
		}
		out = append(out, c.r)
		between = c.class
		if c.class == 0 {
			starter = len(out) - 1
		}
	}
	return string(out)
}
