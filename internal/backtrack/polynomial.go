package backtrack

import "slices"

// triple is three nodes of one outcome, of three ways through one text: one that
// stays in its part, one that goes over, one that stays where that arrives.
type triple struct{ stay, over, arrive int }

// growth is what the ways through texts amount to where there is no exponential
// one.
type growth struct {
	// degree is that of the steps: 1 if they are linear.
	degree int
	// bombs are texts for the parts of the longest chain.
	bombs []*bomb
}

// polynomial looks for pairs of nodes p and q with ways from p to p, from p to q
// and from q to q on one text: the more often it is repeated, the more places
// there are to go over. This is the criterion IDA of Weber and Seidl, and the
// longest chain of such pairs is the degree of the number of ways that end in one
// place. A step is a way that ends anywhere, which makes it one more. What is
// repeated up to a limit multiplies the steps by no more than a number.
func (g *graph) polynomial(b *budget) (*growth, error) {
	best := make([]growth, len(g.first)) // of each part: the longest chain up to it
	for p := len(g.first) - 1; p >= 0; p-- {
		if !g.endless[p] {
			g.passOn(best, p)
			continue
		}
		found, err := g.pumps(p, b)
		if err != nil {
			return nil, err
		}
		for q, bomb := range found {
			best[q].extend(best[p], bomb)
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
	return &longest, nil
}

// passOn gives the chain of a part to those that it leads to.
func (g *graph) passOn(best []growth, p int) {
	for _, n := range g.members(p) {
		for _, a := range g.arcs[n] {
			if q := g.part[a.to]; best[q].degree < best[p].degree {
				best[q] = best[p]
			}
		}
	}
}

func (w *growth) extend(before growth, b *bomb) {
	if w.degree < before.degree+1 {
		*w = growth{before.degree + 1, append(slices.Clone(before.bombs), b)}
	}
}

// members are the nodes of a part.
func (g *graph) members(p int) []int {
	if g.inPart == nil {
		g.inPart = make([][]int, len(g.first))
		for n, q := range g.part {
			g.inPart[q] = append(g.inPart[q], n)
		}
	}
	return g.inPart[p]
}

// pumps returns for each part q that can be reached from part p a text that loops
// in both and leads from one to the other, if there is one.
func (g *graph) pumps(p int, b *budget) (map[int]*bomb, error) {
	reach := g.reachable(p)
	t := &tripleSearch{graph: g, budget: b, reach: reach, numbers: map[triple]int{}}
	byOutcome := map[int][]int{}
	for n := range reach {
		if g.part[n] != p && g.endless[g.part[n]] {
			byOutcome[g.nodes[n].outcome] = append(byOutcome[g.nodes[n].outcome], n)
		}
	}
	for _, n := range g.members(p) {
		arrivals := byOutcome[g.nodes[n].outcome]
		slices.Sort(arrivals)
		for _, q := range arrivals {
			t.add(triple{n, n, q})
		}
	}
	if err := t.explore(); err != nil {
		return nil, err
	}
	return t.bombs(), nil
}

// reachable are the nodes that can be reached from a part, its own included.
func (g *graph) reachable(p int) map[int]bool {
	seen := map[int]bool{}
	queue := slices.Clone(g.members(p))
	for _, n := range queue {
		seen[n] = true
	}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, a := range g.arcs[n] {
			if !seen[a.to] {
				seen[a.to] = true
				queue = append(queue, a.to)
			}
		}
	}
	return seen
}

// tripleSearch explores the triples that can be reached from where the second
// way begins.
type tripleSearch struct {
	*graph
	budget  *budget
	reach   map[int]bool
	numbers map[triple]int
	triples []triple
	next    [][]arc // arcs between triples, by their numbers
}

func (t *tripleSearch) add(x triple) int {
	n, ok := t.numbers[x]
	if !ok {
		n = len(t.triples)
		t.numbers[x] = n
		t.triples, t.next = append(t.triples, x), append(t.next, nil)
	}
	return n
}

func (t *tripleSearch) explore() error {
	for n := 0; n < len(t.triples); n++ {
		x := t.triples[n]
		for _, stay := range t.arcs[x.stay] {
			if err := t.budget.spend(1); err != nil {
				return err
			}
			if t.part[stay.to] != t.part[x.stay] {
				continue
			}
			for _, arrive := range alike(t.arcs[x.arrive], stay.order) {
				if t.part[arrive.to] != t.part[x.arrive] {
					continue
				}
				for _, over := range alike(t.arcs[x.over], stay.order) {
					t.next[n] = append(t.next[n], arc{letter: stay.letter, to: t.add(triple{stay.to, over.to, arrive.to})})
				}
			}
		}
	}
	return nil
}

// again is the letter of an arc that takes none.
const again letter = -1

// bombs finds the triples (p,p,q) from which (p,q,q) can be reached. An arc from
// each (p,q,q) back to its (p,p,q), the construction of Allauzen, Mohri and
// Rastogi, makes circles of these ways: they are in one connected part.
func (t *tripleSearch) bombs() map[int]*bomb {
	next := make([][]int, len(t.next))
	for n, x := range t.triples {
		if begin, ok := t.numbers[triple{x.stay, x.stay, x.arrive}]; ok && x.over == x.arrive {
			t.next[n] = append(t.next[n], arc{letter: again, to: begin})
		}
		for _, a := range t.next[n] {
			next[n] = append(next[n], a.to)
		}
	}
	part, _ := connected(next)
	found := map[int]*bomb{}
	for n, x := range t.triples {
		end, ok := t.numbers[triple{x.stay, x.arrive, x.arrive}]
		q := t.graph.part[x.arrive]
		if x.over == x.stay && ok && part[end] == part[n] && found[q] == nil {
			found[q] = &bomb{t.wayTo(x.stay), t.way(n, end), t.outcomes.text(t.nodes[x.stay].outcome), []int{x.stay, x.arrive}}
		}
	}
	return found
}

// way is a shortest text that leads from one triple to another.
func (t *tripleSearch) way(from, to int) []letter {
	before := map[int]arc{from: {to: -1}}
	queue := []int{from}
	for i := 0; i < len(queue) && queue[i] != to; i++ {
		for _, a := range t.next[queue[i]] {
			if _, seen := before[a.to]; !seen {
				before[a.to] = arc{letter: a.letter, to: queue[i]}
				queue = append(queue, a.to)
			}
		}
	}
	var word []letter
	for n := to; before[n].to >= 0; n = before[n].to {
		if before[n].letter != again {
			word = append(word, before[n].letter)
		}
	}
	slices.Reverse(word)
	return word
}
