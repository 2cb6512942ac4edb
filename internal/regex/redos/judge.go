// Package redos tells how long a backtracking engine, such as Python's re or
// the one of ECMAScript, can search for a regular expression. Go's own engine
// takes linear time; those who read the same patterns in other languages have
// none of its kind.
//
// # What is promised
//
// An engine is taken to search a text from each place on, to try the ways
// through the expression in their order, and to stop at the first match. Linear
// means that the number of its steps is at most proportional to the length of the
// text; the other verdicts are exact as well, and come with a text on which the
// steps grow. What engines do better than that (search for a fixed word first,
// remember where they failed) is not counted on, and finding all matches is as
// many searches.
//
// Repetitions with a limit, such as a{1,30}, have a limit on the steps, too, which
// can be beyond reach. An expression is called exponential as well if 64 characters of
// a repeated text take more than a million steps because of them, and more than the
// next higher power of 64 than its growth has without a limit. Such a text is looked
// for where the expression without the limits is exponential, and in repetitions of
// one character, from each part of the expression on; that is no proof that there is
// none.
//
// The work of Judge is bounded by the length of the pattern. A pattern that takes more
// is Unjudged, never Linear, so that nothing can be hidden in a complex one. There are
// two exceptions. If the expression without its limits is not exponential, and the steps
// in a text show that they grow, it is Polynomial, and the Degree is a lower bound. And
// if more than a million steps are found as above, it is Exponential.
//
// # How
//
// Most expressions are linear beyond doubt: no character lets a repetition go on in
// two ways, and none can begin, or follow another, by characters that it takes
// itself. An outline of the repetitions shows that.
//
// Any other expression becomes an automaton whose ways through a text are the steps
// that an engine takes in it, at first one of an engine that never finds a match. If
// there is a text without a match in which the ways grow as much, that is enough.
// Otherwise there is a second automaton, the arcs of which know which states lead to
// a match in the text that follows, so that it has no way behind the first match
// (Sugiyama and
// Minamide, Checking Time Linearity of Regular Expression Matching Based on
// Backtracking, 2014; Weideman, van der Merwe, Berglund and Watson, Analyzing
// Matching Time Behavior of Backtracking Regular Expression Matchers by Using
// Ambiguity of NFA, 2016). How the number of ways grows is read from it by the
// criteria EDA and IDA of Weber and Seidl (On the Degree of Ambiguity of Finite
// Automata, 1991), decided in products of the automaton with itself as in
// Allauzen, Mohri and Rastogi (General Algorithms for Testing the Ambiguity of
// Finite Automata, 2008). A text that makes an engine slow is read from the same
// products, as in Wüstholz, Olivo, Heule and Dillig (Static Detection of DoS
// Vulnerabilities in Programs that Use Regular Expressions, 2017).
package redos

import (
	"errors"
	"regexp/syntax"
	"strings"
)

// Growth says how the steps of an engine grow with the length of a text.
type Growth uint8

// The growths. Unjudged is the zero Growth.
const (
	Unjudged    Growth = iota // it would have taken too much work to tell
	Linear                    // at most proportional to the length
	Polynomial                // a power of the length, the square at least
	Exponential               // each repetition of some text multiplies them
)

// String is the growth as an adjective.
func (g Growth) String() string {
	return [...]string{"unjudged", "linear", "polynomial", "exponential"}[g]
}

// Verdict is what Judge finds.
type Verdict struct {
	Growth Growth
	// Degree is the power of a Polynomial: 2 for the square of the length. It is 1
	// if Growth is Linear, and otherwise 0.
	Degree int
	// Part is what lets an engine go several ways, if Growth is Polynomial or
	// Exponential.
	Part Part
	// Attack makes an engine slow; nil unless Growth is Polynomial or
	// Exponential. Where several parts of a pattern add up to a Degree above 2 it
	// repeats one text only, and the steps can grow by a smaller power.
	Attack *Attack
	// Limited tells that the growth ends somewhere, because the repetitions that
	// it comes from have a limit, or may end there.
	Limited bool
	// Work is how much work the judgement was, in units of some ten nanoseconds; 0
	// where the pattern has nothing to judge.
	Work int
}

// Part is a part of a pattern, in bytes: At is the first, End the one after the
// last.
type Part struct{ At, End int }

// Attack is the recipe of texts that make an engine slow: the prefix, any number
// of pumps, the suffix.
type Attack struct{ Prefix, Pump, Suffix string }

// Text is the text with n pumps.
func (a *Attack) Text(n int) string {
	return a.Prefix + strings.Repeat(a.Pump, n) + a.Suffix
}

// A judgement has three stages that may take much work: a rough one, an exact one,
// and counting. Each may take so many units for each byte of the pattern, and for
// each of some more. So all patterns of a document take no longer than its length
// allows, whatever they are, and none depends on another one.
const (
	workPerByte = 1000
	moreBytes   = 16
	mostWork    = 20_000_000
	fewChoices  = 8 // too few to make steps, as 2 to their power
	fewOpen     = 3 // too few to make steps, as 64 to their power
)

// Judge tells how long a backtracking engine can search for a pattern that package
// syntax parses with the flags, usually syntax.Perl; with FoldCase an ASCII letter
// matches in both its cases and as nothing else. The verdict depends on nothing else.
// The error is one of reading a pattern that package syntax does not parse.
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
	v, err := j.judge()
	if errors.Is(err, errTooComplex) {
		v, err = Verdict{}, nil
	}
	v.Work = j.budget.spent
	return v, err
}

// judge holds what one judgement has found so far.
type judge struct {
	tree    *tree
	shape   shape
	most    int      // the work of a stage
	budget  budget   // of the stage that runs
	exact   *program // with its limits; nil until it is needed
	counter *counter
}

// stage begins a stage, which may take so many times the most work.
func (j *judge) stage(times float64) { j.budget.left = int(times * float64(j.most)) }

// judge looks at the outline first, which is enough for most expressions.
func (j *judge) judge() (Verdict, error) {
	j.stage(1)
	loose, err := compile(j.tree, true, &j.budget)
	if err != nil {
		return Verdict{}, err
	}
	j.stage(1. / 8)
	if j.clearlyLinear(loose) {
		return Verdict{Growth: Linear, Degree: 1}, nil
	}
	return j.byGraph(loose)
}

// byGraph takes the expression without its limits and an engine that never finds a
// match first: what is linear even so is linear. Only the rest is worth more
// work.
func (j *judge) byGraph(loose *program) (Verdict, error) {
	j.stage(1)
	a, err := newAlphabet(j.tree, &j.budget)
	if err != nil {
		return Verdict{}, err
	}
	m, err := newMachine(j.tree, loose, a, &j.budget)
	if err != nil {
		return Verdict{}, err
	}
	rough, err := j.analyse(m, ignored(m), nil)
	if err != nil {
		return Verdict{}, err
	}
	exact, exactErr := rough, error(nil)
	if rough.growth != Linear {
		j.stage(4)
		exact, exactErr = j.analyseExactly(m, loose, rough)
	}
	if exactErr != nil && !errors.Is(exactErr, errTooComplex) || exact.growth == Exponential {
		return exact.verdict(j.tree), exactErr
	}
	j.stage(1)
	p, err := j.limited(loose)
	if err != nil {
		return Verdict{}, err
	}
	j.counter = &counter{alphabet: a, program: p, budget: &j.budget}
	degree := exact.degree
	if exactErr != nil {
		degree = 1 // which takes the fewest steps for beyond reach
	}
	matter := exactErr != nil || rough.growth == Exponential
	if j.shape.limited > 0 && matter || len(rough.limited) > 0 || j.shape.branches() {
		if v, found, err := j.beyondReach(m, rough, degree); found || err != nil {
			return v, err
		}
	}
	if exactErr != nil {
		return j.confirm(m, rough)
	}
	exact.choose(j.counter)
	return exact.verdict(j.tree), nil
}

// analyseExactly judges the expression as it is. A machine that has not lost its limits
// can be used again. One that has is made anew, and often what follows makes no
// difference then.
func (j *judge) analyseExactly(m *machine, loose *program, rough findings) (findings, error) {
	if loose.loose {
		p, err := j.limited(loose)
		if err != nil {
			return findings{}, err
		}
		if m, err = newMachine(j.tree, p, m.alphabet, &j.budget); err != nil {
			return findings{}, err
		}
		if rough, err = j.analyse(m, ignored(m), nil); err != nil || rough.growth == Linear {
			return rough, err
		}
	}
	if rough.witnessed(&j.budget) {
		return rough, nil
	}
	o, err := newOutcomes(m, &j.budget)
	if err != nil {
		return findings{}, err
	}
	return j.analyse(m, o, &rough)
}

// limited is the program of the expression with its limits.
func (j *judge) limited(loose *program) (*program, error) {
	if !loose.loose {
		return loose, nil
	}
	var err error
	if j.exact == nil {
		j.exact, err = compile(j.tree, false, &j.budget)
	}
	return j.exact, err
}

// findings are a growth with the texts that show it.
type findings struct {
	growth Growth
	degree int
	graph  *graph
	bombs  []*bomb // the first is the one to show
	pairs  map[partPair]bool
	// limited would be exponential if it had no limit.
	limited []*bomb
}

// analyse reads the growth from a graph. Rough findings are of the same machine.
func (j *judge) analyse(m *machine, o *outcomes, rough *findings) (findings, error) {
	g, err := newGraph(m, o, &j.budget)
	if err != nil {
		return findings{}, err
	}
	f := findings{growth: Linear, degree: 1, graph: g}
	if f.limited, err = g.exponential(&j.budget, false); err != nil {
		return f, err
	}
	if f.bombs, err = g.exponential(&j.budget, true); err != nil {
		return f, err
	}
	if len(f.bombs) > 0 {
		f.growth, f.degree = Exponential, 0
		return f, nil
	}
	w, err := g.polynomial(rough, &j.budget)
	if err == nil && w.degree > 1 {
		f.growth, f.degree, f.bombs, f.pairs = Polynomial, w.degree, w.bombs, w.pairs
	}
	return f, err
}

// choose puts the text first that takes the most steps, as far as the budget goes.
func (f *findings) choose(c *counter) {
	const length = 240
	most := -1.0
	for i, b := range f.bombs {
		n := c.steps(b.text(length))
		if c.budget.left < 0 {
			return
		}
		if n > most {
			most = n
			f.bombs[0], f.bombs[i] = f.bombs[i], f.bombs[0]
		}
	}
}

// text is a text with pumps of about that many letters.
func (b *bomb) text(letters int) []letter {
	var text []letter
	text = append(text, b.prefix...)
	for n := 0; n < letters; n += len(b.pump) {
		text = append(text, b.pump...)
	}
	return append(text, b.suffix...)
}

// verdict is what the findings say, with the first of their texts.
func (f *findings) verdict(t *tree) Verdict {
	v := Verdict{Growth: f.growth, Degree: f.degree}
	if len(f.bombs) > 0 {
		b := f.bombs[0]
		v.Part = f.graph.blamed(t, b.blame)
		if f.graph.single(b.blame) {
			v.Part = t.loopBeyond(v.Part)
		}
		v.Attack = &Attack{f.graph.text(b.prefix), f.graph.text(b.pump), f.graph.text(b.suffix)}
	}
	return v
}

// blamed is the part of the pattern that covers the repetitions of some nodes.
func (g *graph) blamed(t *tree, nodes []int) Part {
	part := Part{-1, -1}
	for _, n := range nodes {
		set := g.states[g.nodes[n].state].tree
		if set == nil {
			continue // the search for a beginning stands nowhere
		}
		loop := t.loopAround(Part{set.at, set.end})
		if part.At < 0 || loop.At < part.At {
			part.At = loop.At
		}
		part.End = max(part.End, loop.End)
	}
	return t.loopAround(part)
}

// single tells whether nodes are of one set of the pattern: two repetitions of
// nothing else are then around it.
func (g *graph) single(nodes []int) bool {
	for _, n := range nodes {
		if g.states[g.nodes[n].state].tree != g.states[g.nodes[nodes[0]].state].tree {
			return false
		}
	}
	return true
}
