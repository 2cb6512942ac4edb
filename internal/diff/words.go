package diff

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Op says on which side of a comparison a part of a text is.
type Op uint8

// The sides: both, the old text only, the new text only.
const (
	Same Op = iota
	Old
	New
)

// Part is a part of two texts.
type Part struct {
	Op   Op
	Text string
}

// Words compares two texts word by word. Joined, the parts that are not New are
// the old text, and those that are not Old the new one; next to each other stand
// only parts of different kinds, and an Old part comes before the New one that
// replaces it.
//
// Texts that share less than half the words of the shorter one, or that are very
// long, are one Old and one New part: word by word nobody could read that.
func Words(before, after string) []Part {
	if before == after {
		return runs{{same: split(before)}}.parts()
	}
	a, b := split(before), split(after)
	found := align(a, b).join()
	if found.kept()*2 < min(countWords(a), countWords(b)) {
		found = runs{{old: a, new: b}}
	}
	return found.parts()
}

// split cuts a text into words, runs of white space, and single other
// characters.
func split(text string) []string {
	var out []string
	for text != "" {
		end := 0
		kind := kindOf(utf8.DecodeRuneInString(text))
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if end > 0 && (kind == single || kindOf(r, size) != kind) && !unicode.Is(unicode.M, r) {
				break
			}
			end += size
		}
		out = append(out, text[:end])
		text = text[end:]
	}
	return out
}

type tokenKind uint8

const (
	single tokenKind = iota
	space
	word
)

// unspaced are scripts that put no blanks between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

func kindOf(r rune, _ int) tokenKind {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.In(r, unspaced...):
		return single
	case unicode.In(r, unicode.L, unicode.M, unicode.N) || r == '_' || r == '\'' || r == '’':
		return word
	}
	return single
}

// countWords counts what has letters or digits.
func countWords(tokens []string) int {
	n := 0
	for _, t := range tokens {
		if strings.ContainsFunc(t, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			n++
		}
	}
	return n
}

// run is words that both texts have, and then what is different up to the next
// such words.
type run struct {
	same, old, new []string
}

type runs []run

// align pairs equal words of two texts, as many as possible.
func align(a, b []string) runs {
	inA, inB := common(a, b)
	var out runs
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		var r run
		for ; i < len(a) && j < len(b) && inA[i] && inB[j]; i, j = i+1, j+1 {
			r.same = append(r.same, b[j])
		}
		for ; i < len(a) && !inA[i]; i++ {
			r.old = append(r.old, a[i])
		}
		for ; j < len(b) && !inB[j]; j++ {
			r.new = append(r.new, b[j])
		}
		out = append(out, r)
	}
	return out
}

// join makes one difference of those with no word between them.
func (rs runs) join() runs {
	var out runs
	for i, r := range rs {
		if i == 0 || countWords(r.same) > 0 || len(r.old)+len(r.new) == 0 {
			out = append(out, r)
			continue
		}
		last := &out[len(out)-1]
		for _, side := range []*[]string{&last.old, &last.new} {
			*side = append(*side, r.same...)
		}
		last.old, last.new = append(last.old, r.old...), append(last.new, r.new...)
	}
	return out
}

// kept counts the words that both texts have.
func (rs runs) kept() int {
	n := 0
	for _, r := range rs {
		n += countWords(r.same)
	}
	return n
}

func (rs runs) parts() []Part {
	var out []Part
	for _, r := range rs {
		for _, p := range []Part{{Same, strings.Join(r.same, "")}, {Old, strings.Join(r.old, "")}, {New, strings.Join(r.new, "")}} {
			if p.Text != "" {
				out = append(out, p)
			}
		}
	}
	return out
}
