package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// withPatterns is a rule set whose first rule, from line 13 on, looks for the
// patterns, a line each.
func withPatterns(patterns ...string) string {
	var checks []string
	for _, p := range patterns {
		checks = append(checks, "pattern: "+yamltree.Quote(p, yamltree.DoubleQuoted))
	}
	return "ruleset_id: api_v1\nname: API\nversion: \"1.0.0\"\nartifact_type: api\nscoring:\n  pass_threshold: 0.8\nrules:\n" +
		"  - id: a.correctness.one\n    description: Fact 0 is named.\n    severity: fail\n    check: Look for fact 0.\n    checks:\n" +
		"      - {type: content, " + strings.Join(checks, "}\n      - {type: content, ") + "}\n"
}

func TestALargePatternIsUnjudged(t *testing.T) {
	const path = lint.Root + "/api/api_v1.yaml"
	text := withPatterns(strings.Repeat(`\w*`, 1500) + "!")
	want := []string{path + ":13 pattern-unjudged"}
	if diff := cmp.Diff(want, linttest.Brief(linttest.Run(t, linttest.Library(map[string]string{path: text}), linttest.Only(All(), "pattern-unjudged"), lint.Options{}).Findings)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// judgedAs are the findings about how long a program that backtracks takes, by the
// number of the pattern.
func judgedAs(t interface{ Fatal(...any) }, patterns []string) map[int][]string {
	report, err := lint.Run(linttest.Library(map[string]string{lint.Root + "/api/api_v1.yaml": withPatterns(patterns...)}), linttest.Only(All(), "pattern-exponential", "pattern-unjudged"), lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[int][]string{}
	for _, f := range report.Findings {
		n := f.Location.Start.Line - 13
		found[n] = append(found[n], fmt.Sprint(f.Rule.ID, " ", f.Severity, " ", f.Location.Start.Column, " ", f.Message))
	}
	return found
}

// TestAPatternIsJudgedAsIfAlone: what is found of a pattern does not depend on the
// others in its document.
func TestAPatternIsJudgedAsIfAlone(t *testing.T) {
	var costly []string
	for i := range 6 {
		costly = append(costly, strings.Repeat(`[ab]{0,9}`, 30)+strings.Repeat("c", i)+`[ab]*[bc]*\d$`, fmt.Sprintf(`(?:[a-z]+[,;] ?){0,%d}end`, 75+i), strings.Repeat(`\w*`, 100+i)+"!")
	}
	small := []string{`(\w+\s?)+TBD`, `\s+$`, `TBD`, `a long text of words`, `(?:ab?){1,9}c`, `<[^>]*>`, `(?:(?:ab){1,40}){1,20}c`, `(?:x{1,2}){1,3}y`}
	alone := map[string][]string{}
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.SliceOfN(rapid.SampledFrom(append(small, costly...)), 2, 12).Draw(t, "patterns")
		together := judgedAs(t, patterns)
		for i, p := range patterns {
			if _, ok := alone[p]; !ok {
				alone[p] = judgedAs(t, []string{p})[0]
			}
			if diff := cmp.Diff(alone[p], together[i]); diff != "" {
				t.Fatalf("%q (-alone +together):\n%s", p, diff)
			}
		}
	})
	if found := fmt.Sprint(alone[`(\w+\s?)+TBD`]); !strings.Contains(found, "pattern-exponential error") {
		t.Errorf("the pattern that hangs has %s", found)
	}
}

// TestCostlySearchesAreReported: a pattern that takes too long to be searched in the
// rubric's own examples is an error, and the next one is searched as if alone.
func TestCostlySearchesAreReported(t *testing.T) {
	example := "score_5: |-\n        " + strings.Repeat("a", 100_000) + "b\n"
	costly := `(?:a?){1000}b`
	for _, tt := range []struct {
		patterns           string
		unjudged, hitsBest int
	}{{"'ab'", 0, 1}, {"'" + costly + "'", 1, 0}, {"'" + costly + "', 'ab'", 1, 1}} {
		text := strings.Replace(withKeys(t, "fail_patterns: ["+tt.patterns+"]"), "score_5: |-\n", example, 1)
		fsys := linttest.Library(map[string]string{linttest.GoodPath: text})
		if got := len(messagesOf(t, fsys, family("Regular expressions"), "pattern-unjudged")); got != tt.unjudged {
			t.Errorf("%s: %d patterns are unjudged, want %d", tt.patterns, got, tt.unjudged)
		}
		if got := len(messagesOf(t, fsys, family("Regular expressions"), "pattern-hits-best")); got != tt.hitsBest {
			t.Errorf("%s: %d patterns hit the example, want %d", tt.patterns, got, tt.hitsBest)
		}
	}
}
