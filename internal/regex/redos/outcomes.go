package redos

import (
	"encoding/binary"
	"slices"
)

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

// witnessed reports whether a text shows that findings for an engine that never finds a
// match apply to the real engine: with any number of pumps, there is no match, so the
// engine tries all paths. It gives each bomb the suffix of such a text. Findings that
// are not witnessed may apply too, but need more analysis.
func (f *findings) witnessed(b *budget) bool {
	r := &reader{machine: f.graph.machine, budget: b}
	for i, bomb := range f.bombs {
		r.restart()
		r.read(bomb.prefix)
		r.pump(bomb.pump)
		suffix, ok := r.failing()
		if !ok {
			return false
		}
		f.bombs[i].suffix = suffix
	}
	return len(f.bombs) == 1 || f.chainFails(r)
}

// chainFails is witnessed for a text with the pumps of all bombs, each of which begins
// where the previous one arrives: the first node that it blames, and the second.
func (f *findings) chainFails(r *reader) bool {
	r.restart()
	for i, bomb := range f.bombs {
		if i == 0 {
			r.read(bomb.prefix)
		} else {
			r.read(f.graph.way(f.bombs[i-1].blame[1], bomb.blame[0], r.budget))
		}
		r.pump(bomb.pump)
	}
	_, ok := r.failing()
	return ok
}

// reader follows all paths of a machine through a text.
type reader struct {
	*machine
	budget *budget
	states []uint64 // bits
	failed bool     // it found a match, or can't decide
}

func (r *reader) restart() {
	r.states, r.failed = make([]uint64, words(r.machine)), false
	r.states[r.initial/64] |= 1 << (r.initial % 64)
}

// after returns the states after a letter; ok is false if there is a match before it.
// The kind edge is the end of the text.
func (r *reader) after(l letter, next kind) (states []uint64, ok bool) {
	states = make([]uint64, len(r.states))
	for i := range r.machine.states {
		if r.states[i/64]&(1<<(i%64)) == 0 {
			continue
		}
		edges := r.machine.states[i].edges
		r.budget.spend(len(edges))
		for _, e := range edges {
			switch {
			case e.to == matched:
				if e.next&(1<<next) != 0 {
					return nil, false
				}
			case next != edge && r.machine.states[e.to].letters[l]:
				states[e.to/64] |= 1 << (e.to % 64)
			}
		}
	}
	r.budget.spend(1 + len(r.machine.states)/8)
	return states, true
}

func (r *reader) read(text []letter) {
	for _, l := range text {
		states, ok := r.after(l, r.kind[l])
		if r.failed = r.failed || !ok; r.failed {
			return
		}
		r.states = states
	}
}

// pump reads a text repeatedly until the states no longer change.
func (r *reader) pump(text []letter) {
	const most = 64
	for range most {
		before := r.states
		if r.read(text); r.failed || slices.Equal(before, r.states) {
			return
		}
	}
	r.failed = true
}

// failing returns a text of up to two letters after which there is no match.
func (r *reader) failing() (suffix []letter, ok bool) {
	if r.failed {
		return nil, false
	}
	return r.failingAfter(nil, 2)
}

func (r *reader) failingAfter(suffix []letter, more int) ([]letter, bool) {
	if _, ok := r.after(0, edge); ok {
		return suffix, true
	}
	states := r.states
	for rest := range more {
		for l := range r.show {
			r.states, r.failed = states, false
			if r.read([]letter{l}); r.failed {
				continue
			}
			if found, ok := r.failingAfter(append(slices.Clone(suffix), l), rest); ok {
				return found, true
			}
		}
	}
	return nil, false
}
