package redos

import "slices"

// triple is three nodes with the same outcome, on three paths through the same text:
// one that stays in its part, one that moves to another part, and one that stays in
// that part.
type triple struct{ stay, over, arrive int }

// key is a compact triple.
func (t triple) key() [3]int32 { return [3]int32{int32(t.stay), int32(t.over), int32(t.arrive)} }

// growth is the growth of the paths through texts, if it is not exponential.
type growth struct {
	// degree is the degree of the steps: 1 if they are linear.
	degree int
	// bombs are texts for the parts of the longest chain.
	bombs []*bomb
	// pairs are the parts with a bomb between them.
	pairs map[partPair]bool
}

// partPair is a part and one that it leads to.
type partPair struct{ from, to int }

// polynomial looks for pairs of nodes p and q with paths from p to p, from p to q, and
// from q to q on the same text: the more often it repeats, the more places there are to
// cross over. This is the criterion IDA of Weber and Seidl, and the longest chain of
// such pairs is the degree of the number of paths that end in one place. A step is a
// path that ends anywhere, which adds one. Repetitions with a limit multiply the steps
// by at most a constant.
//
// Each path through the graph is also one through the graph of the rough findings, if
// there are any, so what they ruled out is not checked again.
func (g *graph) polynomial(rough *findings, b *budget) *growth {
	open := rough.leftOpen(g)
	pairs := map[partPair]bool{}
	best := make([]growth, len(g.first)) // for each part, the longest chain up to it
	for p := len(g.first) - 1; p >= 0; p-- {
		if !g.endless[p] {
			g.passOn(best, p)
			continue
		}
		for q, bomb := range g.pumps(p, open, b) {
			pairs[partPair{p, q}] = true
			if best[q].degree <= best[p].degree {
				best[q] = growth{degree: best[p].degree + 1, bombs: append(slices.Clone(best[p].bombs), bomb)}
			}
		}
		g.passOn(best, p)
	}
	longest := growth{}
	for _, w := range best {
		if w.degree > longest.degree {
			longest = w
		}
	}
	longest.degree++
	longest.pairs = pairs
	return &longest
}

// leftOpen says which bombs the rough findings did not rule out in a graph of the same
// machine. Nodes in the same rough part are open, because with outcomes they can be in
// several parts.
type leftOpen struct {
	part  []int // for each node, the part of the rough graph
	pairs map[partPair]bool
	from  map[int]bool // the parts of pairs
}

func (f *findings) leftOpen(g *graph) *leftOpen {
	if f == nil || f.growth == Exponential {
		return nil // all are open
	}
	ofState := make([]int, len(g.states))
	for n, node := range f.graph.nodes {
		ofState[node.state] = f.graph.part[n]
	}
	o := &leftOpen{part: make([]int, len(g.nodes)), pairs: f.pairs, from: map[int]bool{}}
	for n, node := range g.nodes {
		o.part[n] = ofState[node.state]
	}
	for pair := range f.pairs {
		o.from[pair.from] = true
	}
	return o
}

// pair reports whether there may be a bomb from one node to another.
func (o *leftOpen) pair(from, to int) bool {
	return o == nil || o.part[from] == o.part[to] || o.pairs[partPair{o.part[from], o.part[to]}]
}

// reach reports whether a node may be on the path of a bomb from another one.
func (o *leftOpen) reach(from, to int) bool {
	return o == nil || o.part[from] == o.part[to] || o.from[o.part[from]]
}

// passOn passes the chain of a part on to the parts that it leads to.
func (g *graph) passOn(best []growth, p int) {
	for _, n := range g.members(p) {
		for _, a := range g.arcs[n] {
			if q := g.part[a.to]; best[q].degree < best[p].degree {
				best[q] = best[p]
			}
		}
	}
}

// members returns the nodes of a part.
func (g *graph) members(p int) []int {
	if g.inPart == nil {
		g.inPart = make([][]int, len(g.first))
		for n, q := range g.part {
			g.inPart[q] = append(g.inPart[q], n)
		}
	}
	return g.inPart[p]
}

// pumps returns, for each part q that can be reached from part p, a text that loops in
// both and leads from one to the other, if there is one.
func (g *graph) pumps(p int, open *leftOpen, b *budget) map[int]*bomb {
	b.spend(10)
	t := &tripleSearch{graph: g, budget: b, numbers: map[[3]int32]int{}}
	byOutcome := map[int][]int{}
	for _, n := range g.reachable(p, open, b) {
		if g.part[n] != p && g.endless[g.part[n]] {
			byOutcome[g.nodes[n].outcome] = append(byOutcome[g.nodes[n].outcome], n)
		}
	}
	for _, n := range g.members(p) {
		arrivals := byOutcome[g.nodes[n].outcome]
		b.spend(2 * len(arrivals))
		for _, q := range arrivals {
			if open.pair(n, q) {
				t.add(triple{n, n, q})
			}
		}
	}
	t.explore()
	return t.bombs()
}

// reachable returns the nodes that can be reached from a part, including its own,
// sorted; fewer if others can't matter.
func (g *graph) reachable(p int, open *leftOpen, b *budget) []int {
	if g.reached == nil {
		g.reached = slices.Repeat([]int{-1}, len(g.nodes))
	}
	queue := slices.Clone(g.members(p))
	for _, n := range queue {
		g.reached[n] = p
	}
	for i := 0; i < len(queue); i++ {
		b.spend(2 + len(g.arcs[queue[i]]))
		for _, a := range g.arcs[queue[i]] {
			if g.reached[a.to] != p && open.reach(g.first[p], a.to) {
				g.reached[a.to] = p
				queue = append(queue, a.to)
			}
		}
	}
	slices.Sort(queue)
	return queue
}

// tripleSearch explores the triples that can be reached from the beginning of the
// second path.
type tripleSearch struct {
	*graph
	budget  *budget
	numbers map[[3]int32]int
	triples []triple
	next    [][]arc // arcs between triples, by number
}

func (t *tripleSearch) add(x triple) int {
	n, ok := t.numbers[x.key()]
	if !ok {
		n = len(t.triples)
		t.numbers[x.key()] = n
		t.triples, t.next = append(t.triples, x), append(t.next, nil)
	}
	return n
}

func (t *tripleSearch) explore() {
	for n := 0; n < len(t.triples); n++ {
		x := t.triples[n]
		for _, stay := range t.arcs[x.stay] {
			t.budget.spend(1)
			if t.part[stay.to] != t.part[x.stay] {
				continue
			}
			for _, arrive := range alike(t.arcs[x.arrive], stay.order) {
				if t.part[arrive.to] != t.part[x.arrive] {
					continue
				}
				for _, over := range alike(t.arcs[x.over], stay.order) {
					if t.part[over.to] < t.part[arrive.to] {
						continue // it went past q
					}
					t.budget.spend(15)
					t.next[n] = append(t.next[n], arc{letter: stay.letter, to: t.add(triple{stay.to, over.to, arrive.to})})
				}
			}
		}
	}
}

// again is the letter of an arc that consumes none.
const again letter = -1

// bombs finds the triples (p,p,q) from which (p,q,q) can be reached. An arc from each
// (p,q,q) back to its (p,p,q), the construction of Allauzen, Mohri, and Rastogi, turns
// these paths into cycles: they are in one connected part.
func (t *tripleSearch) bombs() map[int]*bomb {
	next := make([][]int, len(t.next))
	for n, x := range t.triples {
		if begin, ok := t.numbers[triple{x.stay, x.stay, x.arrive}.key()]; ok && x.over == x.arrive {
			t.next[n] = append(t.next[n], arc{letter: again, to: begin})
		}
		for _, a := range t.next[n] {
			next[n] = append(next[n], a.to)
		}
	}
	part, _ := connected(next)
	found := map[int]*bomb{}
	for n, x := range t.triples {
		end, ok := t.numbers[triple{x.stay, x.arrive, x.arrive}.key()]
		q := t.graph.part[x.arrive]
		if x.over == x.stay && ok && part[end] == part[n] && found[q] == nil {
			pump := shortest(n, end, func(n int) []arc { return t.next[n] }, t.budget)
			found[q] = &bomb{t.wayTo(x.stay), pump, t.outcomes.text(t.nodes[x.stay].outcome), []int{x.stay, x.arrive}}
		}
	}
	return found
}
