// Package redos finds regular expressions on which a backtracking engine, such as those
// of Python and ECMAScript, takes exponential time. Go's own engine takes linear time,
// but consumers that use the same patterns in other languages don't have such an engine.
//
// # Method
//
// An expression becomes an automaton whose paths through a text are those that an engine
// can try. It is Exponential if a state has two different paths back to itself over the
// same text: each repetition of the text doubles the paths. This is the criterion EDA of
// Weber and Seidl (On the Degree of Ambiguity of Finite Automata, 1991), decided in a
// product of the automaton with itself, as in Allauzen, Mohri, and Rastogi (General
// Algorithms for Testing the Ambiguity of Finite Automata, 2008).
//
// An engine stops at the first match. Therefore, no path goes through a state after which
// there is a match whatever follows, as in (?:a+)+. Matches that depend on what follows
// are ignored: (?:a+)+. is Exponential, although an engine finds a match at once. So are
// optimizations of engines, such as a memory of failures.
//
// # Bounds
//
// Optional items and repetitions with a limit can take as long, so two bounds make them
// count as repetitions without a limit:
//
//   - A repetition with a limit counts as one without if more than mostWays ways lead
//     through it, as in (?:\w{1,40} ?){1,20}, or if it has more than mostRounds optional
//     rounds of something through which one way leads, as in \w{1,40}.
//   - An expression is also Exponential if two paths over the same text can part and join
//     again mostJoins times in a row, as in (?:a?){30}a{30}. Such a text has at least
//     2 to the power of mostJoins paths, and usually far more.
//
// Smaller powers of the length of a text are not reported.
//
// The work of Judge is limited by the length of the pattern. A pattern that needs more is
// Unjudged, so that nothing can hide in a complex pattern.
package redos

import (
	"errors"
	"regexp/syntax"

	"github.com/rubric-library/rubric-library/internal/text/regex/token"
)

// The bounds for optional items and repetitions with a limit.
const (
	mostWays   = 1 << 24
	mostRounds = 8 // that are optional
	mostJoins  = 8
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

// Analysis is the result of Judge.
type Analysis struct {
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

// Part is a part of a pattern, in bytes: At is the first byte, End is the byte after
// the last.
type Part struct{ At, End int }

// Judge finds out whether a backtracking engine can take exponential time to search for a
// pattern that package syntax parses with the flags, usually syntax.Perl. The verdict
// depends on nothing else.
func Judge(pattern string, flags syntax.Flags) Analysis {
	if hasFewWays(pattern) {
		return Analysis{Growth: Polynomial}
	}
	v, _ := judge(pattern, flags, min(workPerByte*(len(pattern)+moreBytes), mostWork))
	return v
}

// hasFewWays reports whether a pattern clearly has too few ways, as most patterns: it repeats only
// single characters without limit, and each bar, optional round, or such repetition makes paths part
// once at most.
func hasFewWays(pattern string) bool {
	parts, before := 0, 0 // where paths part, and before the last group
	isGroup := false
	var open []int // for each open group, the parts before it
	for t := range token.All(pattern) {
		switch optional := t.Most - t.Least; {
		case t.Kind == token.Open:
			open = append(open, parts)
		case t.Kind == token.Closing:
			before, open = open[len(open)-1], open[:len(open)-1]
		case t.Kind == token.Bar, t.Kind == token.Repeat && !isGroup && (t.Most < 0 || optional > mostRounds):
			parts++
		case t.Kind == token.Repeat && !isGroup:
			parts += optional
		case t.Kind == token.Repeat && t.Most < 0:
			return false
		case t.Kind == token.Repeat:
			parts += (parts-before)*max(0, t.Most-1) + optional
		}
		isGroup = t.Kind == token.Closing
	}
	return parts < mostJoins
}

// judge also returns the work that is left.
func judge(pattern string, flags syntax.Flags, work int) (v Analysis, left int) {
	b := newBuilder(pattern, flags, work)
	defer func() {
		if cause := recover(); cause != nil && cause != errTooComplex {
			panic(cause)
		}
		left = b.work
	}()
	b.build()
	if !b.loops && b.ways < 1<<mostJoins {
		return Analysis{Growth: Polynomial}, left
	}
	s := &search{automaton: &b.automaton, common: map[[2]int]rune{}, seen: map[pair]*visit{}}
	s.run()
	switch {
	case s.cycle != nil:
		return Analysis{Exponential, s.attack()}, left
	case s.joins >= mostJoins:
		return Analysis{Growth: Exponential}, left
	}
	return Analysis{Growth: Polynomial}, left
}

// errTooComplex is the cause of a panic if there is no work left.
var errTooComplex = errors.New("the expression is too complex")

func (a *automaton) spend(work int) {
	if a.work -= work; a.work < 0 {
		panic(errTooComplex)
	}
}
