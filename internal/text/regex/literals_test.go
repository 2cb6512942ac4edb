package regex

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestLiterals(t *testing.T) {
	tests := []struct {
		reason, expr string
		want         []string
	}{
		{"a text is its own literal", `MVP`, []string{"MVP"}},
		{"case means nothing here, so that it can be left out elsewhere", `\bmvp\b`, []string{"MVP"}},
		{"one of several is in the text", `\b(?:everyone|everybody)\b`, []string{"EVERYBODY", "EVERYONE"}},
		{"neighbors are joined", `best[- ]in`, []string{"BEST IN", "BEST-IN"}},
		{"what may be missing is left out in one of the texts", `more(?:over)?`, []string{"MORE", "MOREOVER"}},
		{"the longest of the parts is looked up", `as \w+ as possible`, []string{" AS POSSIBLE"}},
		{"what occurs once or more occurs once", `(?:abc)+`, []string{"ABC"}},
		{"of a letter with three cases, the first represents all", `(?i)kelvin`, []string{"KELVIN"}},
		{"two characters", `ab`, []string{"AB"}},
		{"a class of many characters says nothing", `[a-z]+`, nil},
		{"nor does what may be missing", `(?:everyone)?`, nil},
		{"two words", `everyone|us`, []string{"EVERYONE", "US"}},
	}
	for _, tt := range tests {
		tree := must.Get(syntax.Parse(tt.expr, syntax.Perl))(t)
		if diff := cmp.Diff(tt.want, Literals(tree)); diff != "" {
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
		texts := Literals(tree)
		if texts == nil {
			return
		}
		re, err := regexp.Compile(expr)
		if err != nil || re.FindString(text) == "" {
			return
		}
		folded := Fold(text)
		for _, l := range texts {
			if strings.Contains(folded, l) {
				return
			}
		}
		t.Fatalf("%q matches %q, which has none of %q", expr, text, texts)
	})
}
