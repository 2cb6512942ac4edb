// Package duplicate finds texts that repeat others: texts that are equal except for case, spaces,
// and punctuation, and texts that are nearly equal. It compares two texts by their characters, and
// finds the pairs among many by their sketches, without comparing all.
//
// The resemblance of two sketches is the number of word sequences that both texts have, divided
// by the number that either has. It is exact for texts of up to 128 sequences and
// estimated for longer ones. The same texts in the same order give the same results on
// every machine.
//
// The measure, and its estimate from the smallest hashes of a text, are from A. Broder,
// "On the resemblance and containment of documents" (1997). Candidates are found by
// bands of minimums from a single hash, as in P. Li, A. Owen, and C.-H. Zhang, "One
// Permutation Hashing" (2012); empty bins are filled as in A. Shrivastava and P. Li,
// "Densifying One Permutation Hashing via Rotation" (2014).
package duplicate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// Text is a text in comparisons.
type Text struct {
	// Key is equal for texts that are equal except for case, spaces, and punctuation.
	Key string
	// Sketch represents the text in comparisons of many, or is nil if it is too short for these.
	Sketch *Sketch
}

// Read prepares a text for comparisons.
func Read(text string) Text {
	return Text{Key(text), SketchOf(wording.Read(text).Words())}
}

// Key is what remains of a text without case, spaces, punctuation, and characters that can't be
// seen. A gap remains between two digits, so that 1.5 is not 15. A text of nothing else keeps its
// punctuation.
func Key(text string) string {
	if key, isASCII := keyOfASCII(text); isASCII && key != "" { // most texts
		return key
	}
	plain := strings.ToLower(strings.ToUpper(norm.NFKC.String(text))) // some letters have two lowercase forms
	key, last, gap := make([]byte, 0, len(plain)), ' ', false
	for _, r := range plain {
		if !remains(r) {
			gap = true
			continue
		}
		if gap && unicode.IsDigit(last) && unicode.IsDigit(r) {
			key = append(key, ' ')
		}
		key, last, gap = utf8.AppendRune(key, r), r, false
	}
	if len(key) == 0 {
		return strings.Join(strings.Fields(plain), " ")
	}
	return norm.NFKC.String(string(key)) // a mark can now follow another letter
}

// keyOfASCII is the key of a text with only ASCII characters, "" if it has neither letters nor digits.
func keyOfASCII(text string) (key string, isASCII bool) {
	isDigit := func(b byte) bool { return '0' <= b && b <= '9' }
	out, gap := make([]byte, 0, len(text)+8), false
	for i := range len(text) {
		b := text[i]
		switch {
		case 'A' <= b && b <= 'Z':
			b += 'a' - 'A'
		case 'a' <= b && b <= 'z':
		case isDigit(b):
			if gap && len(out) > 0 && isDigit(out[len(out)-1]) {
				out = append(out, ' ')
			}
		case b >= utf8.RuneSelf:
			return "", false
		default:
			gap = true
			continue
		}
		out, gap = append(out, b), false
	}
	return string(out), true
}

// remains reports whether a character is part of a key: letters, digits, and symbols that no
// keyboard has, such as emoji.
func remains(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
	case sanitize.HiddenKindOf(r) != 0:
		return false
	}
	return unicode.In(r, unicode.Letter, unicode.Number, unicode.Mark, unicode.Sm, unicode.Sc, unicode.So)
}

const (
	// edited is how many characters of a text there are for each that may differ: two in 20.
	edited = 10
	// shortest is the number of characters from which a text can be equal to another except for
	// some, and inside the number from which it can be found in a longer one. Shorter ones are
	// nearly equal to others by chance.
	shortest = 20
	inside   = 30
)

// NearlyEquals reports whether two texts are equal, or equal except for a few characters, or whether one
// of them contains the other as such. Long texts can also differ in some of their sentences.
func (t Text) NearlyEquals(other Text) bool {
	if t.Key == other.Key {
		return true
	}
	if _, alike := Resembles(t.Sketch, other.Sketch); alike {
		return true
	}
	part, whole := []rune(t.Key), []rune(other.Key)
	if len(part) > len(whole) {
		part, whole = whole, part
	}
	edits := len(part) / edited
	switch {
	case len(part) < shortest, len(part) < inside && len(whole)-len(part) > edits, !sharesPiece(part, whole, edits):
		return false
	}
	return distance(part, whole, len(part) >= inside) <= edits
}

// sharesPiece reports whether one of edits + 1 pieces of a text occurs in another. If none does, the
// texts differ in more than that many characters.
func sharesPiece(part, whole []rune, edits int) bool {
	in := string(whole)
	for i := range edits + 1 {
		from, to := i*len(part)/(edits+1), (i+1)*len(part)/(edits+1)
		if strings.Contains(in, string(part[from:to])) {
			return true
		}
	}
	return false
}

// distance is the least number of characters to insert, remove, or replace, so that part becomes the
// whole, or if it is inside, any piece of it (P. Sellers, "The theory and computation of evolutionary
// distances: pattern recognition", 1980).
func distance(part, whole []rune, isInside bool) int {
	column := make([]int, len(part)+1) // the distances of each beginning of part
	for i := range column {
		column[i] = i
	}
	least := column[len(part)]
	for j, r := range whole {
		diagonal := column[0]
		column[0] = j + 1
		if isInside {
			column[0] = 0
		}
		for i, p := range part {
			replaced := diagonal
			if p != r {
				replaced++
			}
			diagonal = column[i+1]
			column[i+1] = min(replaced, diagonal+1, column[i]+1)
		}
		least = min(least, column[len(part)])
	}
	if isInside {
		return least
	}
	return column[len(part)]
}
