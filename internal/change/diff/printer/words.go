package printer

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// op is the side of a comparison that a part of a text is on.
type op uint8

// The sides: both, only the old text, and only the new text.
const (
	inBoth op = iota
	inOld
	inNew
)

type part struct {
	Op   op
	Text string
}

// compareWords compares two texts word by word. Joined, the parts that are not inNew are
// the old text, and those that are not inOld are the new text. Adjacent parts have
// different kinds, and an inOld part precedes the inNew one that replaces it.
//
// Texts that share less than half the words of the shorter one, or that are very long,
// are one part of each, because a comparison by words would be unreadable.
func compareWords(before, after string) []part {
	a, b := split(before), split(after)
	found := join(align(a, b))
	kept := 0
	for _, r := range found {
		kept += countWords(r.same)
	}
	if kept*2 < min(countWords(a), countWords(b)) {
		found = []run{{old: a, new: b}}
	}
	var out []part
	for _, r := range found {
		for _, p := range []part{{inBoth, strings.Join(r.same, "")}, {inOld, strings.Join(r.old, "")}, {inNew, strings.Join(r.new, "")}} {
			if p.Text != "" {
				out = append(out, p)
			}
		}
	}
	return out
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

func countWords(tokens []string) int {
	n := 0
	for _, t := range tokens {
		if strings.ContainsFunc(t, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			n++
		}
	}
	return n
}

// run is tokens that both texts have, followed by the difference up to the next ones.
type run struct{ same, old, new []string }

func (r *run) differs() bool { return len(r.old)+len(r.new) > 0 }

// maxTokens limits the total length of two texts, without their common beginning and
// end, for which shared tokens are searched: time and memory are quadratic in it.
const maxTokens = 4096

// align pairs as many equal tokens of two texts as possible.
func align(a, b []string) []run {
	start, end := 0, 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	first, rest := run{same: a[:start:start]}, run{same: a[len(a)-end:]}
	a, b = a[start:len(a)-end], b[start:len(b)-end]
	if len(a)+len(b) > maxTokens {
		return []run{{first.same, a, b}, rest}
	}
	out := []run{first}
	shared := shares(a, b)
	for i, j := 0, 0; i < len(a) || j < len(b); {
		last := &out[len(out)-1]
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			if last.differs() {
				out = append(out, run{})
				last = &out[len(out)-1]
			}
			last.same = append(last.same, a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && shared[i+1][j] > shared[i][j+1]:
			last.old = append(last.old, a[i])
			i++
		default:
			last.new = append(last.new, b[j])
			j++
		}
	}
	return append(out, rest)
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
func join(runs []run) []run {
	out := runs[:1]
	for _, r := range runs[1:] {
		if !r.differs() || countWords(r.same) > 0 {
			out = append(out, r)
			continue
		}
		last := &out[len(out)-1]
		last.old = slices.Concat(last.old, r.same, r.old)
		last.new = slices.Concat(last.new, r.same, r.new)
	}
	return out
}

// textsOf returns the texts of both sides of a change, for a comparison by words. ok is
// false if the message has them in full.
func textsOf(c *compat.Change) (before, after string, ok bool) {
	switch c.Kind {
	case diff.Unreadable, compat.Moved:
		return "", "", false
	case compat.Replaced:
		return byKey(c.Base.Text), byKey(c.Head.Text), true
	}
	say := func(v *compat.Value) string {
		if v == nil {
			return ""
		}
		quoted := schema.Quote(v.Text)
		says := strings.Contains(c.Message, v.Text) || !strings.HasSuffix(quoted, `…"`) && strings.Contains(c.Message, quoted)
		ok = ok || !says
		return v.Text
	}
	before, after = say(c.Base), say(c.Head)
	return before, after, ok || c.Kind == compat.Reworded
}

// byKey writes a group of texts, given as JSON, one per line.
func byKey(group string) string {
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
