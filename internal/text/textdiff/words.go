package textdiff

import (
	"slices"
	"strings"
	"unicode"
)

// Side is the side of a comparison that a part of a text is on.
type Side uint8

// The sides: both, only the old text, and only the new text.
const (
	Both Side = iota
	Old
	New
)

// Part is a part of one text or of both.
type Part struct {
	Side Side
	Text string
}

// Words compares two texts word by word. Joined, the parts that are not New are the old text, and
// those that are not Old are the new text. Adjacent parts have different sides, and an Old part
// precedes the New one that replaces it.
//
// Texts that share less than half the words of the shorter one, or that are very long,
// are one part of each, because a comparison by words would be unreadable.
func Words(before, after string) []Part {
	runs, _ := compare(split(before), split(after))
	var out []Part
	for _, r := range runs {
		for _, p := range []Part{{Both, joined(r.same)}, {Old, joined(r.old)}, {New, joined(r.new)}} {
			if p.Text != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

// compare aligns the tokens of two texts. If they have too little in common, similar is false, and
// there is one run with all of both.
func compare(a, b []token) (runs []run, similar bool) {
	runs = join(align(a, b))
	kept := 0
	for _, r := range runs {
		kept += countWords(r.same)
	}
	if kept*2 < min(countWords(a), countWords(b)) {
		return []run{{old: a, new: b}}, false
	}
	return runs, true
}

func countWords(tokens []token) int {
	n := 0
	for _, t := range tokens {
		if strings.ContainsFunc(t.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			n++
		}
	}
	return n
}

// run is tokens that both texts have, followed by the difference up to the next ones.
type run struct{ same, old, new []token }

func (r *run) differs() bool { return len(r.old)+len(r.new) > 0 }

// maxTokens limits the total length of two texts, without their common beginning and
// end, for which shared tokens are searched: time and memory are quadratic in it.
const maxTokens = 4096

// align pairs as many equal tokens of two texts as possible.
func align(a, b []token) []run {
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
func shares(a, b []token) [][]uint16 {
	out := make([][]uint16, len(a)+1)
	out[len(a)] = make([]uint16, len(b)+1)
	for i, t := range slices.Backward(a) {
		out[i] = make([]uint16, len(b)+1)
		for j, other := range slices.Backward(b) {
			out[i][j] = max(out[i+1][j], out[i][j+1])
			if t == other {
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

func joined(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.text)
	}
	return b.String()
}
