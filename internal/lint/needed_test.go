package lint

import (
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

func TestNeeded(t *testing.T) {
	tests := []struct {
		reason, pattern string
		ignoreCase      bool
		want            []string
	}{
		{"all of the words", `\betc\b`, false, []string{"etc"}},
		{"in small letters, in which texts are compared", `TBD`, false, []string{"tbd"}},
		{"one of the alternatives", `\b(?:good|better) enough\?`, false, []string{" enough?"}},
		{"of several parts the one with the longest", `as (?:realistic|wonderful) as`, false, []string{"realistic", "wonderful"}},
		{"what is there at least once", `(?:abc)+ ?`, false, []string{"abc"}},
		{"not what can be left out", `(?:abc)?d`, false, []string{"d"}},
		{"not a class", `[abc]+`, false, nil},
		{"not where an alternative needs none", `abc|\w`, false, nil},
		{"not letters beyond ASCII where case is ignored", `(?i)ä`, false, nil},
		{"but where case matters", `Ä`, false, []string{"ä"}},
		{"not too many", strings.Repeat("[ab]c|d[ef]g|", mostNeeded) + "h", false, nil},
	}
	for _, tt := range tests {
		tree, err := syntax.Parse(tt.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, needed(tree, tt.ignoreCase)); diff != "" {
			t.Errorf("%s: what %s needs (-want +got):\n%s", tt.reason, tt.pattern, diff)
		}
	}
}

// TestNothingFoundIsMissed: a pattern is found only in texts that it may be in.
func TestNothingFoundIsMissed(t *testing.T) {
	matched, refused := 0, 0
	letters := []string{"a", "A", "b", "s", "S", "ſ", "k", "K", "\u212a", "ä", "Ä", "a\u0308", "\r\n", "\n", " ", "ab", "ks", "\ufffd"}
	signs := []string{"*", "+", "?", "|", "(?:", ")", "(?i)", "(?i:", "[ab]", "[^a]", ".", `\b`, "{2}", "{0,2}", `\x{212a}`, `\Qa+\E`, "(", "^", "$", `\s`}
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.OneOf(rapid.SampledFrom(letters), rapid.SampledFrom(letters), rapid.SampledFrom(signs))
		expr := strings.Join(rapid.SliceOfN(pieces, 1, 8).Draw(t, "pattern"), "")
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(letters), 0, 8).Draw(t, "text"), "")
		ignoreCase := rapid.Bool().Draw(t, "ignore case")
		re, err := rubric.CompilePattern(expr, ignoreCase)
		if err != nil {
			t.Skip("no expression")
		}
		x := pattern{ignoreCase: ignoreCase}
		if x.tree, err = syntax.Parse(expr, syntax.Perl); err != nil {
			t.Fatal(err)
		}
		x.needed = needed(x.tree, ignoreCase)
		found, may := re.MatchString(rubric.PatternText(text, ignoreCase)), x.mayBeIn(searchedSmall([]string{"b", text}))
		if found && !may {
			t.Errorf("%q is found in %q, and needs one of %q", expr, text, x.needed)
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

// TestNoCoveredPatternIsMissed: a pattern that covers another may be in each text
// of that.
func TestNoCoveredPatternIsMissed(t *testing.T) {
	covered := 0
	words := rapid.SampledFrom([]string{"and", "so", "on", " ", "And", "s", "(?:and|so)", "o?", `\b`, `\B`, "[an]", "(?i:S)", "-"})
	exprs := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(words, 1, 3).Draw(t, "words"), "") })
	rapid.Check(t, func(t *rapid.T) {
		of, by := pattern{}, pattern{ignoreCase: rapid.Bool().Draw(t, "ignore case")}
		ofExpr, byExpr := exprs.Draw(t, "of"), exprs.Draw(t, "by")
		of.tree, _ = syntax.Parse(ofExpr, syntax.Perl)
		by.tree, _ = syntax.Parse(byExpr, syntax.Perl)
		by.needed = needed(by.tree, by.ignoreCase)
		re, err := rubric.CompilePattern(byExpr, by.ignoreCase)
		if err != nil {
			t.Fatal(err)
		}
		texts, ok := allTexts(of)
		if !ok || !covers(re, of, texts) {
			return
		}
		covered++
		for _, text := range texts {
			if !by.mayBeIn(inSmallLetters(text)) {
				t.Errorf("%q covers %q, and needs one of %q", byExpr, ofExpr, by.needed)
			}
		}
	})
	if covered == 0 {
		t.Error("no pattern covers another, so this tests nothing")
	}
}
