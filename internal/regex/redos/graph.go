package redos

import "slices"

// graph models an engine: a node is a state with the outcome of the text that follows,
// and an arc is a step that the engine takes on that text. The number of paths through
// a text is the number of steps of the engine in it.
type graph struct {
	*machine
	outcomes *outcomes
	nodes    []node
	arcs     [][]arc
	from     []arc // a shortest path to each node: the previous node
	// part numbers the strongly connected parts; arcs lead to parts with smaller
	// numbers.
	part   []int
	cyclic []bool // for each part, whether it has an arc inside
	// endless says for each part whether it is cyclic and has more than repetitions whose
	// limit a loose program ignores.
	endless []bool
	first   []int // for each part, a node of it
	inPart  [][]int
	reached []int // for each node, the part from which it was last reached
}

type node struct{ state, outcome int }

// arc is a step of an engine on a letter.
type arc struct {
	letter letter
	// order numbers the pairs of a letter and the outcome of the text after it that lead
	// to the outcome of the node. The arcs of a node are sorted.
	order int
	to    int
}

// alike returns the arcs for the same letter before the same text.
func alike(arcs []arc, order int) []arc {
	first, _ := slices.BinarySearchFunc(arcs, order, func(a arc, order int) int { return a.order - order })
	last := first
	for last < len(arcs) && arcs[last].order == order {
		last++
	}
	return arcs[first:last]
}

// budget limits the work of a stage of an analysis, in units of about ten nanoseconds.
type budget struct{ left, spent int }

// spend panics with errTooComplex if the budget is exhausted. Judge, or an earlier caller
// that has another way, recovers from that with withinBudget.
func (b *budget) spend(n int) {
	b.left, b.spent = b.left-n, b.spent+n
	if b.left < 0 {
		panic(errTooComplex)
	}
}

// withinBudget calls f and reports whether the budget was enough.
func withinBudget(f func()) (enough bool) {
	defer func() {
		if cause := recover(); cause != nil && cause != errTooComplex {
			panic(cause)
		}
	}()
	f()
	return true
}

// newGraph builds the part of the graph that an engine can reach.
func newGraph(m *machine, o *outcomes, b *budget) *graph {
	g := &graph{machine: m, outcomes: o}
	numbers := make([][]int, len(o.matching)) // for each outcome and state, the node plus 1
	add := func(n node, from arc) int {
		if numbers[n.outcome] == nil {
			b.spend(len(m.states) / 8)
			numbers[n.outcome] = make([]int, len(m.states))
		}
		i := &numbers[n.outcome][n.state]
		if *i == 0 {
			g.nodes, g.arcs, g.from = append(g.nodes, n), append(g.arcs, nil), append(g.from, from)
			*i = len(g.nodes)
		}
		return *i - 1
	}
	for outcome := range o.matching {
		add(node{m.initial, outcome}, arc{to: -1})
	}
	for i := 0; i < len(g.nodes); i++ {
		n := g.nodes[i]
		b.spend(1 + len(o.before[n.outcome])*(4+len(m.states[n.state].edges))/8)
		for order, r := range o.before[n.outcome] {
			for _, to := range m.steps(n.state, r, o) {
				j := add(node{to, r.outcome}, arc{letter: r.letter, to: i})
				g.arcs[i] = append(g.arcs[i], arc{r.letter, order, j})
			}
		}
	}
	arcs := 0
	for _, a := range g.arcs {
		arcs += len(a)
	}
	b.spend(2 * (len(g.nodes) + arcs))
	g.connectedParts()
	return g
}

// steps returns the states that an engine tries on a letter: up to the first that leads
// to a match.
func (m *machine) steps(from int, r reading, o *outcomes) []int {
	var to []int
	for _, e := range m.states[from].edges {
		switch {
		case e.to == matched:
			if m.trusted && e.next&(1<<m.kind[r.letter]) != 0 {
				return to
			}
		case m.states[e.to].letters[r.letter]:
			to = append(to, e.to)
			if o.matches(r.outcome, e.to) {
				return to
			}
		}
	}
	return to
}

func (g *graph) connectedParts() {
	next := make([][]int, len(g.arcs))
	for i, arcs := range g.arcs {
		for _, a := range arcs {
			next[i] = append(next[i], a.to)
		}
	}
	var count int
	g.part, count = connected(next)
	g.cyclic, g.endless, g.first = make([]bool, count), make([]bool, count), make([]int, count)
	for i, arcs := range g.arcs {
		g.first[g.part[i]] = i
		for _, a := range arcs {
			if g.part[a.to] == g.part[i] {
				g.cyclic[g.part[i]] = true
			}
		}
	}
	for i, n := range g.nodes {
		part := g.part[i]
		g.endless[part] = g.endless[part] || g.cyclic[part] && g.states[n.state].endless
	}
}

// connected numbers the strongly connected parts of a graph with Tarjan's algorithm,
// without recursion. The parts that a part leads to have smaller numbers.
func connected(next [][]int) (part []int, count int) {
	const unseen = -1
	part = slices.Repeat([]int{unseen}, len(next))
	low := slices.Repeat([]int{unseen}, len(next))
	order, at := slices.Clone(low), make([]int, len(next))
	var stack, path []int
	seen := 0
	for root := range next {
		if order[root] != unseen {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			n := path[len(path)-1]
			if order[n] == unseen {
				order[n], low[n] = seen, seen
				seen++
				stack = append(stack, n)
			}
			if at[n] < len(next[n]) {
				to := next[n][at[n]]
				at[n]++
				if order[to] == unseen {
					path = append(path, to)
				} else if part[to] == unseen {
					low[n] = min(low[n], order[to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				before := path[len(path)-1]
				low[before] = min(low[before], low[n])
			}
			if low[n] != order[n] {
				continue
			}
			for done := false; !done; {
				top := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				part[top], done = count, top == n
			}
			count++
		}
	}
	return part, count
}

// wayTo returns a shortest text that leads from the beginning to a node.
func (g *graph) wayTo(n int) []letter {
	var word []letter
	for g.from[n].to >= 0 {
		word = append(word, g.from[n].letter)
		n = g.from[n].to
	}
	slices.Reverse(word)
	return word
}

// way returns a shortest text that leads from one node to another that it can reach.
func (g *graph) way(from, to int, b *budget) []letter {
	return shortest(from, to, func(n int) []arc { return g.arcs[n] }, b)
}

// shortest returns the text of the fewest arcs that lead from one place to another;
// nothing if there are none. The letter again adds no text.
func shortest(from, to int, arcs func(place int) []arc, b *budget) []letter {
	before := map[int]arc{from: {to: -1}}
	queue := []int{from}
	for i := 0; i < len(queue) && queue[i] != to; i++ {
		next := arcs(queue[i])
		b.spend(4 + 4*len(next))
		for _, a := range next {
			if _, seen := before[a.to]; !seen {
				before[a.to] = arc{letter: a.letter, to: queue[i]}
				queue = append(queue, a.to)
			}
		}
	}
	var word []letter
	for a, ok := before[to]; ok && a.to >= 0; a, ok = before[a.to] {
		if a.letter != again {
			word = append(word, a.letter)
		}
	}
	slices.Reverse(word)
	return word
}
