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
