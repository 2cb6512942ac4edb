// Package redos determines how long a backtracking engine, such as those of Python and
// ECMAScript, can search for a regular expression. Go's own engine takes linear time,
// but consumers that use the same patterns in other languages don't have such an
// engine.
//
// # Guarantees
//
// The model is an engine that searches a text from each place, tries the paths through
// the expression in order, and stops at the first match. Linear means that the number
// of its steps is at most proportional to the length of the text. The other verdicts
// are exact as well, and come with a text on which the steps grow. Optimizations of
// engines (a search for a fixed word first, or a memory of failures) are not assumed.
// Finding all matches takes as many searches.
//
// Repetitions with a limit, such as a{1,30}, also limit the steps, but the limit can be
// out of reach. An expression is also called exponential if 64 characters of a repeated
// text take more than a million steps because of such repetitions, and more than the
// next higher power of 64 than its growth without a limit explains. Such a text is
// searched for where the expression without the limits is exponential, and in
// repetitions of one character, from each part of the expression. This does not prove
// that there is none.
//
// The work of Judge is limited by the length of the pattern. A pattern that needs more
// is Unjudged, never Linear, so that nothing can hide in a complex pattern. There are
// two exceptions. If the expression without its limits is not exponential, and the
// steps in a text show that they grow, it is Polynomial, and the Degree is a lower
// bound. If more than a million steps are found as above, it is Exponential.
//
// # Method
//
// Most expressions are clearly linear: no character lets a repetition continue in two
// ways, and no repetition can begin with, or follow another by, characters that it
// matches itself. An outline of the repetitions shows that.
//
// Any other expression becomes an automaton whose paths through a text are the steps of
// an engine, at first of an engine that never finds a match. If the paths grow as much
// in a text without a match, that is sufficient. Otherwise there is a second automaton,
// whose arcs know which states lead to a match in the text that follows, so that it has
// no path after the first match (Sugiyama and Minamide, Checking Time Linearity of
// Regular Expression Matching Based on Backtracking, 2014; Weideman, van der Merwe,
// Berglund, and Watson, Analyzing Matching Time Behavior of Backtracking Regular
// Expression Matchers by Using Ambiguity of NFA, 2016). The growth of the number of
// paths follows from the criteria EDA and IDA of Weber and Seidl (On the Degree of
// Ambiguity of Finite Automata, 1991), decided in products of the automaton with itself
// as in Allauzen, Mohri, and Rastogi (General Algorithms for Testing the Ambiguity of
// Finite Automata, 2008). A text that makes an engine slow is read from the same
// products, as in Wüstholz, Olivo, Heule, and Dillig (Static Detection of DoS
// Vulnerabilities in Programs that Use Regular Expressions, 2017).
package redos

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// Growth says how the steps of an engine grow with the length of a text.
type Growth uint8

// The growths. Unjudged is the zero Growth.
const (
	Unjudged    Growth = iota // the analysis would have taken too much work
	Linear                    // at most proportional to the length
	Polynomial                // a power of the length, at least the square
	Exponential               // each repetition of some text multiplies them
)

// String returns the growth as an adjective.
func (g Growth) String() string {
	return [...]string{"unjudged", "linear", "polynomial", "exponential"}[g]
}

// Verdict is the result of Judge.
type Verdict struct {
	Growth Growth
	// Degree is the power of a Polynomial: 2 for the square of the length. It is 1 if
	// Growth is Linear, otherwise 0.
	Degree int
	// Part is the part of the pattern that lets an engine take several paths, if Growth is
	// Polynomial or Exponential.
	Part Part
	// Attack makes an engine slow; nil unless Growth is Polynomial or Exponential. If
	// several parts of a pattern add up to a Degree above 2, it repeats only one text, and
	// the steps can grow by a lower power.
	Attack *Attack
	// Limited says that the growth has, or may have, an end, because its repetitions have
	// a limit.
	Limited bool
	// Work is the work of the analysis, in units of about ten nanoseconds; 0 if the
	// pattern needs none.
	Work int
}

// Part is a part of a pattern, in bytes: At is the first byte, End is the byte after
// the last.
type Part struct{ At, End int }

// Attack describes texts that make an engine slow: the prefix, any number of pumps, and
// the suffix.
type Attack struct{ Prefix, Pump, Suffix string }

// Text returns the text with n pumps.
func (a *Attack) Text(n int) string {
	return a.Prefix + strings.Repeat(a.Pump, n) + a.Suffix
}

// An analysis has three expensive stages: a rough one, an exact one, and counting. Each
// has a limit of units per byte of the pattern, and for some additional bytes. The
// patterns of a document therefore take no longer than its length allows, and do not
// depend on each other.
const (
	workPerByte = 1000
	moreBytes   = 16
	mostWork    = 20_000_000
	fewChoices  = 8 // too few for many steps, as powers of 2
	fewOpen     = 3 // too few for many steps, as powers of 64
)

// Judge determines how long a backtracking engine can search for a pattern that package
// syntax parses with the flags, usually syntax.Perl. With FoldCase, an ASCII letter
// matches only its two cases. The verdict depends on nothing else. The error says that
// package syntax can't parse the pattern.
func Judge(pattern string, flags syntax.Flags) (Verdict, error) {
	if fewSigns(pattern) {
		return Verdict{Growth: Linear, Degree: 1}, nil
	}
	t, err := read(pattern, flags)
	if err != nil {
		return Verdict{}, err
	}
	s := t.shape()
	if s.loops+s.limited == 0 && s.choices <= fewChoices {
		return Verdict{Growth: Linear, Degree: 1}, nil
	}
	j := &judge{tree: t, shape: s, most: min(workPerByte*(len(pattern)+moreBytes), mostWork)}
	var v Verdict
	withinBudget(func() { v = j.judge() })
	v.Work = j.budget.spent
	return v, nil
}

// judge is the state of an analysis.
type judge struct {
	tree    *tree
	shape   shape
	most    int      // the maximum work of a stage
	budget  budget   // of the current stage
	exact   *program // with its limits; nil until needed
	counter *counter
}

// stage begins a stage whose budget is a multiple of the maximum work.
func (j *judge) stage(times float64) { j.budget.left = int(times * float64(j.most)) }

// judge tries the outline first, which is sufficient for most expressions.
func (j *judge) judge() Verdict {
	j.stage(1)
	loose := compile(j.tree, true, &j.budget)
	j.stage(1. / 8)
	if j.clearlyLinear(loose) {
		return Verdict{Growth: Linear, Degree: 1}
	}
	return j.byGraph(loose)
}

// byGraph first analyzes the expression without its limits, for an engine that never
// finds a match: if that is linear, so is the expression. Only the rest needs more
// work.
func (j *judge) byGraph(loose *program) Verdict {
	j.stage(1)
	a := newAlphabet(j.tree, &j.budget)
	m := newMachine(j.tree, loose, a, &j.budget)
	rough := j.analyze(m, ignored(m), nil)
	exact, isExact := rough, true
	if rough.growth != Linear {
		j.stage(4)
		isExact = withinBudget(func() { exact = j.analyseExactly(m, loose, rough) })
	}
	if isExact && exact.growth == Exponential {
		return exact.verdict(j.tree)
	}
	j.stage(1)
	j.counter = &counter{alphabet: a, program: j.limited(loose), budget: &j.budget}
	degree := exact.degree
	if !isExact {
		degree = 1 // needs the fewest steps to be out of reach
	}
	matter := !isExact || rough.growth == Exponential
	if j.shape.limited > 0 && matter || len(rough.limited) > 0 || j.shape.branches() {
		if v, found := j.beyondReach(m, rough, degree); found {
			return v
		}
	}
	if !isExact {
		return j.confirm(m, rough)
	}
	withinBudget(func() { exact.choose(j.counter) })
	return exact.verdict(j.tree)
}

// analyseExactly judges the expression with its limits. A machine that still has its
// limits is reused. Otherwise a new one is built, and then the text that follows often
// makes no difference.
func (j *judge) analyseExactly(m *machine, loose *program, rough findings) findings {
	if loose.loose {
		m = newMachine(j.tree, j.limited(loose), m.alphabet, &j.budget)
		if rough = j.analyze(m, ignored(m), nil); rough.growth == Linear {
			return rough
		}
	}
	if rough.witnessed(&j.budget) {
		return rough
	}
	return j.analyze(m, newOutcomes(m, &j.budget), &rough)
}

// limited returns the program of the expression with its limits.
func (j *judge) limited(loose *program) *program {
	if !loose.loose {
		return loose
	}
	if j.exact == nil {
		j.exact = compile(j.tree, false, &j.budget)
	}
	return j.exact
}

// findings is a growth with the texts that show it.
type findings struct {
	growth Growth
	degree int
	graph  *graph
	bombs  []*bomb // the first is the one to show
	pairs  map[partPair]bool
	// limited says that it would be exponential without limits.
	limited []*bomb
}

// analyze derives the growth from a graph. Rough findings are from the same machine.
func (j *judge) analyze(m *machine, o *outcomes, rough *findings) findings {
	g := newGraph(m, o, &j.budget)
	f := findings{growth: Linear, degree: 1, graph: g, limited: g.exponential(&j.budget, false)}
	if f.bombs = g.exponential(&j.budget, true); len(f.bombs) > 0 {
		f.growth, f.degree = Exponential, 0
		return f
	}
	if w := g.polynomial(rough, &j.budget); w.degree > 1 {
		f.growth, f.degree, f.bombs, f.pairs = Polynomial, w.degree, w.bombs, w.pairs
	}
	return f
}

// choose moves the text with the most steps to the front.
func (f *findings) choose(c *counter) {
	const length = 240
	most := -1.0
	for i, b := range f.bombs {
		if n := c.steps(b.text(length)); n > most {
			most = n
			f.bombs[0], f.bombs[i] = f.bombs[i], f.bombs[0]
		}
	}
}

// text returns a text with pumps of about a number of letters.
func (b *bomb) text(letters int) []letter {
	var text []letter
	text = append(text, b.prefix...)
	for n := 0; n < letters; n += len(b.pump) {
		text = append(text, b.pump...)
	}
	return append(text, b.suffix...)
}

// verdict returns the verdict for the findings, with the first of their texts.
func (f *findings) verdict(t *tree) Verdict {
	v := Verdict{Growth: f.growth, Degree: f.degree}
	if len(f.bombs) > 0 {
		b := f.bombs[0]
		v.Part = f.graph.blamed(t, b.blame)
		// All in one set: then it is surrounded by two repetitions of nothing else.
		set := func(n int) *tree { return f.graph.states[f.graph.nodes[n].state].tree }
		if !slices.ContainsFunc(b.blame, func(n int) bool { return set(n) != set(b.blame[0]) }) {
			v.Part = t.loopAround(v.Part, true)
		}
		v.Attack = &Attack{f.graph.text(b.prefix), f.graph.text(b.pump), f.graph.text(b.suffix)}
	}
	return v
}

// blamed returns the part of the pattern that covers the repetitions of nodes.
func (g *graph) blamed(t *tree, nodes []int) Part {
	part := Part{-1, -1}
	for _, n := range nodes {
		set := g.states[g.nodes[n].state].tree
		if set == nil {
			continue // the search for a beginning is not in the pattern
		}
		loop := t.loopAround(Part{set.at, set.end}, false)
		if part.At < 0 || loop.At < part.At {
			part.At = loop.At
		}
		part.End = max(part.End, loop.End)
	}
	return t.loopAround(part, false)
}
