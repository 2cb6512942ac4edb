package diff

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Op is the side of a comparison that a part of a text is on.
type Op uint8

// The sides: both, only the old text, and only the new text.
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

// Words compares two texts word by word. Joined, the parts that are not New are the old
// text, and those that are not Old are the new text. Adjacent parts have different
// kinds, and an Old part precedes the New one that replaces it.
//
// Texts that share less than half the words of the shorter one, or that are very long,
// are one Old and one New part, because a comparison by words would be unreadable.
func Words(before, after string) []Part {
	if before == after {
		return runs{{same: split(before)}}.parts()
	}
	a, b := split(before), split(after)
	found := align(a, b).join()
	kept := 0
	for _, r := range found {
		kept += countWords(r.same)
	}
	if kept*2 < min(countWords(a), countWords(b)) {
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

// unspaced are scripts without spaces between words.
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

// countWords counts the tokens with letters or digits.
func countWords(tokens []string) int {
	n := 0
	for _, t := range tokens {
		if strings.ContainsFunc(t, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			n++
		}
	}
	return n
}

// run is words that both texts have, followed by the difference up to the next such
// words.
type run struct {
	same, old, new []string
}

type runs []run

// maxTokens limits the total length of two texts, without their common beginning and
// end, for which shared tokens are searched: time and memory are quadratic in it.
const maxTokens = 4096

// align pairs as many equal tokens of two texts as possible.
func align(a, b []string) runs {
	start, end := 0, 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	out := runs{{same: a[:start:start]}}
	last := &out[0]
	if oldPart, newPart := a[start:len(a)-end], b[start:len(b)-end]; len(oldPart)+len(newPart) > maxTokens {
		last.old, last.new = oldPart, newPart
	} else {
		shared := shares(oldPart, newPart)
		for i, j := 0, 0; i < len(oldPart) || j < len(newPart); {
			switch {
			case i < len(oldPart) && j < len(newPart) && oldPart[i] == newPart[j]:
				if len(last.old)+len(last.new) > 0 {
					out = append(out, run{})
					last = &out[len(out)-1]
				}
				last.same = append(last.same, oldPart[i])
				i, j = i+1, j+1
			case j == len(newPart) || i < len(oldPart) && shared[i+1][j] > shared[i][j+1]:
				last.old = append(last.old, oldPart[i])
				i++
			default:
				last.new = append(last.new, newPart[j])
				j++
			}
		}
	}
	return append(out, run{same: a[len(a)-end:]})
}

// shares has at [i][j] the length of the longest common subsequence of a[i:] and
// b[j:].
func shares(a, b []string) [][]uint16 {
	out := make([][]uint16, len(a)+1)
	out[len(a)] = make([]uint16, len(b)+1)
	for i, token := range slices.Backward(a) {
		out[i] = make([]uint16, len(b)+1)
		for j, other := range slices.Backward(b) {
			if out[i][j] = max(out[i+1][j], out[i][j+1]); token == other {
				out[i][j] = out[i+1][j+1] + 1
			}
		}
	}
	return out
}

// join merges differences with no word between them.
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

// Texts is the texts of both sides of the change, for a comparison by words. ok is false
// if the message has them in full.
func (c *Change) Texts() (before, after string, ok bool) {
	switch c.Kind {
	case Unreadable, compat.Moved:
		return "", "", false
	case compat.Replaced:
		return lines(c.Base.Text), lines(c.Head.Text), true
	}
	for _, side := range []struct {
		v    *Value
		text *string
	}{{c.Base, &before}, {c.Head, &after}} {
		if side.v != nil {
			*side.text = side.v.Text
			quoted := schema.Quote(*side.text)
			says := strings.Contains(c.Message, *side.text) || !strings.HasSuffix(quoted, `…"`) && strings.Contains(c.Message, quoted)
			ok = ok || !says
		}
	}
	return before, after, ok || c.Kind == compat.Reworded
}

// lines writes a group of texts, given as JSON, one per line.
func lines(group string) string {
	var texts map[string]string
	if json.Unmarshal([]byte(group), &texts) != nil {
		return group
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&b, "%s: %s\n", key, strings.TrimSpace(texts[key]))
	}
	return b.String()
}
