package backtrack

import "math"

// counter counts the steps of a backtracking engine without taking them: what it
// does at an instruction and a place is always the same, and is counted once.
type counter struct {
	program *program
	member  map[*tree][]bool // by letter
	kind    []kind
}

func newCounter(p *program, a *alphabet) *counter {
	c := &counter{program: p, member: map[*tree][]bool{}, kind: a.kind}
	for t, letters := range a.sets {
		in := make([]bool, len(a.show))
		for _, l := range letters {
			in[l] = true
		}
		c.member[t] = in
	}
	return c
}

// mostCounted bounds the places times the instructions that are counted at once.
const mostCounted = 1_000_000

// fits tells whether a text of so many letters can be counted.
func (c *counter) fits(letters int) bool {
	return (letters+1)*len(c.program.code) <= mostCounted
}

// steps counts the instructions that an engine carries out that searches a text,
// as often as it does; math.MaxFloat64 if they are more.
func (c *counter) steps(text []letter) float64 {
	r := &count{
		counter: c, text: text, known: make([]outcome, (len(text)+1)*len(c.program.code)), within: map[situation]outcome{},
	}
	sum := 0.0
	for at := range len(text) + 1 {
		o := r.at(situation{c.program.start, at, 0})
		sum += o.steps
		if o.matches {
			break
		}
	}
	return sum
}

type count struct {
	*counter
	text []letter
	// known holds what was counted where no loop has begun, by place and
	// instruction; within holds the rest.
	known  []outcome
	within map[situation]outcome
}

// situation is all that decides what comes of an instruction.
type situation struct {
	instruction, place int
	begun              loops
}

// outcome is what comes of a situation.
type outcome struct {
	steps   float64 // 0 if that is not known yet
	matches bool
}

func (c *count) at(s situation) outcome {
	if s.begun != 0 {
		o, ok := c.within[s]
		if !ok {
			o = c.carryOut(s)
			c.within[s] = o
		}
		return o
	}
	o := &c.known[s.place*len(c.program.code)+s.instruction]
	if o.steps == 0 {
		*o = c.carryOut(s)
	}
	return *o
}

func (c *count) carryOut(s situation) outcome {
	in := &c.program.code[s.instruction]
	o := outcome{1, in.op == opEmpty}
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

// canGo tells whether the text at a place is what an instruction needs.
func (c *count) canGo(in *instruction, place int) bool {
	switch in.op {
	case opSet:
		return place < len(c.text) && c.member[in.tree][c.text[place]]
	case opLook:
		return conditionOf(in.tree.look).after(c.kindAt(place-1))&(1<<c.kindAt(place)) != 0
	}
	return true
}

// kindAt is the kind of the letter at a place, edge outside of the text.
func (c *count) kindAt(place int) kind {
	if place < 0 || place >= len(c.text) {
		return edge
	}
	return c.kind[c.text[place]]
}
