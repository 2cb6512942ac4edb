// Package wording analyzes the words of texts. It finds texts that only grade, texts
// with the same words, scales other than 1 to 5, and second questions.
//
// Words, Same, and Scale are independent of language. Everything else supports only
// English and must not be called for texts in other languages. The package does not
// understand texts, so its results are places to review, not certain mistakes. Wrap is for
// texts of every kind.
package wording

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is a text as words, in lowercase and with straight apostrophes.
type Text struct {
	// joined has a space before and after each word. No word contains a space.
	joined string
	// Len is the number of words.
	Len int

	written string
}

// Read splits a text into words: runs of letters, marks, and digits, including
// apostrophes inside them. In scripts without spaces between words, each character is a
// word. Punctuation is not a word.
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
	return Text{string(joined), n, text}
}

// Words yields the words in order.
func (t Text) Words() iter.Seq[string] {
	return func(yield func(string) bool) { t.each(yield) }
}

// each reports whether yield wants more words.
func (t Text) each(yield func(string) bool) bool {
	for at := 1; at < len(t.joined); {
		end := at + strings.IndexByte(t.joined[at:], ' ')
		if !yield(t.joined[at:end]) {
			return false
		}
		at = end + 1
	}
	return true
}

// All yields the words of texts, one after the other.
func All(texts ...Text) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(texts) && texts[i].each(yield); i++ {
		}
	}
}

// nextWord returns the place of the first word of a text that begins at byte at or
// later. It is empty if there is none.
func nextWord(text string, at int) (from, to int) {
	from = len(text) // none yet
	for at < len(text) {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		switch {
		case r < utf8.RuneSelf && letters[r]: // the most frequent case
			if from == len(text) {
				from = at
			}
		case r < utf8.RuneSelf && r != '\'':
			if from < len(text) {
				return from, at
			}
		case isUnspaced(r):
			if from == len(text) {
				return at, at + size
			}
			return from, at
		case isLetter(r):
			if from == len(text) {
				from = at
			}
		case isApostrophe(r) && from < len(text) && beginsWord(text[at+size:]):
			// "it's" is one word, and a closing quotation mark is not part of a word.
		case from < len(text):
			return from, at
		}
		at += size
	}
	return from, len(text)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// unspaced are the scripts without spaces between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// firstUnspaced is a lower bound for the characters of unspaced.
const firstUnspaced = '\u0E00'

func isUnspaced(r rune) bool { return r >= firstUnspaced && unicode.In(r, unspaced...) }

// letters are the letters and digits of ASCII.
var letters = func() (letters [utf8.RuneSelf]bool) {
	for _, c := range "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		letters[c] = true
	}
	return letters
}()

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return letters[r]
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

func beginsWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isLetter(r) && !isUnspaced(r)
}

// appendFolded appends a folded word. Most words are ASCII.
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

// Same reports whether two texts have the same words in the same order, and at least one.
func Same(a, b Text) bool { return a.joined != "" && a.joined == b.joined }

// Key returns the same text for texts with the same words, and "" for a text without
// words.
func (t Text) Key() string { return t.joined }

// Within reports whether whole contains the words of part, one after the other. It
// reports false for fewer than atLeast words, because short texts occur in others by
// chance.
func Within(part, whole Text, atLeast int) bool {
	return part.Len >= max(atLeast, 1) && strings.Contains(whole.joined, part.joined)
}

// Wrap returns a text on lines of at most width bytes, if its words allow, each with an
// indentation.
func Wrap(indent, text string, width int) string {
	line, lines := indent, ""
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case len(line)+1+len(word) > width:
			lines += line + "\n"
			line = indent
		default:
			line += " "
		}
		line += word
	}
	return lines + line
}
