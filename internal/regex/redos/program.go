package redos

import (
	"errors"
	"regexp/syntax"
	"slices"
)

// program is an expression as instructions for a backtracking engine.
type program struct {
	code  []instruction
	start int
	match int
	// loose says that repetitions with a limit are repeated without one.
	loose bool
}

// instruction consumes a character (opSet), checks a position (opLook), tries out in
// order (opAlternate), returns to a repetition (opRepeat), or ends with a match
// (opEmpty).
type instruction struct {
	op   op
	tree *tree
	out  []int
	// loop is set for a repetition of something that can be empty, where it tries (body
	// is then the repeated part) and where it returns.
	loop loops
	body int
}

// loops is the set of repetitions that have begun a round since the last character. As
// in the engines, an empty round is not repeated.
type loops uint64

const mostLoops = 64

// follow returns the loops that have begun when an instruction continues to one of its
// out; ok is false if it can't.
func (in *instruction) follow(out int, begun loops) (after loops, ok bool) {
	switch {
	case in.op == opSet:
		return 0, true
	case in.op == opRepeat:
		return begun, begun&in.loop == 0
	case out == in.body:
		return begun | in.loop, true
	}
	return begun &^ in.loop, true
}

// errTooComplex says that a stage of an analysis exceeds its budget.
var errTooComplex = errors.New("the expression is too complex")

// compiler builds a program from its end to its beginning.
type compiler struct {
	program
	budget *budget
	loops  int // that need an entry in loops
}

// compile builds a program. A loose one repeats without limit what is repeated more
// than once, so it has at least the paths of the expression through a text.
func compile(t *tree, loose bool, b *budget) *program {
	c := &compiler{program: program{loose: loose && t.shape().limited > 0}, budget: b}
	c.code = make([]instruction, 0, t.end-t.at+2) // enough for most patterns
	c.match = c.add(instruction{op: opEmpty})
	c.start = c.compile(t, c.match)
	return &c.program
}

func (c *compiler) add(i instruction) int {
	c.code = append(c.code, i)
	return len(c.code) - 1
}

// compile builds the instructions that lead through the tree to next, and returns their
// beginning.
func (c *compiler) compile(t *tree, next int) int {
	c.budget.spend(4)
	switch t.op {
	case opSet, opLook:
		next = c.add(instruction{op: t.op, tree: t, out: []int{next}})
	case opSequence:
		for _, sub := range slices.Backward(t.subs) {
			next = c.compile(sub, next)
		}
	case opAlternate:
		out := make([]int, len(t.subs))
		for i, sub := range t.subs {
			out[i] = c.compile(sub, next)
		}
		next = c.add(instruction{op: opAlternate, tree: t, out: out})
	case opRepeat:
		return c.repeat(t, next)
	}
	return next
}

func (c *compiler) repeat(t *tree, next int) int {
	least, most := t.min, t.max
	if c.loose && t.limited() {
		least, most = min(least, 1), unlimited
	}
	if most == 0 {
		return next
	}
	if most == unlimited {
		next = c.loop(t, least > 0, next)
		least--
	}
	for after, n := next, most-least; n > 0 && most != unlimited; n-- {
		next = c.add(choice(t, c.compile(t.subs[0], next), after))
	}
	for ; least > 0; least-- {
		next = c.compile(t.subs[0], next)
	}
	return next
}

// loop repeats a tree, at least once if it is required.
func (c *compiler) loop(t *tree, once bool, next int) int {
	head := c.add(instruction{})
	back := head
	var loop loops
	if t.subs[0].empty() {
		if c.loops == mostLoops {
			panic(errTooComplex)
		}
		loop = 1 << c.loops
		c.loops++
		back = c.add(instruction{op: opRepeat, tree: t, out: []int{head}, loop: loop})
	}
	body := c.compile(t.subs[0], back)
	c.code[head] = choice(t, body, next)
	c.code[head].loop, c.code[head].body = loop, body
	if once {
		return body
	}
	return head
}

// choice tries one more round first, or last if the repetition is lazy.
func choice(t *tree, body, after int) instruction {
	if t.lazy {
		return instruction{op: opAlternate, tree: t, out: []int{after, body}}
	}
	return instruction{op: opAlternate, tree: t, out: []int{body, after}}
}

// kind is the kind of character before or after a position, as far as looks distinguish
// it.
type kind uint8

const (
	edge    kind = iota // the beginning or the end of the text
	newline             // \n
	word                // 0-9, A-Z, a-z, and _
	other
	kinds
)

func kindOf(r rune) kind {
	switch {
	case r == '\n':
		return newline
	case syntax.IsWordChar(r):
		return word
	}
	return other
}

// condition is the set of pairs of kinds, before and after a position, for which a look
// holds.
type condition uint16

const always condition = 1<<(kinds*kinds) - 1

// after returns the kinds that may follow a kind, as bits.
func (c condition) after(before kind) uint8 {
	return uint8(c>>(before*kinds)) & allKinds
}

const allKinds = 1<<kinds - 1

func conditionOf(look syntax.EmptyOp) condition {
	var c condition
	for before := range kinds {
		for after := range kinds {
			var holds bool
			switch look {
			case syntax.EmptyBeginText:
				holds = before == edge
			case syntax.EmptyBeginLine:
				holds = before == edge || before == newline
			case syntax.EmptyEndText:
				holds = after == edge
			case syntax.EmptyEndLine:
				holds = after == edge || after == newline
			case syntax.EmptyWordBoundary:
				holds = (before == word) != (after == word)
			case syntax.EmptyNoWordBoundary:
				holds = (before == word) == (after == word)
			}
			if holds {
				c |= 1 << (before*kinds + after)
			}
		}
	}
	return c
}
