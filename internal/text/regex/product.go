package regex

import (
	"iter"
	"slices"
)

// search visits pairs of states on two paths through the same text, and finds strongly
// connected parts of them (Tarjan's algorithm).
type search struct {
	*automaton
	before []int           // for each state that a match reaches, the state before it
	common map[[2]int]rune // for two sets, a character of both, or -1
	seen   map[pair]*visit
	stack  []pair
	cycle  *move // joins two paths that parted where it leads
	joins  int   // how often two paths part and join again, at most
}

// pair is two states; a is not after b.
type pair struct{ a, b int }

// move leads from a pair to another by a character.
type move struct {
	from, to pair
	char     rune
	part     Part
	joins    bool // two different paths become one
}

// visit is what is known about a pair.
type visit struct {
	order, low int
	open       bool // its part is not complete
	joins      int  // on the paths from here
}

// run searches from each state that a match can reach, up to the first finding.
func (s *search) run() {
	s.before = slices.Repeat([]int{-1}, len(s.states))
	var queue []int
	for n := range s.starts {
		queue = append(queue, n)
	}
	for i := 0; i < len(queue); i++ {
		for _, a := range s.states[queue[i]].next {
			if s.before[a.to] < 0 {
				s.before[a.to] = queue[i]
				queue = append(queue, a.to)
			}
		}
	}
	for _, n := range queue {
		if p := (pair{n, n}); s.seen[p] == nil && !s.states[n].certain && !s.done() {
			s.visit(p)
		}
	}
}

func (s *search) done() bool { return s.cycle != nil || s.joins >= mostJoins }

// visit visits a pair, and all pairs to which it leads.
func (s *search) visit(p pair) *visit {
	s.spend(20)
	v := &visit{order: len(s.seen), low: len(s.seen), open: true}
	s.seen[p] = v
	s.stack = append(s.stack, p)
	for m := range s.moves(p) {
		to := s.seen[m.to]
		if to == nil {
			to = s.visit(m.to)
		}
		if to.open && m.joins && !s.done() {
			s.cycle = &m
		}
		if s.done() {
			return v
		}
		if to.open {
			v.low = min(v.low, to.low)
		}
		joins := to.joins
		if m.joins {
			joins++
		}
		v.joins = max(v.joins, joins)
	}
	if v.low == v.order {
		s.complete(v)
	}
	return v
}

// complete completes a part, given its first pair, from which the others were visited. They
// are at the end of the stack.
func (s *search) complete(first *visit) {
	at := len(s.stack) - 1
	for s.seen[s.stack[at]] != first {
		at--
	}
	for _, p := range s.stack[at:] {
		s.seen[p].open, s.seen[p].joins = false, first.joins
	}
	s.joins = max(s.joins, first.joins)
	s.stack = s.stack[:at]
}

// moves yields the moves from a pair.
func (s *search) moves(p pair) iter.Seq[move] {
	return func(yield func(move) bool) {
		for i, x := range s.states[p.a].next {
			others := s.states[p.b].next
			if p.a == p.b {
				others = others[i:]
			}
			s.spend(len(others))
			for j, y := range others {
				to := pair{min(x.to, y.to), max(x.to, y.to)}
				char := s.meet(to)
				if char < 0 || s.states[x.to].certain || s.states[y.to].certain {
					continue
				}
				if !yield(move{p, to, char, x.part.join(y.part), x.to == y.to && (p.a != p.b || j > 0)}) {
					return
				}
			}
		}
	}
}

// join returns the smallest part that includes two others.
func (p Part) join(q Part) Part { return Part{min(p.At, q.At), max(p.End, q.End)} }

// meet returns a character that leads to both states of a pair, -1 if there is none.
func (s *search) meet(p pair) rune {
	sets := [2]int{s.states[p.a].set, s.states[p.b].set}
	char, ok := s.common[sets]
	if !ok {
		a, b := s.sets[sets[0]], s.sets[sets[1]]
		s.spend(len(a) + len(b))
		char = show(both(a, b))
		s.common[sets] = char
	}
	return char
}

// attack returns a text that repeats the cycle.
func (s *search) attack() *Attack {
	from, to := s.cycle.to, s.cycle.from
	before := map[pair]move{from: {}}
	queue := []pair{from}
	for i := 0; queue[i] != to; i++ {
		for m := range s.moves(queue[i]) {
			if _, seen := before[m.to]; !seen {
				before[m.to] = m
				queue = append(queue, m.to)
			}
		}
	}
	a := &Attack{Part: s.cycle.part, Pump: string(s.cycle.char)}
	for to != from {
		m := before[to]
		a.Part, a.Pump, to = a.Part.join(m.part), string(m.char)+a.Pump, m.from
	}
	n := from.a
	for ; n >= s.starts; n = s.before[n] {
		a.Prefix = string(s.meet(pair{n, n})) + a.Prefix
	}
	a.Prefix = []string{newline: "\n", word: "a", other: " "}[s.states[n].kind] + a.Prefix
	return a
}
