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
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a word of a text.
type Word struct {
	// Text is the word in small letters, with straight apostrophes.
	Text string
	// Start and End are the bytes of the text at which it begins and ends.
	Start, End int
}

// Words are the words of a text: runs of letters, marks and digits, with the
// apostrophes within them. In scripts that put no blanks between words, each
// character is one. Punctuation is no word.
func Words(text string) []Word {
	var words []Word
	start := -1 // of the word that is being read
	end := func(at int) {
		if start >= 0 {
			words = append(words, Word{fold(text[start:at]), start, at})
			start = -1
		}
	}
	for at, r := range text {
		switch {
		case unicode.In(r, unspaced...):
			end(at)
			start = at
			end(at + utf8.RuneLen(r))
		case isLetter(r):
			if start < 0 {
				start = at
			}
		case (r == '\'' || r == '’') && start >= 0 && beginsWord(text[at+utf8.RuneLen(r):]):
			// "it's" is one word, and the closing sign of a quotation is none.
		default:
			end(at)
		}
	}
	end(len(text))
	return words
}

// unspaced are the scripts that put no blanks between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

func isLetter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

func beginsWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isLetter(r) && !unicode.In(r, unspaced...)
}

func fold(word string) string {
	return strings.ReplaceAll(strings.ToLower(word), "’", "'")
}

// Texts are the words without their places.
func Texts(words []Word) []string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return texts
}

// Same tells whether two texts have the same words in the same order, and any at
// all.
func Same(a, b string) bool {
	words := Texts(Words(a))
	return len(words) > 0 && slices.Equal(words, Texts(Words(b)))
}

// Within tells whether the words of part stand in whole, one after the other.
// Less than atLeast words are within nothing: short texts stand in others by
// chance.
func Within(part, whole string, atLeast int) bool {
	p, w := Texts(Words(part)), Texts(Words(whole))
	if len(p) < atLeast || len(p) == 0 {
		return false
	}
	// A word holds no blank, so that blanks around them keep words whole.
	return strings.Contains(" "+strings.Join(w, " ")+" ", " "+strings.Join(p, " ")+" ")
}
