package lint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// withPatterns is a rule set whose first rule, from line 13 on, looks for the
// patterns, a line each.
func withPatterns(patterns ...string) string {
	var checks []string
	for _, p := range patterns {
		checks = append(checks, "pattern: "+quoteYAML(p))
	}
	return withChecks([2]string{"fail", "warn"}, [2][]string{checks, nil})
}

func TestALargePatternIsUnjudged(t *testing.T) {
	const path = Root + "/api/api_v1.yaml"
	text := withPatterns(strings.Repeat(`\w*`, 1500) + "!")
	want := []string{path + ":13 pattern-unjudged"}
	if diff := cmp.Diff(want, brief(mustRun(t, library(map[string]string{path: text}), Options{}).Findings)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestManyLargePatternsAreUnjudged: the work for one document is bounded, and
// what is over the bound is not called linear.
func TestManyLargePatternsAreUnjudged(t *testing.T) {
	const path = Root + "/api/api_v1.yaml"
	var patterns []string
	for i := range 200 {
		patterns = append(patterns, strings.Repeat(`[ab]{0,9}`, 30)+strings.Repeat("c", i)+`[ab]*[bc]*\d$`)
	}
	found := map[string]int{}
	for _, f := range mustRun(t, library(map[string]string{path: withPatterns(patterns...)}), Options{}).Findings {
		found[f.Rule.ID]++
	}
	if n := found["pattern-polynomial"] + found["pattern-exponential"] + found["pattern-unjudged"]; n < 100 || found["pattern-unjudged"] == 0 {
		t.Errorf("the findings are %v, want some unjudged, and none of the patterns called linear", found)
	}
}
