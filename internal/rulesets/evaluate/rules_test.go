package evaluate

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Checks with the results that their names say, on any text.
var (
	passing  = ruleset.Check{Type: ruleset.CheckContent, Pattern: `\A`}
	failing  = ruleset.Check{Type: ruleset.CheckContent, Pattern: `\A`, Expect: ruleset.ExpectAbsent}
	skipping = ruleset.Check{Type: ruleset.CheckExecutable, Command: []string{"true"}}
)

func result(verdict ruleset.Verdict, reason string) *ruleset.Result {
	return &ruleset.Result{Verdict: verdict, Reason: reason}
}

func TestVerdictsFromBothSides(t *testing.T) {
	const pass, fail, skip = ruleset.VerdictPass, ruleset.VerdictFail, ruleset.VerdictSkipped
	type checks = []ruleset.Check
	tests := []struct {
		why     string
		checks  checks
		outside *ruleset.Result
		want    ruleset.Verdict
		source  Source
		reason  string
	}{
		{"all checks pass", checks{passing, passing}, nil, pass, SourceChecks,
			"2 of 2 checks passed (check 1: 1 match)"},
		{"one fails", checks{passing, skipping, failing}, nil, fail, SourceChecks,
			"1 of 3 checks failed (check 3: 1 match, expected none)"},
		{"one could not be run", checks{passing, skipping}, nil, skip, SourceNone,
			"1 of 2 checks could not be run (check 2: commands only run with --allow-exec), and there is no external verdict"},
		{"nothing is known", nil, nil, skip, SourceNone,
			"no checks are prepared, and there is no external verdict"},

		{"both sides pass", checks{passing}, result(pass, "looks fine"), pass, SourceBoth,
			"the check passed: 1 match; external verdict: passed: looks fine"},
		{"outside alone passes", nil, result(pass, ""), pass, SourceOutside,
			"external verdict: passed without a reason"},
		{"the external verdict replaces checks that could not be run", checks{passing, skipping}, result(pass, "ran it"), pass, SourceOutside,
			"external verdict: passed: ran it"},
		{"but not for what failed", checks{failing, skipping}, result(pass, "I like it"), fail, SourceChecks,
			"1 of 2 checks failed (check 1: 1 match, expected none)"},

		{"outside fails what the checks pass", checks{passing}, result(fail, "GET is\nmissing"), fail, SourceOutside,
			"external verdict: failed: GET is missing"},
		{"both sides fail", checks{failing}, result(fail, "bad"), fail, SourceBoth,
			"the check failed: 1 match, expected none; external verdict: failed: bad"},
		{"outside could not tell", checks{passing}, result(skip, "no access"), skip, SourceOutside,
			"external verdict: skipped: no access"},
		{"neither could tell", checks{skipping}, result(skip, "no access"), skip, SourceOutside,
			"external verdict: skipped: no access"},
		{"outside could not tell what fails", checks{failing}, result(skip, "no access"), fail, SourceChecks,
			"the check failed: 1 match, expected none"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			outside := map[string]ruleset.Result{}
			if tt.outside != nil {
				outside["a.x.y"] = *tt.outside
			}
			got, err := Rules(t.Context(), rules("a.x.y"), ruleset.PhaseA, map[string][]ruleset.Check{"a.x.y": tt.checks}, outside, anyArtifact, Options{})
			if err != nil || len(got) != 1 {
				t.Fatalf("%d results, error %v", len(got), err)
			}
			if len(got[0].Checks) != len(tt.checks) {
				t.Errorf("%d checks have a result, want %d", len(got[0].Checks), len(tt.checks))
			}
			got[0].Checks = nil
			want := RuleResult{ID: "a.x.y", Result: *result(tt.want, tt.reason), Source: tt.source}
			if diff := cmp.Diff(want, got[0]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

var anyArtifact = newArtifact("artifact.md", []byte("text"))

// rules returns a rule set with the given rules.
func rules(ids ...string) *ruleset.RuleSet {
	s := &ruleset.RuleSet{ID: "s_v1"}
	for _, id := range ids {
		phase, _ := ruleset.PhaseOf(id)
		s.Rules = append(s.Rules, ruleset.Rule{
			ID: id, Severity: ruleset.SeverityWarn, Weight: 1, Phase: phase,
			Check: "false; rm -rf .", // an instruction is never run
		})
	}
	return s
}

func TestActiveRulesInTheirOrder(t *testing.T) {
	s := rules("b.x.y", "a.z.z", "a.x.y")
	everything := map[string][]ruleset.Check{"a.x.y": {passing}, "a.z.z": {passing}, "b.x.y": {passing}}
	for phase, want := range map[ruleset.Phase][]string{
		ruleset.PhaseA: {"a.z.z", "a.x.y"},
		ruleset.PhaseB: {"b.x.y", "a.z.z", "a.x.y"},
	} {
		results := must.Get(Rules(t.Context(), s, phase, everything, nil, anyArtifact, Options{}))(t)
		var got []string
		for _, r := range results {
			got = append(got, r.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("phase %s (-want +got):\n%s", phase, diff)
		}
	}
}

func TestInterruptLeavesNoVerdict(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupt)
	for reason, checks := range map[string]map[string][]ruleset.Check{
		"with checks": {"a.x.y": {passing}},
		"without":     nil,
	} {
		got, err := Rules(ctx, rules("a.x.y"), ruleset.PhaseA, checks, nil, anyArtifact, Options{})
		if got != nil || !errors.Is(err, errInterrupt) {
			t.Errorf("%s: results %v, error %v", reason, got, err)
		}
	}
}

// drawVerdict draws a result with any reason.
func drawVerdict(t *rapid.T, name string) ruleset.Result {
	return ruleset.Result{
		Verdict: rapid.SampledFrom([]ruleset.Verdict{ruleset.VerdictPass, ruleset.VerdictFail, ruleset.VerdictSkipped}).Draw(t, name),
		Reason:  "r" + rapid.String().Draw(t, name+"'s reason"),
	}
}

func TestARulePassesOnlyIfAllThatIsKnownDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.SliceOfN(rapid.SampledFrom([]ruleset.Check{passing, failing, skipping}), 0, 4).Draw(t, "checks")
		outside := map[string]ruleset.Result{}
		if rapid.Bool().Draw(t, "has external verdict") {
			outside["a.x.y"] = drawVerdict(t, "outside")
		}
		s := rules("a.x.y")
		results, err := Rules(t.Context(), s, ruleset.PhaseA, map[string][]ruleset.Check{"a.x.y": drawn}, outside, anyArtifact, Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := results[0]

		seen := map[ruleset.Verdict]int{}
		for _, c := range r.Checks {
			seen[c.Verdict]++
		}
		given, has := outside["a.x.y"]
		if has {
			seen[given.Verdict]++
		}
		if r.Verdict == ruleset.VerdictPass &&
			(seen[ruleset.VerdictFail] > 0 || seen[ruleset.VerdictPass] == 0 || has && given.Verdict != ruleset.VerdictPass) {
			t.Fatalf("passed with %v and %+v from outside", seen, outside)
		}
		if (r.Verdict == ruleset.VerdictFail) != (seen[ruleset.VerdictFail] > 0) {
			t.Fatalf("%s with %v", r.Verdict, seen)
		}
		if r.Reason == "" || strings.ContainsAny(r.Reason, "\n\r") {
			t.Fatalf("the reason %q is not one line", r.Reason)
		}
		// What a rule set can score must be possible with each result.
		must.Get(s.Score(ruleset.PhaseA, map[string]ruleset.Result{r.ID: r.Result}))(t)
	})
}
