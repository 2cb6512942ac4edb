package ruleset_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// score fails the test if a usable rule set and valid results give none.
func score(t *rapid.T, s *ruleset.RuleSet, phase ruleset.Phase, given map[string]ruleset.Result) ruleset.Score {
	t.Helper()
	return must.Get(s.Score(phase, given))(t)
}

func TestScoreDoesNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, phase := anyRuleSet().Draw(t, "rule set"), anyPhase().Draw(t, "phase")
		given := drawResults(t, s, phase)
		want := score(t, s, phase, given)

		shuffled := *s
		shuffled.Rules = rapid.Permutation(s.Rules).Draw(t, "rules")
		got := score(t, &shuffled, phase, given)

		// cmp compares floats by ==, which tells any two numbers apart.
		if diff := cmp.Diff(want, got, asSet[ruleset.Outcome](), asSet[ruleset.Reason](), asSet[string]()); diff != "" {
			t.Fatalf("after a shuffle (-want +got):\n%s", diff)
		}
	})
}

// asSet compares lists without their order.
func asSet[T comparable]() cmp.Option {
	return cmp.Transformer("asSet", func(list []T) map[T]bool {
		set := map[T]bool{}
		for _, element := range list {
			set[element] = true
		}
		return set
	})
}

func TestScoreFollowsTheRuleSetsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, phase := anyRuleSet().Draw(t, "rule set"), anyPhase().Draw(t, "phase")
		got := score(t, s, phase, drawResults(t, s, phase))

		var outcomes, blocking, active, wantBlocking []string
		for _, r := range s.Active(phase) {
			active = append(active, r.ID)
		}
		for _, o := range got.Rules {
			outcomes = append(outcomes, o.ID)
			if o.Severity == ruleset.SeverityFail && o.Verdict != ruleset.VerdictPass {
				wantBlocking = append(wantBlocking, o.ID)
			}
		}
		blocking = append(blocking, got.Blocking...)
		if diff := cmp.Diff([][]string{active, wantBlocking}, [][]string{outcomes, blocking}); diff != "" {
			t.Fatalf("rules and blocking rules (-want +got):\n%s", diff)
		}
		if got.Passed != (len(got.Reasons) == 0) || got.Score < 0 || got.Score > 1 {
			t.Fatalf("passed is %v with score %v and reasons %v", got.Passed, got.Score, got.Reasons)
		}
	})
}

func TestPassingARuleNeverLosesAPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, phase := anyRuleSet().Draw(t, "rule set"), anyPhase().Draw(t, "phase")
		given := drawResults(t, s, phase)
		before := score(t, s, phase, given)

		better := maps.Clone(given)
		for id, result := range given {
			if result.Verdict != ruleset.VerdictPass && rapid.Bool().Draw(t, id+" passes now") {
				better[id] = ruleset.Result{Verdict: ruleset.VerdictPass}
			}
		}
		after := score(t, s, phase, better)

		if before.Passed && !after.Passed {
			t.Fatalf("the pass is lost: %v", after.Reasons)
		}
		if after.Score < before.Score {
			t.Fatalf("the score went down from %v to %v", before.Score, after.Score)
		}
		if len(after.Blocking) > len(before.Blocking) {
			t.Fatalf("more rules block: %v, then %v", before.Blocking, after.Blocking)
		}
	})
}

func TestInfoRulesChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, phase := anyRuleSet().Draw(t, "rule set"), anyPhase().Draw(t, "phase")
		given := drawResults(t, s, phase)
		before := score(t, s, phase, given)

		s.Rules = append(s.Rules, ruleset.Rule{
			ID: "a.x.note", Severity: ruleset.SeverityInfo, Phase: ruleset.PhaseA,
			Weight: rapid.Float64Range(0, 100).Draw(t, "weight"),
		})
		given["a.x.note"] = ruleset.Result{Verdict: ruleset.VerdictFail}
		after := score(t, s, phase, given)

		after.Rules = after.Rules[:len(after.Rules)-1]
		if diff := cmp.Diff(before, after); diff != "" {
			t.Fatalf("the info rule changed (-before +after):\n%s", diff)
		}
	})
}
