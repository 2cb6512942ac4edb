package redos

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"
)

// letter is a group of characters that an expression does not distinguish.
type letter = int

// alphabet has all characters, in groups that no set of an expression splits.
type alphabet struct {
	show []rune // a readable character of each letter, if possible
	kind []kind
	// byKind says that all characters of a letter have the same kind.
	byKind bool
	sets   map[*tree][]letter // the letters of each opSet
	member map[*tree][]bool   // the same, by letter
}

// newAlphabet splits all characters by the sets of an expression, and by kind if looks
// distinguish kinds. Readable letters come first.
func newAlphabet(t *tree, b *budget) *alphabet {
	sets, numbers := distinctSets(t)
	for _, set := range sets {
		b.spend(4 * len(set.runes))
	}
	starts := boundaries(sets)
	byKind := t.looks()
	groups := group(starts, sets, byKind, b)
	slices.SortFunc(groups, func(a, b characters) int { return readability(a.show) - readability(b.show) })
	b.spend(len(groups) * len(sets) / 8)
	a := &alphabet{byKind: byKind, sets: map[*tree][]letter{}, member: map[*tree][]bool{}}
	of, member := make([][]letter, len(sets)), make([][]bool, len(sets))
	for n := range member {
		member[n] = make([]bool, len(groups))
	}
	for l, g := range groups {
		a.show, a.kind = append(a.show, g.show), append(a.kind, kindOf(g.show))
		for _, n := range g.in {
			of[n] = append(of[n], l)
			member[n][l] = true
		}
	}
	for t, n := range numbers {
		a.sets[t], a.member[t] = of[n], member[n]
	}
	return a
}

// distinctSets returns the distinct sets of an expression, and the number of each.
func distinctSets(t *tree) (sets []*tree, numbers map[*tree]int) {
	names := map[string]int{}
	numbers = map[*tree]int{}
	t.visit(func(t *tree) {
		if t.op != opSet {
			return
		}
		name := string(t.runes)
		if _, ok := names[name]; !ok {
			names[name] = len(sets)
			sets = append(sets, t)
		}
		numbers[t] = names[name]
	})
	return sets, numbers
}

// boundaries returns the first characters of the ranges that no set splits.
func boundaries(sets []*tree) []rune {
	starts := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1, 0xd800, 0xe000}
	for _, set := range sets {
		for i := 0; i < len(set.runes); i += 2 {
			starts = append(starts, set.runes[i], set.runes[i+1]+1)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	return slices.DeleteFunc(starts, func(r rune) bool { return r > utf8.MaxRune || r >= 0xd800 && r < 0xe000 })
}

// characters is a group of characters that are in the same sets.
type characters struct {
	show rune // the most readable one
	in   []int
}

// group groups the ranges that are in the same sets, and have the same kind if that
// matters.
func group(starts []rune, sets []*tree, byKind bool, b *budget) []characters {
	in := make([][]int, len(starts)) // for each range, the sets that contain it
	for n, set := range sets {
		for i := 0; i < len(set.runes); i += 2 {
			first, _ := slices.BinarySearch(starts, set.runes[i])
			end, _ := slices.BinarySearch(starts, set.runes[i+1]+1)
			b.spend(1 + end - first)
			for r := first; r < end; r++ {
				if k := len(in[r]); k == 0 || in[r][k-1] != n {
					in[r] = append(in[r], n)
				}
			}
		}
	}
	var groups []characters
	numbers := map[string]int{}
	var name []byte
	for i, r := range starts {
		last := rune(utf8.MaxRune)
		if i+1 < len(starts) {
			last = starts[i+1] - 1
		}
		g := characters{show: bestShown(r, last), in: in[i]}
		name = name[:0]
		if byKind {
			name = append(name, byte(kindOf(r)))
		}
		for _, n := range g.in {
			name = binary.BigEndian.AppendUint32(name, uint32(n))
		}
		n, ok := numbers[string(name)]
		if !ok {
			numbers[string(name)] = len(groups)
			groups = append(groups, g)
		} else if readability(g.show) < readability(groups[n].show) {
			groups[n].show = g.show
		}
	}
	return groups
}

// has reports whether a character is in the set.
func (t *tree) has(r rune) bool {
	for i := 0; i < len(t.runes); i += 2 {
		if t.runes[i] <= r && r <= t.runes[i+1] {
			return true
		}
	}
	return false
}

// readable are characters, the most readable in a message first.
const readable = "axbcdefghijklmnopqrstuvwyz01A23456789BCDEFGHIJKLMNOPQRSTUVWXYZ !-_.,:;#/=+*%&@?~^<>()[]{}|$'`\"\\\n\t"

func readability(r rune) int {
	if i := strings.IndexRune(readable, r); i >= 0 {
		return i
	}
	return len(readable) + int(r)
}

// bestShown returns the most readable character of a range.
func bestShown(first, last rune) rune {
	if first > '~' {
		return first
	}
	for _, r := range readable {
		if first <= r && r <= last {
			return r
		}
	}
	return first
}

// text returns a text for a sequence of letters.
func (a *alphabet) text(word []letter) string {
	var b strings.Builder
	for _, l := range word {
		b.WriteRune(a.show[l])
	}
	return b.String()
}
