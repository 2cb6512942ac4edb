package redos

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// parse is read for any text. The error is that of package syntax.
func parse(pattern string, flags syntax.Flags) (*tree, error) {
	if _, err := syntax.Parse(pattern, flags); err != nil {
		return nil, err
	}
	return read(pattern, flags)
}

// engine is the plainest backtracking matcher there is. It works on the tree, by
// itself, and counts each piece of the tree that it tries.
type engine struct {
	text  []rune
	steps int
	most  int
}

// search reports whether the text has a match, and how many steps that took: most
// if it took more.
func search(t *tree, text string, most int) (found bool, steps int) {
	e := &engine{text: []rune(text), most: most}
	for at := range len(e.text) + 1 {
		if e.match(t, at, func(int) bool { return true }) {
			return e.steps < most, min(e.steps, most)
		}
	}
	return false, min(e.steps, most)
}

// match tries a tree at a place, and then what follows it. It gives up, as if
// there were a match, after too many steps.
func (e *engine) match(t *tree, at int, then func(int) bool) bool {
	if e.steps++; e.steps >= e.most {
		return true
	}
	switch t.op {
	case opSet:
		return at < len(e.text) && t.has(e.text[at]) && then(at+1)
	case opLook:
		return conditionOf(t.look).after(e.kind(at-1))&(1<<e.kind(at)) != 0 && then(at)
	case opSequence:
		return e.sequence(t.subs, at, then)
	case opAlternate:
		for _, sub := range t.subs {
			if e.match(sub, at, then) {
				return true
			}
		}
		return false
	case opRepeat:
		return e.repeat(t, 0, at, then)
	}
	return then(at)
}

func (e *engine) sequence(subs []*tree, at int, then func(int) bool) bool {
	if len(subs) == 0 {
		return then(at)
	}
	return e.match(subs[0], at, func(at int) bool { return e.sequence(subs[1:], at, then) })
}

func (e *engine) repeat(t *tree, done, at int, then func(int) bool) bool {
	more := func() bool {
		return (t.max == unlimited || done < t.max) && e.match(t.subs[0], at, func(next int) bool {
			if next == at && done >= t.min && t.max == unlimited {
				return false // it consumed nothing
			}
			return e.repeat(t, done+1, next, then)
		})
	}
	switch {
	case done < t.min:
		return more()
	case t.lazy:
		return then(at) || more()
	}
	return more() || then(at)
}

func (e *engine) kind(at int) kind {
	if at < 0 || at >= len(e.text) {
		return edge
	}
	return kindOf(e.text[at])
}

// patterns draws small expressions in which much can be ambiguous.
func patterns() *rapid.Generator[string] {
	var pattern *rapid.Generator[string]
	atom := rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 9).Draw(t, "atom") {
		case 0:
			return "(?:" + pattern.Draw(t, "group") + ")"
		case 1:
			return "(" + pattern.Draw(t, "capture") + ")"
		case 2:
			return rapid.SampledFrom([]string{`\b`, `\B`, `^`, `$`, `(?m:^)`, `(?m:$)`}).Draw(t, "look")
		case 3, 4:
			return rapid.SampledFrom([]string{`[ab]`, `[^a]`, `.`, `\w`, `\s`, `(?i:A)`, `\x61`, `\Qa\E`}).Draw(t, "set")
		}
		return rapid.SampledFrom([]string{"a", "b", "c", " "}).Draw(t, "letter")
	})
	piece := rapid.Custom(func(t *rapid.T) string {
		sign := rapid.SampledFrom([]string{"", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,3}", "{2,}"}).Draw(t, "sign")
		return atom.Draw(t, "piece") + sign
	})
	pattern = rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(piece, 0, 3).Draw(t, "pieces"), "")
		}), 1, 2).Draw(t, "alternatives")
		return strings.Join(parts, "|")
	})
	return pattern
}

// slowPatterns draws expressions of which many have something to fail on after
// something that is repeated.
func slowPatterns() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		first := rapid.SampledFrom([]string{"", "", "^", `\b`}).Draw(t, "first")
		sign := rapid.SampledFrom([]string{"", "*", "+", "{1,3}"}).Draw(t, "sign")
		last := rapid.SampledFrom([]string{"", "$", "c", `\b`}).Draw(t, "last")
		return first + "(?:" + patterns().Draw(t, "pattern") + ")" + sign + last
	})
}

func texts() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.RuneFrom([]rune("abcA \n")), 0, 8, -1)
}

// TestTheTreeMeansWhatGoReads: the tree, and the program made of it, match the
// texts that package regexp matches.
func TestTheTreeMeansWhatGoReads(t *testing.T) {
	const many = 100_000
	rapid.Check(t, func(t *rapid.T) {
		pattern, text := patterns().Draw(t, "pattern"), texts().Draw(t, "text")
		re, err := regexp.Compile(pattern)
		if err != nil {
			t.Skip("no expression")
		}
		tree, err := parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatalf("%q is not read: %v", pattern, err)
		}
		want := re.MatchString(text)
		found, steps := search(tree, text, many)
		if steps < many && found != want {
			t.Errorf("%q in %q is found: %t, want %t", pattern, text, found, want)
		}
		if got := matchesByProgram(t, tree, text); got != want {
			t.Errorf("the program of %q finds %q: %t, want %t", pattern, text, got, want)
		}
	})
}

// matchesByProgram searches as counter does.
func matchesByProgram(t *rapid.T, tree *tree, text string) bool {
	a, c := counterOf(tree)
	word := a.letters(text)
	c.steps(word)
	for at := range len(word) + 1 {
		if c.at(situation{c.program.start, at, 0}).matches {
			return true
		}
	}
	return false
}

// letters is the text in letters of the alphabet.
func (a *alphabet) letters(text string) []letter {
	var word []letter
	for _, r := range text {
		for l := range a.show {
			if a.alike(l, r) {
				word = append(word, l)
				break
			}
		}
	}
	return word
}

// alike reports whether a letter represents a character.
func (a *alphabet) alike(l letter, r rune) bool {
	for t := range a.sets {
		if t.has(r) != t.has(a.show[l]) {
			return false
		}
	}
	return kindOf(r) == kindOf(a.show[l]) || !a.byKind
}

// growth compares the steps in a text with those in the same one with more pumps.
func growthOf(t *tree, attack *Attack, pumps, more, most int) (few, many int) {
	_, few = search(t, attack.Text(pumps), most)
	_, many = search(t, attack.Text(pumps+more), most)
	return few, many
}

// TestVerdictsHold: what is called exponential or polynomial makes the plain
// engine slow on the text that the verdict has, and no short text makes it slow
// where the verdict is linear.
func TestVerdictsHold(t *testing.T) {
	const most = 400_000
	seen := map[Growth]int{}
	rapid.Check(t, func(t *rapid.T) {
		pattern := slowPatterns().Draw(t, "pattern")
		tree, err := parse(pattern, syntax.Perl)
		if err != nil {
			t.Skip("no expression")
		}
		v, err := Judge(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		seen[v.Growth]++
		switch {
		case v.Limited:
			if most := mostSteps(tree, v.Attack, 100_000); most < 100_000 {
				t.Errorf("%q is called beyond reach, and takes %d steps (%q)", pattern, most, *v.Attack)
			}
		case v.Growth == Exponential:
			// Eight pumps more multiply the steps by at least 2 to the power of 8,
			// but for the steps that do not grow, which the first pumps outgrow.
			few, many := growthOf(tree, v.Attack, 8, 8, most)
			if many < most && float64(many) < 60*float64(few) {
				t.Errorf("%q is called exponential, and %d steps become %d (%q)", pattern, few, many, *v.Attack)
			}
		case v.Growth == Polynomial:
			// As for linear verdicts, the increments are compared, not the totals: what
			// grows in proportion to the text can outweigh the square for long.
			_, few := search(tree, v.Attack.Text(200), 5*most)
			more, many := growthOf(tree, v.Attack, 400, 200, 5*most)
			if many < 5*most && float64(many-more) < 1.25*float64(more-few) {
				t.Errorf("%q is called polynomial, and %d, %d, %d steps are taken (%q)", pattern, few, more, many, *v.Attack)
			}
		case v.Growth == Linear:
			checkLinear(t, tree, pattern)
		}
	})
	t.Logf("judged: %v", seen)
}

// mostSteps is the most steps that the text takes in any of its lengths up to that
// which counts as within reach.
func mostSteps(t *tree, attack *Attack, most int) int {
	found := 0
	for n := 1; n*len(attack.Pump) <= reachLetters; n++ {
		_, steps := search(t, attack.Text(n), most)
		found = max(found, steps)
	}
	return found
}

// checkLinear repeats texts of up to three characters, after and before others:
// each 30 repetitions more must take about as many steps as the 30 before. The
// steps are counted without taking them, so that there is no most.
func checkLinear(t *rapid.T, tree *tree, pattern string) {
	const pumps = 30
	word := rapid.StringOfN(rapid.RuneFrom([]rune("ab \n")), 0, 3, -1)
	a, c := counterOf(tree)
	for range 8 {
		attack := &Attack{word.Draw(t, "prefix"), word.Draw(t, "pump"), word.Draw(t, "suffix")}
		var steps [3]float64
		for i := range steps {
			steps[i] = c.steps(a.letters(attack.Text(pumps * (i + 1))))
		}
		if steps[2]-steps[1] > 1.3*(steps[1]-steps[0])+500 {
			t.Errorf("%q is called linear, and takes %v steps (%q)", pattern, steps, *attack)
		}
	}
}

func counterOf(tree *tree) (*alphabet, *counter) {
	b := &budget{left: 1 << 40}
	a := newAlphabet(tree, b)
	return a, &counter{alphabet: a, program: compile(tree, false, b), budget: b}
}

// TestStepsAreCountedRight: counting without taking the steps says the same as
// taking them, up to how many pieces a step is.
func TestStepsAreCountedRight(t *testing.T) {
	const most = 100_000
	rapid.Check(t, func(t *rapid.T) {
		pattern, text := patterns().Draw(t, "pattern"), texts().Draw(t, "text")
		tree, err := parse(pattern, syntax.Perl)
		if err != nil {
			t.Skip("no expression")
		}
		_, steps := search(tree, text, most)
		a, c := counterOf(tree)
		counted := c.steps(a.letters(text))
		if few, many := float64(steps)/8-30, float64(steps)*8+30; steps < most && (counted < few || counted > many) {
			t.Errorf("%q in %q takes %d steps, and %v are counted", pattern, text, steps, counted)
		}
	})
}

func FuzzJudge(f *testing.F) {
	for _, pattern := range []string{`(a+)+$`, `^(a{1,30}){1,30}$`, `(?i)\bas[a-z]*p\b`, `[\pL-]{3,}\s+?$`, `\Qa\E*[[:alpha:]]`, `((a*)*b?)*c`} {
		f.Add(pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
			return
		}
		v, err := Judge(pattern, syntax.Perl)
		if err != nil {
			t.Fatalf("%q: %v", pattern, err)
		}
		if v.Growth >= Polynomial && (v.Attack == nil || v.Attack.Pump == "" || v.Part.At < 0 || v.Part.End > len(pattern) || v.Part.At > v.Part.End) {
			t.Errorf("%q: %+v", pattern, v)
		}
	})
}
