package rules

import (
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/text/regex"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// TestNothingFoundIsMissed: a pattern is found only in texts that it may be in.
func TestNothingFoundIsMissed(t *testing.T) {
	matched, refused := 0, 0
	letters := []string{"a", "A", "b", "s", "S", "ſ", "k", "K", "\u212a", "ä", "Ä", "a\u0308", "\r\n", "\n", " ", "ab", "ks", "\ufffd"}
	signs := []string{"*", "+", "?", "|", "(?:", ")", "(?i)", "(?i:", "[ab]", "[^a]", ".", `\b`, "{2}", "{0,2}", `\x{212a}`, `\Qa+\E`, "(", "^", "$", `\s`}
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.OneOf(rapid.SampledFrom(letters), rapid.SampledFrom(letters), rapid.SampledFrom(signs))
		drawn := rapid.SliceOfN(pieces, 1, 8).Draw(t, "pattern")
		expr := strings.Join(drawn, "")
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(letters), 0, 8).Draw(t, "text"), "")
		if rapid.Bool().Draw(t, "likely to match") {
			text += strings.Join(slices.DeleteFunc(drawn, func(piece string) bool { return slices.Contains(signs, piece) }), "")
		}
		ignoreCase := rapid.Bool().Draw(t, "ignore case")
		re, err := rubric.CompilePattern(expr, ignoreCase)
		if err != nil {
			t.Skip("no expression")
		}
		x := pattern{Flags: regex.Flags{IgnoreCase: ignoreCase}}
		if x.tree, err = syntax.Parse(expr, syntax.Perl); err != nil {
			t.Fatal(err)
		}
		x.literals = regex.Literals(x.tree)
		found, may := re.MatchString(rubric.PatternText(text, ignoreCase)), searchedFolded("b", text).MayMatch(x.literals)
		if found && !may {
			t.Errorf("%q is found in %q, and needs one of %q", expr, text, x.literals)
		}
		if found {
			matched++
		}
		if !may {
			refused++
		}
	})
	if matched == 0 || refused == 0 {
		t.Errorf("%d texts matched and %d were refused, so this tests nothing", matched, refused)
	}
}
