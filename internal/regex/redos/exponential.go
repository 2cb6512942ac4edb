package redos

import "slices"

// pair is two nodes with the same outcome, on two paths through the same text.
type pair struct{ a, b int }

// step is how a pair was reached.
type step struct {
	from   pair
	letter letter
}

// bomb is a text with many paths for an engine: the more pumps, the more paths.
type bomb struct {
	prefix, pump, suffix []letter
	blame                []int // the nodes of the paths
}

// exponential looks for a node with two paths back to itself on the same text: each
// repetition of the text doubles the paths. This is the criterion EDA of Weber and
// Seidl; Allauzen, Mohri, and Rastogi show that one product of the automaton with
// itself is enough. In endless parts, it looks for one such text. In other parts, it
// looks for one for each place where two paths join, because some may be harmless if
// their repetition has a low limit.
func (g *graph) exponential(b *budget, endless bool) []*bomb {
	s := &splitSearch{graph: g, budget: b, come: map[pair]step{}, first: endless, joins: map[int]bool{}}
	for n := range g.nodes {
		if part := g.part[n]; !g.cyclic[part] || g.endless[part] != endless {
			continue
		}
		if s.from(pair{n, n}); endless && len(s.found) > 0 {
			break
		}
	}
	return s.found
}

// splitSearch follows pairs of paths that split in one node, until they join.
type splitSearch struct {
	*graph
	budget *budget
	come   map[pair]step // how each pair was reached
	first  bool          // one bomb is enough
	joins  map[int]bool  // the nodes for which a bomb was found
	found  []*bomb
}

func (s *splitSearch) from(origin pair) {
	queue := []pair{origin}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		for i, x := range s.arcs[p.a] {
			s.budget.spend(1)
			if s.part[x.to] != s.part[p.a] {
				continue
			}
			others := alike(s.arcs[p.b], x.order)
			if p.a == p.b {
				others = alike(s.arcs[p.b][i+1:], x.order)
			}
			s.budget.spend(len(others))
			for _, y := range others {
				next := pair{x.to, y.to}
				if s.part[y.to] != s.part[p.a] {
					continue
				}
				if next.a == next.b {
					if s.join(p, x); s.first {
						return
					}
					continue
				}
				if _, seen := s.come[next]; !seen {
					s.come[next] = step{p, x.letter}
					queue = append(queue, next)
				}
			}
		}
	}
}

// join adds the bomb of two paths that join by x, if it is the first of its node.
func (s *splitSearch) join(p pair, x arc) {
	if !s.joins[x.to] {
		s.joins[x.to] = true
		s.found = append(s.found, s.bomb(p, x))
	}
}

// bomb returns the text that leads from a node to itself through the pair, from which x
// joins.
func (s *splitSearch) bomb(p pair, x arc) *bomb {
	pump := []letter{x.letter}
	blame := []int{x.to, p.a, p.b}
	for p.a != p.b {
		come := s.come[p]
		pump, p = append(pump, come.letter), come.from
		blame = append(blame, p.a, p.b)
	}
	slices.Reverse(pump)
	pump = append(pump, s.graph.way(x.to, p.a, s.budget)...)
	return &bomb{s.wayTo(p.a), pump, s.outcomes.text(s.nodes[p.a].outcome), blame}
}
