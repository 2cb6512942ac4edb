package redos

import (
	"regexp/syntax"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// byOutline reports whether the outline is enough to call a tree linear.
func byOutline(tree *tree) bool {
	j, loose := outliner(tree)
	return j.clearlyLinear(loose)
}

// outliner is a judge with a budget for the outline of any pattern of a test.
func outliner(tree *tree) (*judge, *program) {
	j := &judge{tree: tree, shape: tree.shape(), most: mostWork}
	j.stage(1)
	return j, compile(tree, true, &j.budget)
}

// checkOutline: what the outline calls linear, the graph does, too, or gives up.
func checkOutline(t interface{ Fatalf(string, ...any) }, pattern string, tree *tree) (outlined bool) {
	if !byOutline(tree) {
		return false
	}
	j, loose := outliner(tree)
	var v Verdict
	if withinBudget(func() { v = j.byGraph(loose) }) && v.Growth != Linear {
		t.Fatalf("%q is linear by its outline, and %s by its graph", pattern, v.Growth)
	}
	return true
}

func TestTheOutlineAgreesWithTheGraph(t *testing.T) {
	outlined, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.OneOf(patterns(), slowPatterns(), separated()).Draw(t, "pattern")
		flags := rapid.SampledFrom([]syntax.Flags{syntax.Perl, syntax.Perl | syntax.FoldCase, syntax.Perl &^ syntax.OneLine}).Draw(t, "flags")
		tree, err := parse(pattern, flags)
		if err != nil {
			t.Skip("no expression")
		}
		if s := tree.shape(); s.loops+s.limited == 0 {
			t.Skip("nothing is repeated")
		}
		all++
		if checkOutline(t, pattern, tree) {
			outlined++
		}
	})
	if outlined == 0 || outlined == all {
		t.Errorf("the outline is enough for %d of %d, so this tests nothing", outlined, all)
	}
	t.Logf("the outline is enough for %d of %d", outlined, all)
}

// separated draws expressions with something between repetitions: many
// are linear, and many are nearly so.
func separated() *rapid.Generator[string] {
	letter := rapid.SampledFrom([]string{"a", "b", "c", " ", "ä", `[^a]`, `\w`, `\s`, `[ab]`, `[ä-ü]`, `\b`, "(?:a|b)", "(?: a|b)?"})
	loop := rapid.SampledFrom([]string{"a*", "b+", `\w+`, " *", `(?: \w+){0,2}`, `(?:a,)*`, `(?:[ab] ?)+`, `[^b]*?`, `ü*`, `(?:ab?){2,3}`})
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 3).Draw(t, "loops") {
			b.WriteString(strings.Join(rapid.SliceOfN(letter, 0, 3).Draw(t, "letters"), ""))
			b.WriteString(loop.Draw(t, "loop"))
		}
		return b.String() + letter.Draw(t, "last")
	})
}

// TestTheOutlineIsEnough names what authors write: it must stay fast.
func TestTheOutlineIsEnough(t *testing.T) {
	tests := []struct {
		reason, pattern string
		want            bool
	}{
		{"a sign before what is repeated", `\bTODO(?:\(\w+\))?: *(?:good|better)`, true},
		{"what is repeated has no such sign", `<[Ii]nsert (?:basic|cool) [\w ]+>`, true},
		{"a number with a limit", `\b\d{1,3}(?:\.\d+)? ?(?:good|solid)\b`, true},
		{"words with a limit, of which the repetition without one reads each in one way", `\bquiet(?: \w+){0,2} current\b`, true},
		{"a look is not looked at", `\b\w+ly\b`, false},
		{"the beginning is in what is repeated", `a\w+`, false},
		{"two ways to repeat", `-(?:a|a)+`, false},
		{"one loop goes over into the other", `-a+a+`, false},
		{"characters beyond ASCII are all one", `-ä+ü+`, false},
		{"many choices may be 2 to their power", strings.Repeat("a?", fewChoices+1) + "-b+", false},
	}
	for _, tt := range tests {
		tree, err := parse(tt.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := byOutline(tree); got != tt.want {
			t.Errorf("%s: the outline of %s is enough: %t, want %t", tt.reason, tt.pattern, got, tt.want)
		}
	}
}

func TestTheOutlineAgreesOnCollectedPatterns(t *testing.T) {
	_, labels := readLabels(t)
	outlined := 0
	for _, l := range labels {
		tree, err := parse(l.Pattern, syntax.Perl)
		if err != nil {
			continue
		}
		if s := tree.shape(); s.loops+s.limited > 0 && checkOutline(t, l.Pattern, tree) {
			outlined++
		}
	}
	if outlined == 0 {
		t.Error("the outline is enough for none")
	}
	t.Logf("the outline is enough for %d of %d", outlined, len(labels))
}

// TestFewSigns: what has few signs repeats nothing.
func TestFewSigns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{`a`, `\`, `\\`, `*`, `+`, `?`, `{2}`, `|`, `[`, `]`, `(`, `)`, `(?:`, `\Q`, `\E`, `^`, `.`})
		pattern := strings.Join(rapid.SliceOfN(piece, 0, 16).Draw(t, "pieces"), "")
		tree, err := parse(pattern, syntax.Perl)
		if err != nil {
			t.Skip("no expression")
		}
		if s := tree.shape(); fewSigns(pattern) && (s.loops+s.limited > 0 || s.choices > fewChoices) {
			t.Errorf("%q has few signs, and %+v", pattern, s)
		}
	})
}
