package redos

import (
	"regexp/syntax"
	"slices"
)

// tree is an expression as it was written. The tree of package syntax is not:
// it takes (?:a|a)* for a* and (?:a+)+ for a+, which a backtracking engine
// doesn't.
type tree struct {
	op    op
	at    int // where it begins in the pattern, in bytes
	end   int // and where it ends
	runes []rune
	look  syntax.EmptyOp
	subs  []*tree
	min   int
	max   int // unlimited if there is none
	lazy  bool
}

type op uint8

const (
	opEmpty     op = iota // matches without any text
	opSet                 // one character of runes, which are pairs: first and last
	opLook                // a position such as ^ and \b
	opSequence            // subs one after the other
	opAlternate           // one of subs, of which the first is tried first
	opRepeat              // subs[0], min to max times
)

const unlimited = -1

// visit calls f for the tree and all that is in it.
func (t *tree) visit(f func(*tree)) {
	f(t)
	for _, sub := range t.subs {
		sub.visit(f)
	}
}

// limited tells whether something is repeated more than once, up to a limit.
func (t *tree) limited() bool { return t.op == opRepeat && t.max >= 2 }

// looks tells whether the expression looks at what stands around a position.
func (t *tree) looks() bool {
	found := false
	t.visit(func(t *tree) { found = found || t.op == opLook })
	return found
}

// empty tells whether the tree can match without any text.
func (t *tree) empty() bool {
	switch t.op {
	case opSet:
		return false
	case opSequence:
		return !slices.ContainsFunc(t.subs, func(sub *tree) bool { return !sub.empty() })
	case opAlternate:
		return slices.ContainsFunc(t.subs, (*tree).empty)
	case opRepeat:
		return t.min == 0 || t.subs[0].empty()
	}
	return true
}

// endless are the sets that stand in a repetition without limit.
func (t *tree) endless() map[*tree]bool {
	found := map[*tree]bool{}
	t.visit(func(t *tree) {
		if t.op != opRepeat || t.max != unlimited || found[t] {
			return
		}
		t.visit(func(inner *tree) { found[inner] = true })
	})
	return found
}

// shape is what is known of an expression before any analysis.
type shape struct {
	loops   int // repetitions without limit
	limited int // repetitions of more than once, with a limit
	open    int // those of limited that may end earlier
	choices int // alternations, and what can be left out
	skips   int // repetitions with a limit of what can match nothing
}

func (t *tree) shape() shape {
	var s shape
	t.visit(func(t *tree) {
		switch {
		case t.op == opAlternate:
			s.choices++
		case t.op != opRepeat:
		case t.max == unlimited:
			s.loops++
		case t.limited():
			s.limited++
			if t.min < t.max {
				s.open++
			}
			if t.subs[0].empty() {
				s.skips++
			}
		default:
			s.choices++
		}
	})
	return s
}

// branches tells whether so much can be left out or end earlier that it alone can take
// more steps than are within reach, without any repetition of a repetition.
func (s shape) branches() bool {
	return s.choices > fewChoices || s.open > fewOpen || s.skips > 0
}

// fewSigns tells whether a pattern surely repeats nothing and has few choices, by
// counting signs: those in brackets, too, but not those behind a backslash.
func fewSigns(pattern string) bool {
	choices := 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
			if i < len(pattern) && pattern[i] == 'Q' {
				return false // what follows is no sign, and a backslash there is none
			}
		case '*', '+', '{':
			return false
		case '|', '?':
			choices++
		}
	}
	return choices <= fewChoices
}

// loopAround is the smallest repetition around a part of the pattern, or that
// part itself if none is.
func (t *tree) loopAround(part Part) Part {
	return t.smallestLoop(part, func(loop Part) bool { return loop.At <= part.At && loop.End >= part.End })
}

// loopBeyond is the smallest repetition around another one.
func (t *tree) loopBeyond(part Part) Part {
	return t.smallestLoop(part, func(loop Part) bool {
		return loop != part && loop.At <= part.At && loop.End >= part.End
	})
}

func (t *tree) smallestLoop(part Part, fits func(Part) bool) Part {
	found, size := part, -1
	t.visit(func(t *tree) {
		loop := Part{t.at, t.end}
		loops := t.op == opRepeat && (t.max == unlimited || t.limited())
		if loops && fits(loop) && (size < 0 || t.end-t.at < size) {
			found, size = loop, t.end-t.at
		}
	})
	return found
}
