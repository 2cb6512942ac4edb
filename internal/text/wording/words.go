// Package wording measures the texts of a document as a reader meets them: in
// words. It tells what is left of a text when its grades are taken away, whether
// two texts say the same, where a scale other than 1 to 5 is named, and where a
// second question begins.
//
// Words, Same and Scale know no language. Everything else knows English only: what
// it says of a text in another language is worthless, and a caller does not ask.
// Nothing here understands a text, so what is found is a place to look at and not
// a mistake.
package wording

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is a text in words, in small letters and with straight apostrophes.
type Text struct {
	// joined has a blank before and after each word. No word holds one.
	joined string
	// Len is how many words there are.
	Len int
}

// Read reads a text as its words: runs of letters, marks and digits, with the
// apostrophes within them. In scripts that put no blanks between words, each
// character is one. Punctuation is no word.
func Read(text string) Text {
	var room [1024]byte // for most texts
	joined := append(room[:0], ' ')
	n := 0
	for from, to := nextWord(text, 0); from < to; from, to = nextWord(text, to) {
		joined = append(appendFolded(joined, text[from:to]), ' ')
		n++
	}
	if n == 0 {
		return Text{}
	}
	return Text{joined: string(joined), Len: n}
}

// Words are the words in their order.
func (t Text) Words() iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := 1; at < len(t.joined); {
			end := at + strings.IndexByte(t.joined[at:], ' ')
			if !yield(t.joined[at:end]) {
				return
			}
			at = end + 1
		}
	}
}

// All are the words of some texts, one after the other.
func All(texts ...Text) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, t := range texts {
			for w := range t.Words() {
				if !yield(w) {
					return
				}
			}
		}
	}
}

// nextWord is the place of the first word of a text that begins at the byte at or
// later. It is empty if there is none.
func nextWord(text string, at int) (from, to int) {
	from = -1
	for at < len(text) {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		switch {
		case r < utf8.RuneSelf && isLetter(r): // most of all text
			if from < 0 {
				from = at
			}
		case isUnspaced(r) && from < 0:
			return at, at + size
		case isUnspaced(r):
			return from, at
		case isLetter(r):
			if from < 0 {
				from = at
			}
		case (r == '\'' || r == '’') && from >= 0 && beginsWord(text[at+size:]):
			// "it's" is one word, and the closing sign of a quotation is none.
		case from >= 0:
			return from, at
		}
		at += size
	}
	if from < 0 {
		return len(text), len(text)
	}
	return from, len(text)
}

// unspaced are the scripts that put no blanks between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// firstUnspaced is no greater than any character of unspaced.
const firstUnspaced = '\u0E00'

func isUnspaced(r rune) bool { return r >= firstUnspaced && unicode.In(r, unspaced...) }

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

func beginsWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isLetter(r) && !isUnspaced(r)
}

// appendFolded adds what fold makes of a word. Most words are ASCII.
func appendFolded(to []byte, word string) []byte {
	start := len(to)
	for i := range len(word) {
		b := word[i]
		if b >= utf8.RuneSelf {
			return append(to[:start], fold(word)...)
		}
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		to = append(to, b)
	}
	return to
}

func fold(word string) string {
	return strings.ReplaceAll(strings.ToLower(word), "’", "'")
}

// Same tells whether two texts have the same words in the same order, and any at
// all.
func Same(a, b Text) bool { return a.joined != "" && a.joined == b.joined }

// Key is the same for texts with the same words, and "" for one without any.
func (t Text) Key() string { return t.joined }

// Within tells whether the words of part stand in whole, one after the other.
// Less than atLeast words are within nothing: short texts stand in others by
// chance.
func Within(part, whole Text, atLeast int) bool {
	return part.Len >= max(atLeast, 1) && strings.Contains(whole.joined, part.joined)
}
