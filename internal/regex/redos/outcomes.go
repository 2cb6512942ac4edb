package redos

import "encoding/binary"

// outcomes says for each text that can follow which states lead to a match in it. An
// engine tries its second path only if the first one leads to no match, so its steps
// depend on the outcome of the text that follows.
type outcomes struct {
	// matching has, for each outcome, a bit for each state. The first outcome is that of
	// the empty text.
	matching [][]uint64
	// before lists, for each outcome, the outcomes of the texts with one letter less.
	before [][]reading
	// first is how each outcome was first found. It leads to the outcome of the empty
	// text.
	first []reading
}

// reading is a letter and the outcome of the text after it.
type reading struct {
	letter  letter
	outcome int
}

// ignored returns the outcomes of an engine that never finds a match: it tries all paths.
func ignored(m *machine) *outcomes {
	o := &outcomes{matching: [][]uint64{make([]uint64, words(m))}, before: [][]reading{nil}, first: []reading{{}}}
	for l := range m.show {
		o.before[0] = append(o.before[0], reading{letter: l})
	}
	return o
}

func words(m *machine) int { return (len(m.states) + 63) / 64 }

func (o *outcomes) matches(outcome, state int) bool {
	return o.matching[outcome][state/64]&(1<<(state%64)) != 0
}

// newOutcomes finds all outcomes by reading texts from the end.
func newOutcomes(m *machine, b *budget) *outcomes {
	o := &outcomes{}
	numbers := map[string]int{}
	var name []byte
	add := func(set []uint64, r reading) int {
		name = name[:0]
		for _, w := range set {
			name = binary.LittleEndian.AppendUint64(name, w)
		}
		n, ok := numbers[string(name)]
		if !ok {
			n = len(o.matching)
			numbers[string(name)] = n
			o.matching, o.before, o.first = append(o.matching, set), append(o.before, nil), append(o.first, r)
		}
		return n
	}
	const cheap = 8 // as much work as one step elsewhere
	edges := 0
	for _, s := range m.states {
		edges += len(s.edges)
	}
	add(m.matchingAt(nil, edge, 0), reading{})
	for n := 0; n < len(o.matching); n++ {
		for l := range m.show {
			set := m.matchingAt(o.matching[n], m.kind[l], l)
			b.spend((len(set) + edges) / cheap)
			before := add(set, reading{l, n})
			o.before[before] = append(o.before[before], reading{l, n})
		}
	}
	return o
}

// matchingAt returns the states that lead to a match in a text that begins with the
// letter, given the set of states that do after it. The kind edge is the end of the
// text.
func (m *machine) matchingAt(after []uint64, next kind, l letter) []uint64 {
	set := make([]uint64, words(m))
	for i, s := range m.states {
		for _, e := range s.edges {
			if e.to == matched && e.next&(1<<next) == 0 {
				continue
			}
			if e.to != matched && (next == edge || !m.states[e.to].letters[l] || after[e.to/64]&(1<<(e.to%64)) == 0) {
				continue
			}
			set[i/64] |= 1 << (i % 64)
			break
		}
	}
	return set
}

// text returns a shortest known text with an outcome.
func (o *outcomes) text(outcome int) []letter {
	var word []letter
	for outcome != 0 {
		r := o.first[outcome]
		word = append(word, r.letter)
		outcome = r.outcome
	}
	return word
}
