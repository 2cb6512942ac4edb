package regex_test

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/text/regex"
)

// brief writes differences in a line each: the place, the engines with a ! where
// they refuse the expression, and the portable spelling with = where it is safe.
func brief(pattern string, found []regex.Difference) []string {
	var out []string
	for _, d := range found {
		line := fmt.Sprintf("%d %s", d.Start, pattern[d.Start:d.End])
		for _, e := range d.Effects {
			line += " " + strings.TrimPrefix(e.Engine.String(), "the library's ")
			if e.Reads == "" {
				line += "!"
			}
		}
		switch {
		case d.Safe:
			line += " = " + d.Portable
		case d.Portable != "":
			line += " ~ " + d.Portable
		}
		out = append(out, line)
	}
	return out
}

func TestCheckFindsTheConstruct(t *testing.T) {
	lines, folded := regex.Flags{Multiline: true}, regex.Flags{IgnoreCase: true}
	tests := []struct {
		reason, pattern string
		flags           regex.Flags
		want            []string
	}{
		{"words are the same", `\bas soon as\b`, none, nil},
		{"the end of the text is another place to Python", `a$`, none, []string{"1 $ Python"}},
		{"a line end is tried before the end", `a(?:[\n;]|$)`, none, nil},
		{"a line end is tried before the end, in groups", `((a|b)(?:;|\n|$))`, none, nil},
		{"the end is tried before a line end", `a(?:$|\n)`, none, []string{"4 $ Python"}},
		{"no alternative is a line end", `a(?:[ ;]|$)`, none, []string{"9 $ Python"}},
		{"an alternative only begins with a line end", `a(?:\nb|$)`, none, []string{"8 $ Python"}},
		{"something follows the end", `a(?:\n|$)b?`, none, []string{"7 $ Python"}},
		{"the group can be left out", `a(?:\n|$)?b`, none, []string{"1 (?:\\n|$)? clients!", "7 $ Python"}},
		{"at the ends of lines only rare characters differ", `^a$`, lines, []string{"0 ^ JavaScript", "2 $ JavaScript"}},
		{"a flag inside counts for what follows it", `(?m)a$`, none, []string{"0 (?m) JavaScript! clients!", "5 $ JavaScript"}},
		{"and ends with its bracket", `(?:(?m)a)$`, none, []string{"3 (?m) Python! JavaScript! clients!", "9 $ Python"}},
		{"the beginning has a spelling", `\Aa`, none, []string{`0 \A JavaScript! = ^`}},
		{"but not where lines count", `\Aa`, lines, []string{`0 \A JavaScript!`}},
		{"only Go has it", `a\z`, none, []string{`1 \z Python! JavaScript!`}},
		{"only Python has it", `a\Z`, none, []string{`1 \Z Go! JavaScript!`}},
		{"blanks differ", `a\s\S`, none, []string{`1 \s Python JavaScript = [\t\n\f\r ]`, `3 \S Python JavaScript = [^\t\n\f\r ]`}},
		{"in a class too", `[\s,]`, none, []string{`1 \s Python JavaScript = \t\n\f\r `}},
		{"but not where the class is everything", `[\s\S]`, none, nil},
		{"a class of one", `[^\S]`, none, []string{`0 [^\S] Python JavaScript = [\t\n\f\r ]`}},
		{"all but line ends", `a.`, none, []string{`1 . JavaScript = [^\n]`}},
		{"a dot behind a backslash or in a class is a dot", `\.[.]`, none, nil},
		{"a bell", `\a`, none, []string{`0 \a JavaScript! = \x07`}},
		{"a backslash that is not needed", `\-\_\"\ `, none, []string{`0 \- JavaScript! = -`, `2 \_ JavaScript! = _`, `4 \" JavaScript! = "`, `6 \  JavaScript! =  `}},
		{"one that is needed", `\.\/[\-]`, none, nil},
		{"numbers in braces", `\x{41}\x{2014}\x{D800}`, none, []string{`0 \x{41} Python! JavaScript! = A`, `6 \x{2014} Python! JavaScript! = —`, `14 \x{D800} Python! JavaScript! clients!`}},
		{"octal numbers", `\101\12\01\0`, none, []string{`0 \101 JavaScript! clients! = A`, `4 \12 Python! JavaScript! clients! = \n`, `7 \01 JavaScript! clients! = \x01`, `10 \0 clients! = \x00`}},
		{"properties", `\pL\p{Lu}\p{Greek}`, none, []string{`0 \pL Python! JavaScript! clients!`, `3 \p{Lu} Python! clients!`, `9 \p{Greek} Python! JavaScript! clients!`}},
		{"quoted text", `\Qa.b\E+`, none, []string{`0 \Qa.b\E Python! JavaScript! clients! = a\.b`}},
		{"named classes", `[[:alpha:]_]`, none, []string{`1 [:alpha:] Python JavaScript! clients! = A-Za-z`}},
		{"and what is not in them", `[[:^alpha:]]`, none, []string{`0 [[:^alpha:]] Python JavaScript! clients! = [^A-Za-z]`}},
		{"a bracket before a colon in a class", `[a[:]`, none, []string{`2 [ clients! = \[`}},
		{"and at the end of a range", `[!-[:]`, none, nil},
		{"names of groups", `(?P<n>a)(?<m>b)`, none, []string{`0 (?P<n> JavaScript! = (`, `8 (?<m> Python! = (`}},
		{"a name that appears twice", `(?P<n>a)(?P<n>b)`, none, []string{`0 (?P<n> JavaScript! = (`, `8 (?P<n> Python! JavaScript! = (`}},
		{"a flag in front", `(?i)a`, none, []string{`0 (?i) JavaScript! clients!`}},
		{"a flag further on", `a(?i)b`, none, []string{`1 (?i) Python! JavaScript! clients!`}},
		{"a flag that only Go has", `(?U)a`, none, []string{`0 (?U) Python! JavaScript! clients!`}},
		{"lone brackets", `{a}]`, none, []string{`0 { JavaScript! = \{`, `2 } JavaScript! = \}`, `3 ] JavaScript! = \]`}},
		{"a repetition to Python", `a{,3}`, none, []string{`1 { Python JavaScript!`, `4 } JavaScript!`}},
		{"the edge of a word in grep", `\<a`, none, []string{`0 \< JavaScript!`}},
		{"an intersection of classes in Java", `[a-z&&[^ae]]`, none, []string{`4 & Python`, `11 ] JavaScript!`}},
		{"a difference of classes in .NET", `[a-z-[ae]]`, none, []string{`9 ] JavaScript!`}},
		{"a class after a dash", `\[a-[0-9]+]`, none, []string{`10 ] JavaScript! = \]`}},
		{"one that Python refuses", `{,3}`, none, []string{`0 { Python! JavaScript! = \{`, `3 } JavaScript! = \}`}},
		{"] in front", `[]a]`, none, []string{`1 ] JavaScript = \]`}},
		{"a hyphen behind letters", `[\w-.]`, none, []string{`3 - Python! JavaScript! = \-`}},
		{"a hyphen at the end", `[\w-]`, none, nil},
		{"operations on sets", `[a&&b][+--][[a]`, none, []string{`2 & Python = \x26`, `9 - Python = \-`, `12 [ Python = \[`}},
		{"repeated places", `^*\b+`, none, []string{`0 ^* Python! JavaScript! clients!`, `2 \b+ Python! JavaScript! clients!`}},
		{"what is empty comes first", `(?:|a)*`, none, []string{`0 (?:|a)* JavaScript clients!`}},
		{"what is empty comes last", `(?:a|b*)*(?:a?b?)+`, none, []string{`0 (?:a|b*)* clients!`, `9 (?:a?b?)+ clients!`}},
		{"what is empty is not repeated more often or less", `(?:|a){2}`, none, []string{`0 (?:|a){2} clients!`}},
		{"a lazy repetition leaves first", `(?:|a)*?`, none, []string{`0 (?:|a)*? clients!`}},
		{"inside words of an empty text", `\B|a`, none, []string{`0 \B Python`}},
		{"inside words", `\Ba`, none, nil},
		{"look-around", `(?=a)(?<!b)`, none, []string{`0 (?= Go!`, `5 (?<! Go!`}},
		{"references", `(a)\1\k<n>(?P=n)`, none, []string{`3 \1 Go!`, `5 \k<n> Go! Python!`, `10 (?P=n) Go! JavaScript!`}},
		{"repetitions that keep what they took", `a++(?>b)`, none, []string{`2 + Go! JavaScript!`, `3 (?> Go! JavaScript! ~ (?:`}},
		{"blanks and comments inside", `(?x)a(?#b)`, none, []string{`0 (? Go! JavaScript!`, `5 (?#b) Go! JavaScript!`}},
		{"conditions", `(a)(?(1)b)`, none, []string{`3 (? Go! JavaScript!`}},
		{"a character by its name or as a control", `\N{BULLET}\cA`, none, []string{`0 \N{BULLET} Go! JavaScript!`, `10 \cA Go! Python!`}},
		{"repetitions of repetitions", `a**`, none, []string{`2 * Go! Python! JavaScript!`}},
		{"many repetitions", `a{1001}`, none, []string{`1 {1001} Go!`}},
		{"blanks of other languages", `\h[\h]\R`, none, []string{`0 \h Go! Python! JavaScript! ~ [ \t]`, `3 \h Go! Python! JavaScript! ~  \t`, `6 \R Go! Python! JavaScript! ~ \n`}},
		{"a backspace", `[\b]`, none, []string{`1 \b Go! ~ \x08`}},
		{"numbers of other languages", `\u2014`, none, []string{`0 \u2014 Go!`}},
		{"what is wrong everywhere", `(a`, none, []string{`0 (a Go!`}},
		{"capitals beyond ASCII", `é`, folded, []string{`0 é Go! Python JavaScript`}},
		{"characters of two halves", `[😀-😎]+😀`, none, nil},
	}
	for _, tt := range tests {
		found := regex.Check(tt.pattern, tt.flags)
		if diff := cmp.Diff(tt.want, brief(tt.pattern, found)); diff != "" {
			t.Errorf("%s: %q %+v (-want +got):\n%s", tt.reason, tt.pattern, tt.flags, diff)
		}
	}
}

// TestSpellingsMendWhatTheyReplace: with every safe spelling in its place, only
// what has none is left.
// An author who writes $100 means a dollar sign: without a backslash it is never found.
func TestDollarSignsAreToldFromTheEndOfTheText(t *testing.T) {
	tests := []struct {
		pattern string
		isSign  bool
	}{
		{`$100`, true}, {`(?:US)?$ 100`, true}, {`TODO$`, false}, {`(?:TODO$)`, false}, {`TODO$|TBD`, false},
	}
	for _, tt := range tests {
		found := regex.Check(tt.pattern, none)
		if len(found) != 1 {
			t.Fatalf("%s: %d differences", tt.pattern, len(found))
		}
		if got := strings.Contains(found[0].Advice, "dollar sign"); got != tt.isSign {
			t.Errorf("%s: the advice is %q", tt.pattern, found[0].Advice)
		}
	}
}

func TestSpellingsMendWhatTheyReplace(t *testing.T) {
	for i := range 1500 {
		s := subjects.Example(i)
		fixed := s.pattern
		left := regex.Check(fixed, s.flags)
		for round := 0; slices.ContainsFunc(left, safe); round++ {
			if round > 200 {
				t.Fatalf("%q does not come to an end: %q", s.pattern, fixed)
			}
			d := left[slices.IndexFunc(left, safe)]
			fixed = fixed[:d.Start] + d.Portable + fixed[d.End:]
			left = regex.Check(fixed, s.flags)
		}
		want := inGo(jobOf(s))
		if got := inGo(jobOf(subject{fixed, s.flags, s.texts})); want.Error == "" && !cmp.Equal(want, got) {
			t.Errorf("%q becomes %q, and Go finds %v instead of %v", s.pattern, fixed, got, want)
		}
	}
}

func safe(d regex.Difference) bool { return d.Safe }

func TestCheckKnowsWhatGoRefuses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signs := rapid.StringOf(rapid.SampledFrom([]rune(`\\\([{)]}?*+|^$.-:<>=!,:PpQEx01229abdswAzZUims&~é😀 `)))
		lawful(t, signs.Draw(t, "pattern"), rapid.Bool().Draw(t, "ignore case"), rapid.Bool().Draw(t, "multiline"))
	})
}

func FuzzCheck(f *testing.F) {
	for _, s := range collected() {
		f.Add(s.pattern, s.flags.IgnoreCase, s.flags.Multiline)
	}
	f.Fuzz(func(t *testing.T, pattern string, ignoreCase, multiline bool) {
		lawful(t, pattern, ignoreCase, multiline)
	})
}

// lawful holds what is true of every text: Check says of an expression that Go
// refuses it exactly if it does, its places are inside the text and in order, and
// a safe spelling compiles.
func lawful(t rapid.TB, pattern string, ignoreCase, multiline bool) {
	flags := regex.Flags{Multiline: multiline}
	mode := syntax.Perl
	if multiline {
		mode &^= syntax.OneLine
	}
	_, err := syntax.Parse(pattern, mode)
	found := regex.Check(pattern, flags)
	if err == nil {
		if diff := cmp.Diff(found, regex.CheckCompiled(pattern, flags)); diff != "" {
			t.Fatalf("%q (-Check +CheckCompiled):\n%s", pattern, diff)
		}
	}
	refused := slices.ContainsFunc(found, func(d regex.Difference) bool { return d.RefusedBy(regex.Go) })
	if refused != (err != nil) {
		t.Fatalf("Go says %v of %q, and Check finds %q", err, pattern, brief(pattern, found))
	}
	flags.IgnoreCase = ignoreCase
	before := 0
	for _, d := range regex.Check(pattern, flags) {
		if d.Start < before || d.End < d.Start || d.End > len(pattern) || len(d.Effects) == 0 {
			t.Fatalf("a difference of %q has the place %d to %d after %d and the effects %v", pattern, d.Start, d.End, before, d.Effects)
		}
		before = d.Start
		if d.Safe {
			if _, err := syntax.Parse(pattern[:d.Start]+d.Portable+pattern[d.End:], mode); err != nil {
				t.Fatalf("%q instead of %q in %q: %v", d.Portable, pattern[d.Start:d.End], pattern, err)
			}
		}
	}
}

// TestCheckTakesLongTexts makes everything deep or many that can be.
func TestCheckTakesLongTexts(t *testing.T) {
	for _, piece := range []string{"(", "(?:", ")", "[", "[:", `\x{`, `\p{`, "(?P<", "(?P<a", `\Q`, `\u{`, `\k<`, "(?#", "a{", "a{1,", `\-`, `\s`, "(?i)", "a**", "[[:alpha:]", "\xff", "{,3}", "[a-"} {
		text := strings.Repeat(piece, 1<<16/len(piece))
		if len(regex.Check(text, none)) == 0 {
			t.Errorf("nothing is found in many %q", piece)
		}
	}
}
