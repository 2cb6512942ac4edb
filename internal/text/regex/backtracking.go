package regex

import (
	"regexp/syntax"
)

// The limit of the work, in units of some twenty nanoseconds: per byte of a pattern, and
// for some additional bytes. The patterns of a document therefore take no longer than its
// length allows, and do not depend on each other.
const (
	workPerByte = 1000
	moreBytes   = 64
	mostWork    = 2_000_000
)

// Growth says how the steps of an engine grow with the length of a text.
type Growth uint8

// The growths. Unjudged is the zero Growth.
const (
	Unjudged    Growth = iota // the analysis would have taken too much work
	Polynomial                // at most a power of the length
	Exponential               // each repetition of some text multiplies them
)

// Backtracking is the result of JudgeBacktracking.
type Backtracking struct {
	Growth Growth
	// Attack is nil unless Growth is Exponential because of a repetition.
	Attack *Attack
}

// Attack describes texts that make an engine slow if it finds no match in them: the
// prefix, and any number of pumps.
type Attack struct {
	Part         Part // that lets an engine take several paths
	Prefix, Pump string
}

// JudgeBacktracking finds out whether a backtracking engine can take exponential time to search for a
// pattern that package syntax parses with the flags, usually syntax.Perl. The verdict
// depends on nothing else.
func JudgeBacktracking(pattern string, flags syntax.Flags) Backtracking {
	if hasFewWays(pattern) {
		return Backtracking{Growth: Polynomial}
	}
	v, _ := judgeBacktracking(pattern, flags, min(workPerByte*(len(pattern)+moreBytes), mostWork))
	return v
}

// hasFewWays reports whether a pattern clearly has too few ways, as most patterns: it repeats only
// single characters without limit, and each bar, optional round, or such repetition makes paths part
// once at most.
func hasFewWays(pattern string) bool {
	parts, before := 0, 0 // where paths part, and before the last group
	isGroup := false
	var open []int // for each open group, the parts before it
	for t := range tokensOf(pattern) {
		switch optional := t.Most - t.Least; {
		case t.Kind == openToken:
			open = append(open, parts)
		case t.Kind == closingToken:
			before, open = open[len(open)-1], open[:len(open)-1]
		case t.Kind == barToken, t.Kind == repeatToken && !isGroup && (t.Most < 0 || optional > mostRounds):
			parts++
		case t.Kind == repeatToken && !isGroup:
			parts += optional
		case t.Kind == repeatToken && t.Most < 0:
			return false
		case t.Kind == repeatToken:
			parts += (parts-before)*max(0, t.Most-1) + optional
		}
		isGroup = t.Kind == closingToken
	}
	return parts < mostJoins
}

// judgeBacktracking also returns the work that is left.
func judgeBacktracking(pattern string, flags syntax.Flags, work int) (v Backtracking, left int) {
	b := newBuilder(pattern, flags, work)
	defer func() {
		if cause := recover(); cause != nil && cause != errTooComplex {
			panic(cause)
		}
		left = b.work
	}()
	b.build()
	if !b.loops && b.ways < 1<<mostJoins {
		return Backtracking{Growth: Polynomial}, left
	}
	s := &search{automaton: &b.automaton, common: map[[2]int]rune{}, seen: map[pair]*visit{}}
	s.run()
	switch {
	case s.cycle != nil:
		return Backtracking{Exponential, s.attack()}, left
	case s.joins >= mostJoins:
		return Backtracking{Growth: Exponential}, left
	}
	return Backtracking{Growth: Polynomial}, left
}
