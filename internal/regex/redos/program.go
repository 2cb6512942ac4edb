package redos

import (
	"errors"
	"regexp/syntax"
)

// program is an expression as instructions of a backtracking engine.
type program struct {
	code  []instruction
	start int
	match int
	// loose tells that repetitions with a limit are repeated without one.
	loose bool
}

// instruction consumes a character (opSet), looks around (opLook), tries out in
// its order (opAlternate), goes back to a repetition (opRepeat), or ends with a
// match (opEmpty).
type instruction struct {
	op   op
	tree *tree
	out  []int
	// loop is set for a repetition of what can match nothing, where it tries (body
	// is then what is repeated) and where it goes back.
	loop loops
	body int
}

// loops is a set of repetitions that have begun to repeat since the last
// character. As in the engines, what consumed nothing is not repeated again.
type loops uint64

const mostLoops = 64

// follow is the loops that have begun when an instruction goes to one of its
// out; ok is false if it can't go there.
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

// errTooComplex tells that a stage of a judgement is more work than its budget.
var errTooComplex = errors.New("the expression is too complex")

// compiler writes a program from its end to its beginning.
type compiler struct {
	program
	budget *budget
	loops  int // that need an entry in loops
}

// compile writes a program. A loose one repeats without limit what is repeated more
// than once: each of its own ways through a text the expression has there, too.
func compile(t *tree, loose bool, b *budget) (*program, error) {
	c := &compiler{program: program{loose: loose && t.shape().limited > 0}, budget: b}
	c.match = c.add(instruction{op: opEmpty})
	var err error
	c.start, err = c.compile(t, c.match)
	if err != nil {
		return nil, err
	}
	return &c.program, nil
}

func (c *compiler) add(i instruction) int {
	c.code = append(c.code, i)
	return len(c.code) - 1
}

// compile writes what leads through the tree to next, and returns its beginning.
func (c *compiler) compile(t *tree, next int) (int, error) {
	err := c.budget.spend(4)
	if err != nil {
		return 0, err
	}
	switch t.op {
	case opSet, opLook:
		next = c.add(instruction{op: t.op, tree: t, out: []int{next}})
	case opSequence:
		for i := len(t.subs) - 1; i >= 0 && err == nil; i-- {
			next, err = c.compile(t.subs[i], next)
		}
	case opAlternate:
		out := make([]int, len(t.subs))
		for i, sub := range t.subs {
			if out[i], err = c.compile(sub, next); err != nil {
				return 0, err
			}
		}
		next = c.add(instruction{op: opAlternate, tree: t, out: out})
	case opRepeat:
		return c.repeat(t, next)
	}
	return next, err
}

func (c *compiler) repeat(t *tree, next int) (int, error) {
	least, most := t.min, t.max
	if c.loose && t.limited() {
		least, most = min(least, 1), unlimited
	}
	if most == 0 {
		return next, nil
	}
	var err error
	if most == unlimited {
		if next, err = c.loop(t, least > 0, next); err != nil {
			return 0, err
		}
		least--
	}
	for after, n := next, most-least; n > 0 && most != unlimited; n-- {
		body, err := c.compile(t.subs[0], next)
		if err != nil {
			return 0, err
		}
		next = c.add(choice(t, body, after))
	}
	for ; least > 0 && err == nil; least-- {
		next, err = c.compile(t.subs[0], next)
	}
	return next, err
}

// loop repeats a tree, at least once if it has to be there.
func (c *compiler) loop(t *tree, once bool, next int) (int, error) {
	head := c.add(instruction{})
	back := head
	var loop loops
	if t.subs[0].empty() {
		if c.loops == mostLoops {
			return 0, errTooComplex
		}
		loop = 1 << c.loops
		c.loops++
		back = c.add(instruction{op: opRepeat, tree: t, out: []int{head}, loop: loop})
	}
	body, err := c.compile(t.subs[0], back)
	if err != nil {
		return 0, err
	}
	c.code[head] = choice(t, body, next)
	c.code[head].loop, c.code[head].body = loop, body
	if once {
		return body, nil
	}
	return head, nil
}

// choice tries one more repetition first, or last where it is lazy.
func choice(t *tree, body, after int) instruction {
	if t.lazy {
		return instruction{op: opAlternate, tree: t, out: []int{after, body}}
	}
	return instruction{op: opAlternate, tree: t, out: []int{body, after}}
}

// kind is what stands before or after a position, as far as looks tell it apart.
type kind uint8

const (
	edge    kind = iota // the beginning or the end of the text
	newline             // \n
	word                // 0-9, A-Z, a-z and _
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

// condition is the set of pairs of kinds, before and after a position, in which
// a look holds.
type condition uint16

const always condition = 1<<(kinds*kinds) - 1

// after are the kinds that may follow, as bits, if before came before.
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
