package lint

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

func TestLiterals(t *testing.T) {
	tests := []struct {
		reason, expr string
		want         []string
	}{
		{"a text is its own literal", `MVP`, []string{"MVP"}},
		{"case means nothing here, so that it can be left out elsewhere", `\bmvp\b`, []string{"MVP"}},
		{"one of several stands in the text", `\b(?:everyone|everybody)\b`, []string{"EVERYBODY", "EVERYONE"}},
		{"neighbours are joined", `best[- ]in`, []string{"BEST IN", "BEST-IN"}},
		{"what may be missing is left out in one of the texts", `more(?:over)?`, []string{"MORE", "MOREOVER"}},
		{"the longest of the parts is looked up", `as \w+ as possible`, []string{" AS POSSIBLE"}},
		{"what stands once or more stands once", `(?:abc)+`, []string{"ABC"}},
		{"of a letter with three cases, the first stands for all", `(?i)kelvin`, []string{"KELVIN"}},
		{"two characters are found everywhere", `ab`, nil},
		{"a class of many characters says nothing", `[a-z]+`, nil},
		{"nor does what may be missing", `(?:everyone)?`, nil},
		{"nor do texts of which one is short", `everyone|us`, nil},
	}
	for _, tt := range tests {
		tree, err := syntax.Parse(tt.expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, literals(tree, shortestLiteral)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", tt.reason, tt.expr, diff)
		}
	}
}

// What an expression matches holds one of its literals: otherwise it would be
// passed over in a text that it hits.
func FuzzLiterals(f *testing.F) {
	f.Add(`\b(?:every(?:one|body)|al{2,}[- ]users?)\b`, "for Everybody")
	f.Add(`(?i)ſtraße\x{212A}`, "STRAßEk")
	f.Add(`a(?i:bc)d|[ſs]tep{1,3}(?:s|)`, "Stepps")
	f.Add(`(x?abc*){2}$`, "abab")
	f.Fuzz(func(t *testing.T, expr, text string) {
		tree, err := syntax.Parse(expr, syntax.Perl)
		if err != nil || len(expr) > 200 {
			return
		}
		texts := literals(tree, shortestLiteral)
		if texts == nil {
			return
		}
		re, err := regexp.Compile(expr)
		if err != nil || re.FindString(text) == "" {
			return
		}
		folded := foldCase(text)
		for _, l := range texts {
			if strings.Contains(folded, l) {
				return
			}
		}
		t.Fatalf("%q matches %q, which has none of %q", expr, text, texts)
	})
}

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
		x := pattern{ignoreCase: ignoreCase}
		if x.tree, err = syntax.Parse(expr, syntax.Perl); err != nil {
			t.Fatal(err)
		}
		x.literals = literals(x.tree, 1)
		found, may := re.MatchString(rubric.PatternText(text, ignoreCase)), x.mayBeIn(searchedFolded([]string{"b", text}))
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

// TestNoCoveredPatternIsMissed: a pattern that covers another may be in each text
// of that.
func TestNoCoveredPatternIsMissed(t *testing.T) {
	covered := 0
	words := rapid.SampledFrom([]string{"and", "so", "on", " ", "And", "s", "(?:and|so)", "o?", `\b`, `\B`, "[an]", "(?i:S)", "-"})
	exprs := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(words, 1, 3).Draw(t, "words"), "") })
	rapid.Check(t, func(t *rapid.T) {
		of, by := pattern{}, pattern{ignoreCase: rapid.Bool().Draw(t, "ignore case")}
		ofExpr, byExpr := exprs.Draw(t, "of"), exprs.Draw(t, "by")
		if rapid.IntRange(0, 3).Draw(t, "likely to be covered") > 0 {
			ofExpr += byExpr
		}
		of.tree, _ = syntax.Parse(ofExpr, syntax.Perl)
		by.tree, _ = syntax.Parse(byExpr, syntax.Perl)
		by.literals = literals(by.tree, 1)
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
			if !by.mayBeIn(foldCase(text)) {
				t.Errorf("%q covers %q, and needs one of %q", byExpr, ofExpr, by.literals)
			}
		}
	})
	if covered == 0 {
		t.Error("no pattern covers another, so this tests nothing")
	}
}
