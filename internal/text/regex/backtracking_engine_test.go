package regex

import (
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// node is an expression of a test. It is drawn as a tree, so that no parser is between
// it and the engine.
type node struct {
	char       string // a character or a class; its meaning is in charsOf
	look       string // a position
	subs       []*node
	either     bool // one of subs, otherwise all of them
	repeated   bool // subs[0], least to most times
	least      int
	most       int // -1 for no limit
	lazy       bool
	quantifier string
}

func (n *node) String() string {
	var subs []string
	for _, sub := range n.subs {
		subs = append(subs, sub.String())
	}
	switch {
	case n.repeated:
		return subs[0] + n.quantifier
	case n.either:
		return "(?:" + strings.Join(subs, "|") + ")"
	}
	return n.char + n.look + strings.Join(subs, "")
}

// alphabet has the characters of the texts.
const alphabet = "ab- \n"

// charsOf are the characters of the alphabet that a class matches.
var charsOf = map[string]string{"a": "a", "b": "b", "-": "-", "[ab]": "ab", "[^a]": "b- \n", ".": "ab- ", `\w`: "ab", `\W`: "- \n", "[a-]": "a-", `\x61`: "a"}

// expressions draws small expressions in which much can be ambiguous.
func expressions(depth int) *rapid.Generator[*node] {
	return rapid.Custom(func(t *rapid.T) *node {
		either := &node{either: true}
		for range rapid.IntRange(1, 2).Draw(t, "alternatives") {
			either.subs = append(either.subs, &node{subs: rapid.SliceOfN(piecesOf(depth), 0, 3).Draw(t, "pieces")})
		}
		return either
	})
}

func piecesOf(depth int) *rapid.Generator[*node] {
	return rapid.Custom(func(t *rapid.T) *node {
		n := &node{}
		switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
		case kind < 3 && depth > 0:
			n = expressions(depth-1).Draw(t, "group")
		case kind == 3:
			return &node{look: rapid.SampledFrom([]string{`\b`, `\B`, `^`, `$`, `(?m:^)`, `(?m:$)`}).Draw(t, "look")}
		default:
			n.char = rapid.SampledFrom([]string{"a", "a", "a", "b", "-", "[ab]", "[^a]", ".", `\w`, `\W`, "[a-]", `\x61`}).Draw(t, "char")
		}
		return repeated(t, n, "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,3}", "{2,}")
	})
}

func repeated(t *rapid.T, n *node, quantifiers ...string) *node {
	q := rapid.SampledFrom(quantifiers).Draw(t, "quantifier")
	if q == "" {
		return n
	}
	r := &node{repeated: true, subs: []*node{n}, quantifier: q, most: -1, lazy: len(q) > 1 && strings.HasSuffix(q, "?")}
	switch strings.TrimSuffix(q, "?") {
	case "+":
		r.least = 1
	case "", "?":
		r.most = 1
	case "{2}":
		r.least, r.most = 2, 2
	case "{0,2}":
		r.most = 2
	case "{1,3}":
		r.least, r.most = 1, 3
	case "{2,}":
		r.least = 2
	}
	return r
}

// slow draws expressions of which many have something to fail on after a repetition.
func slow(t *rapid.T) *node {
	all := &node{}
	look := func(looks ...string) {
		if l := rapid.SampledFrom(looks).Draw(t, "end"); l != "" {
			all.subs = append(all.subs, &node{look: l})
		}
	}
	look("", "", "^", `\b`)
	all.subs = append(all.subs, repeated(t, expressions(2).Draw(t, "expression"), "", "*", "+", "{1,3}"))
	look("", "$", "^", `\b`)
	return all
}

// engine counts the steps of a backtracking engine that works like Python's. It counts
// each situation once, so that it can count what takes forever.
type engine struct {
	code  []instruction
	loops int
	text  string
	// deaf engines continue after a match, and therefore try all paths.
	deaf bool
	// known has the outcomes if no loop has begun a round, by place and instruction, and
	// within has the others.
	known  []outcome
	within map[situation]outcome
}

// instruction consumes a character of chars, or checks a look, and tries outs in order.
type instruction struct {
	chars, look string
	outs        []int
	// loop is the bit of a loop that tries another round by one of outs.
	loop  uint64
	round int
	match bool
}

// situation is all that determines what happens next. The loops that have begun an
// optional round at this place do not begin another one.
type situation struct {
	at, place int
	begun     uint64
}

type outcome struct {
	steps   float64
	matches bool
}

func (e *engine) add(i instruction) int {
	e.code = append(e.code, i)
	return len(e.code) - 1
}

// compile adds the instructions of an expression before those at next.
func (e *engine) compile(n *node, next int) int {
	switch {
	case n.repeated:
		return e.compileRepeat(n, next)
	case n.either:
		var outs []int
		for _, sub := range n.subs {
			outs = append(outs, e.compile(sub, next))
		}
		return e.add(instruction{outs: outs})
	case n.char != "":
		return e.add(instruction{chars: charsOf[n.char], outs: []int{next}})
	case n.look != "":
		return e.add(instruction{look: n.look, outs: []int{next}})
	}
	for i := len(n.subs) - 1; i >= 0; i-- {
		next = e.compile(n.subs[i], next)
	}
	return next
}

func (e *engine) compileRepeat(n *node, next int) int {
	loop := uint64(1) << e.loops
	e.loops++
	// fork tries another round, or what follows.
	fork := func(at, body int) {
		e.code[at] = instruction{outs: []int{body, next}, loop: loop}
		if n.lazy {
			e.code[at] = instruction{outs: []int{next, body}, loop: loop, round: 1}
		}
	}
	begin := next
	if n.most < 0 {
		begin = e.add(instruction{})
		fork(begin, e.compile(n.subs[0], begin))
	}
	for range n.most - n.least {
		body := e.compile(n.subs[0], begin)
		begin = e.add(instruction{})
		fork(begin, body)
	}
	for range n.least {
		begin = e.compile(n.subs[0], begin)
	}
	return begin
}

// newEngine returns an engine, and the instruction at which it begins.
func newEngine(t *rapid.T, n *node) (*engine, int) {
	e := &engine{}
	start := e.compile(n, e.add(instruction{match: true}))
	if e.loops > 64 {
		t.Skip("too many loops for a situation")
	}
	return e, start
}

// search counts the steps of a search in a text.
func (e *engine) search(start int, text string) (steps float64, found bool) {
	e.text, e.known, e.within = text, make([]outcome, (len(text)+1)*len(e.code)), map[situation]outcome{}
	for place := range len(text) + 1 {
		o := e.try(situation{start, place, 0})
		steps += o.steps
		if o.matches {
			return steps, true
		}
	}
	return steps, false
}

func (e *engine) try(s situation) outcome {
	in, n := &e.code[s.at], s.place*len(e.code)+s.at
	if s.begun == 0 && e.known[n].steps > 0 {
		return e.known[n]
	} else if o, ok := e.within[s]; ok {
		return o
	}
	o := outcome{steps: 1, matches: in.match && !e.deaf}
	for i, out := range in.outs {
		next, ok := e.follow(s, i)
		if !ok {
			continue
		}
		next.at = out
		then := e.try(next)
		o.steps = min(o.steps+then.steps, math.MaxFloat64)
		if then.matches {
			o.matches = true
			break
		}
	}
	if s.begun == 0 {
		e.known[n] = o
	} else {
		e.within[s] = o
	}
	return o
}

// follow returns the situation after one of the outs of an instruction.
func (e *engine) follow(s situation, out int) (next situation, ok bool) {
	in := &e.code[s.at]
	switch {
	case in.chars != "":
		ok = s.place < len(e.text) && strings.Contains(in.chars, e.text[s.place:s.place+1])
		return situation{place: s.place + 1}, ok
	case in.look != "":
		return s, e.holds(in.look, s.place)
	case in.loop != 0 && in.round == out:
		ok = s.begun&in.loop == 0
		s.begun |= in.loop
		return s, ok
	}
	s.begun &^= in.loop
	return s, true
}

func (e *engine) holds(look string, place int) bool {
	is := func(chars string, place int) bool {
		return place >= 0 && place < len(e.text) && strings.Contains(chars, e.text[place:place+1])
	}
	switch look {
	case `\b`:
		return is("ab", place-1) != is("ab", place)
	case `\B`:
		return is("ab", place-1) == is("ab", place)
	case "^":
		return place == 0
	case "$":
		return place == len(e.text)
	case "(?m:^)":
		return place == 0 || is("\n", place-1)
	}
	return place == len(e.text) || is("\n", place)
}

func texts(most int) *rapid.Generator[string] {
	return rapid.StringOfN(rapid.RuneFrom([]rune(alphabet)), 0, most, -1)
}

// TestTheEngineMatchesAsGo: the engine of these tests reads expressions as they are meant.
func TestTheEngineMatchesAsGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, text := rapid.Custom(slow).Draw(t, "expression"), texts(8).Draw(t, "text")
		e, start := newEngine(t, n)
		if _, found := e.search(start, text); found != regexp.MustCompile(n.String()).MatchString(text) {
			t.Errorf("%q in %q is found: %t", n, text, found)
		}
	})
}

// TestVerdictsHold: what is called exponential doubles the paths of the engine with each
// pump, and no text makes it slow if the verdict says that none does.
func TestVerdictsHold(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Custom(slow).Draw(t, "expression")
		e, start := newEngine(t, n)
		switch v := JudgeBacktracking(n.String(), syntax.Perl); {
		case v.Attack != nil:
			seen["exponential"]++
			checkAttack(t, n, v.Attack)
			if grows(e, start, v.Attack, "a", "b", "-", "\n", "--") {
				seen["exponential and slow"]++
			}
		case v.Growth == Polynomial:
			seen["polynomial"]++
			checkNotSlow(t, n, e, start)
		default:
			seen["by joins or unjudged"]++
		}
	})
	if seen["polynomial"] == 0 || seen["exponential and slow"] == 0 {
		t.Errorf("this tests little: %v", seen)
	}
	t.Logf("judged: %v", seen)
}

// grows reports whether eight pumps more multiply the steps by 2 to the power of 8, with one
// of the suffixes. Steps that do not grow count less and less.
func grows(e *engine, start int, a *Attack, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(suffix string) bool {
		few, _ := e.search(start, a.Prefix+strings.Repeat(a.Pump, 24)+suffix)
		many, _ := e.search(start, a.Prefix+strings.Repeat(a.Pump, 32)+suffix)
		return many >= math.MaxFloat64 || many > 60*few
	})
}

// checkAttack: the paths grow on an attack, or would if the repetitions had no limits,
// which can count as none.
func checkAttack(t *rapid.T, n *node, a *Attack) {
	for _, limits := range []bool{true, false} {
		if !limits {
			n.unlimit()
		}
		e, start := newEngine(t, n)
		e.deaf = true
		if grows(e, start, a, "") {
			return
		}
	}
	t.Errorf("%q is called exponential, but its paths do not grow on %+v", n, *a)
}

// unlimit removes the limits of the repetitions.
func (n *node) unlimit() {
	if n.repeated && n.most > 1 {
		n.most = -1
	}
	for _, sub := range n.subs {
		sub.unlimit()
	}
}

// checkNotSlow repeats texts of up to three characters. The steps may grow by a power of
// their number, so that doubling it multiplies them by about the same factor each time.
func checkNotSlow(t *rapid.T, n *node, e *engine, start int) {
	for range 6 {
		prefix, pump, suffix := texts(2).Draw(t, "prefix"), texts(3).Draw(t, "pump"), texts(2).Draw(t, "suffix")
		var steps [3]float64
		for i := range steps {
			count, _ := e.search(start, prefix+strings.Repeat(pump, 16<<i)+suffix)
			steps[i] = math.Log2(count)
		}
		if steps[2]-steps[1] > 1.5*(steps[1]-steps[0])+4 {
			t.Errorf("%q is called polynomial, but takes 2^%.f steps on %q, %d times %q, %q", n, steps, prefix, 16, pump, suffix)
		}
	}
}

// TestFewWaysAreHarmless: what is decided without an automaton is what the automaton shows.
func TestFewWaysAreHarmless(t *testing.T) {
	few := 0
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.Custom(slow).Draw(t, "expression").String()
		if !hasFewWays(pattern) {
			return
		}
		few++
		if v, _ := judgeBacktracking(pattern, syntax.Perl, mostWork); v.Growth != Polynomial {
			t.Errorf("%q has few ways, and its growth is %d", pattern, v.Growth)
		}
	})
	if few == 0 {
		t.Error("no expression has few ways")
	}
}
