package redos

import (
	"regexp/syntax"
	"slices"
)

// tree is an expression as written, unlike the tree of package syntax, which simplifies
// (?:a|a)* to a* and (?:a+)+ to a+. A backtracking engine does not simplify them.
type tree struct {
	op    op
	at    int // its start in the pattern, in bytes
	end   int // its end
	runes []rune
	look  syntax.EmptyOp
	subs  []*tree
	min   int
	max   int // unlimited if there is none
	lazy  bool
}

type op uint8

const (
	opEmpty     op = iota // matches the empty text
	opSet                 // one character of runes, which are pairs of first and last
	opLook                // a position such as ^ and \b
	opSequence            // subs one after the other
	opAlternate           // one of subs, tried in order
	opRepeat              // subs[0], min to max times
)

const unlimited = -1

// visit calls f for the tree and all its subtrees.
func (t *tree) visit(f func(*tree)) {
	f(t)
	for _, sub := range t.subs {
		sub.visit(f)
	}
}

// limited reports whether something is repeated more than once, with a limit.
func (t *tree) limited() bool { return t.op == opRepeat && t.max >= 2 }

// looks reports whether the expression checks positions.
func (t *tree) looks() bool {
	found := false
	t.visit(func(t *tree) { found = found || t.op == opLook })
	return found
}

// empty reports whether the tree can match the empty text.
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

// endless returns the sets inside a repetition without limit.
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

// shape is what is known about an expression before any analysis.
type shape struct {
	loops   int // repetitions without limit
	limited int // repetitions of more than once, with a limit
	open    int // limited repetitions that may end earlier
	choices int // alternations and optional parts
	skips   int // limited repetitions of something that can be empty
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

// branches reports whether so many parts are optional or may end earlier that these
// alone can take too many steps, without nested repetitions.
func (s shape) branches() bool {
	return s.choices > fewChoices || s.open > fewOpen || s.skips > 0
}

// fewSigns reports whether a pattern certainly repeats nothing and has few choices, by
// counting special characters: including those in classes, but not those after a
// backslash.
func fewSigns(pattern string) bool {
	choices := 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
			if i < len(pattern) && pattern[i] == 'Q' {
				return false // \Q makes the following characters literal
			}
		case '*', '+', '{':
			return false
		case '|', '?':
			choices++
		}
	}
	return choices <= fewChoices
}

// loopAround returns the smallest repetition around a part of the pattern, or the part
// itself if there is none. If beyond, the part is not its own repetition.
func (t *tree) loopAround(part Part, beyond bool) Part {
	found, size := part, -1
	t.visit(func(t *tree) {
		loop := Part{t.at, t.end}
		fits := loop.At <= part.At && loop.End >= part.End && !(beyond && loop == part)
		if fits && t.op == opRepeat && (t.max == unlimited || t.limited()) && (size < 0 || t.end-t.at < size) {
			found, size = loop, t.end-t.at
		}
	})
	return found
}
