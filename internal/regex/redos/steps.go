package redos

import (
	"math"
	"slices"
)

// counter counts the steps of a backtracking engine without running it: the steps at an
// instruction and a place are always the same, and are counted once.
type counter struct {
	*alphabet
	program *program
	budget  *budget
	begins  []int // where worst begins
	// matchless counts the steps of an engine that never finds a match and tries all
	// paths.
	matchless bool
	text      []letter
	// known has the counts where no loop has begun, by place and instruction, and
	// filled says which are known; within has the other counts.
	known  [][]*page
	filled []*outcome
	within map[situation]outcome
}

// page has the counts of some instructions at a place. A text uses only a few pages.
type page [64]outcome

// steps counts the instructions that an engine executes in a search of a text; at most
// math.MaxFloat64.
func (c *counter) steps(text []letter) float64 {
	c.text, c.within = text, map[situation]outcome{}
	for _, o := range c.filled {
		*o = outcome{}
	}
	c.filled = c.filled[:0]
	for len(c.known) <= len(text) {
		c.known = append(c.known, nil)
	}
	sum := 0.0
	for at := range len(text) + 1 {
		o := c.at(situation{c.program.start, at, 0})
		if sum = min(sum+o.steps, math.MaxFloat64); o.matches {
			break
		}
	}
	return sum
}

// worst returns the steps, or those of an engine that starts the text at one of the
// instructions, and that instruction: the first that takes enough.
func (c *counter) worst(text []letter, enough float64) (begin int, steps float64) {
	begin, steps = c.program.start, c.steps(text)
	for _, i := range c.begins {
		if steps >= enough {
			break
		}
		if len(text) > 0 && c.member[c.program.code[i].tree][text[0]] {
			begin, steps = i, c.at(situation{i, 0, 0}).steps
		}
	}
	c.budget.spend(len(c.begins) / 4)
	return begin, steps
}

// beginAt makes worst begin at the instructions of the sets that a graph can reach, in
// their first rounds: the compiler builds those last.
func (c *counter) beginAt(g *graph) {
	sets := map[*tree]bool{}
	for _, n := range g.nodes {
		sets[g.states[n.state].tree] = true
	}
	for i := len(c.program.code) - 1; i >= 0; i-- {
		if in := c.program.code[i]; in.op == opSet && sets[in.tree] {
			sets[in.tree] = false
			c.begins = append(c.begins, i)
		}
	}
}

// wayTo returns a text that leads to an instruction at which looks hold.
func (c *counter) wayTo(to int) []letter {
	arcs := func(i int) (arcs []arc) {
		in, l := &c.program.code[i], again
		if in.op == opSet {
			if l = slices.Index(c.member[in.tree], true); l < 0 {
				return nil
			}
		}
		for _, out := range in.out {
			arcs = append(arcs, arc{letter: l, to: out})
		}
		return arcs
	}
	return shortest(c.program.start, to, arcs, c.budget)
}

// situation is everything that determines the outcome of an instruction.
type situation struct {
	instruction, place int
	begun              loops
}

// outcome is the result of a situation.
type outcome struct {
	steps   float64 // 0 if not yet known
	matches bool
}

func (c *counter) at(s situation) outcome {
	if s.begun != 0 {
		o, ok := c.within[s]
		if !ok {
			o = c.carryOut(s)
			c.within[s] = o
		}
		return o
	}
	if c.known[s.place] == nil {
		c.known[s.place] = make([]*page, len(c.program.code)/len(page{})+1)
	}
	p := &c.known[s.place][s.instruction/len(page{})]
	if *p == nil {
		*p = new(page)
	}
	o := &(*p)[s.instruction%len(page{})]
	if o.steps == 0 {
		c.filled = append(c.filled, o)
		*o = c.carryOut(s)
	}
	return *o
}

// carryOut counts the steps from a situation.
func (c *counter) carryOut(s situation) outcome {
	in := &c.program.code[s.instruction]
	o := outcome{1, in.op == opEmpty && !c.matchless}
	c.budget.spend(1)
	if !c.canGo(in, s.place) {
		return o
	}
	place := s.place
	if in.op == opSet {
		place++
	}
	for _, out := range in.out {
		begun, ok := in.follow(out, s.begun)
		if !ok {
			continue
		}
		next := c.at(situation{out, place, begun})
		o.steps = min(o.steps+next.steps, math.MaxFloat64)
		if next.matches {
			o.matches = true
			break
		}
	}
	return o
}

// canGo reports whether the text at a place matches an instruction.
func (c *counter) canGo(in *instruction, place int) bool {
	switch in.op {
	case opSet:
		return place < len(c.text) && c.member[in.tree][c.text[place]]
	case opLook:
		return conditionOf(in.tree.look).after(c.kindAt(place-1))&(1<<c.kindAt(place)) != 0
	}
	return true
}

// kindAt returns the kind of the letter at a place, edge outside the text.
func (c *counter) kindAt(place int) kind {
	if place < 0 || place >= len(c.text) {
		return edge
	}
	return c.kind[c.text[place]]
}

// A text of this many repeated letters that takes this many steps is out of reach.
const (
	reachLetters = 64
	reachSteps   = 1_000_000
)

// enough returns how many steps are out of reach: more than a growth of the degree
// explains, and more than some for each instruction at each letter.
func (j *judge) enough(degree int) float64 {
	const some = 4
	return max(reachSteps, math.Pow(reachLetters, float64(degree+1)), float64(some*reachLetters*len(j.counter.program.code)))
}

// beyondReach counts the steps in texts that may take very many although their growth
// has a limit: those of the rough findings, and repetitions of one letter. If a part of
// the expression takes too many steps but no text is known that leads there, the
// expression is too complex, because such a text may exist.
func (j *judge) beyondReach(m *machine, rough findings, degree int) (v Verdict, found bool) {
	j.counter.beginAt(rough.graph)
	last, hidden := m.rarest(), false
	for _, candidate := range j.candidates(m, rough) {
		for i, letters := range []int{reachLetters * 3 / 8, reachLetters / 2, reachLetters * 3 / 4, reachLetters} {
			if i == 1 && j.mostSteps(candidate, last, degree) < j.enough(degree) {
				break
			}
			for _, suffix := range [][]letter{candidate.suffix, {last}} {
				attack := &bomb{nil, candidate.pump, suffix, candidate.blame}
				text := attack.text(letters - len(suffix) - len(attack.pump) + 1)
				begin, n := j.counter.worst(text, j.enough(degree))
				if n < j.enough(degree) {
					continue
				}
				for _, attack.prefix = range [][]letter{j.counter.wayTo(begin), candidate.prefix} {
					if j.counter.steps(append(slices.Clone(attack.prefix), text...)) >= j.enough(degree) {
						return j.limitedVerdict(attack, rough.graph), true
					}
				}
				hidden = true
			}
		}
	}
	if hidden {
		panic(errTooComplex)
	}
	return Verdict{}, false
}

// mostSteps limits the steps in the texts of a candidate by those of an engine that
// never finds a match.
func (j *judge) mostSteps(candidate *bomb, last letter, degree int) float64 {
	text := (&bomb{nil, candidate.pump, append(slices.Clone(candidate.suffix), last), nil}).text(reachLetters)
	j.counter.matchless = true
	defer func() { j.counter.matchless = false }()
	_, n := j.counter.worst(text, j.enough(degree))
	return n
}

// candidates returns texts that may be out of reach.
func (j *judge) candidates(m *machine, rough findings) []*bomb {
	bombs := slices.Clone(rough.limited)
	if rough.growth == Exponential {
		bombs = append(bombs, rough.bombs...)
	}
	if len(rough.limited) > 0 || rough.growth != Linear || j.shape.branches() {
		for l := range m.show {
			bombs = append(bombs, &bomb{pump: []letter{l}})
		}
	}
	return slices.DeleteFunc(bombs, func(b *bomb) bool { return len(b.pump) > reachLetters })
}

// confirm judges an expression that is too complex for an exact analysis by the steps
// in texts of two lengths from the rough findings.
func (j *judge) confirm(m *machine, rough findings) Verdict {
	const letters = 120
	if rough.growth != Polynomial {
		panic(errTooComplex)
	}
	last := m.rarest()
	for _, candidate := range rough.bombs {
		for _, suffix := range [][]letter{candidate.suffix, {last}} {
			attack := &bomb{candidate.prefix, candidate.pump, suffix, candidate.blame}
			once, twice := j.counter.steps(attack.text(letters)), j.counter.steps(attack.text(2*letters))
			if degree := int(math.Round(math.Log2(twice / once))); degree >= 2 {
				found := findings{growth: Polynomial, degree: min(degree, rough.degree), graph: rough.graph, bombs: []*bomb{attack}}
				return found.verdict(j.tree)
			}
		}
	}
	panic(errTooComplex)
}

func (j *judge) limitedVerdict(attack *bomb, g *graph) Verdict {
	found := findings{growth: Exponential, graph: g, bombs: []*bomb{attack}}
	v := found.verdict(j.tree)
	v.Limited = true
	if len(attack.blame) == 0 {
		v.Part = Part{j.tree.at, j.tree.end}
	}
	return v
}

// rarest returns the letter that is in the fewest sets of the expression: most paths
// end at it.
func (a *alphabet) rarest() letter {
	in := make([]int, len(a.show))
	for _, letters := range a.sets {
		for _, l := range letters {
			in[l]++
		}
	}
	return slices.Index(in, slices.Min(in))
}
