package rubric_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// verdict fails the test if a usable rubric and valid input have no verdict.
func verdict(t *rapid.T, r *rubric.Rubric, scores map[string]float64, hits []string) rubric.Verdict {
	t.Helper()
	return must.Get(r.Verdict(scores, hits))(t)
}

func TestVerdictDoesNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRubric().Draw(t, "rubric")
		scores, hits := anyScores(r).Draw(t, "scores"), anyHits(r).Draw(t, "hits")
		want := verdict(t, r, scores, hits)

		shuffled := *r
		shuffled.Criteria = rapid.Permutation(r.Criteria).Draw(t, "criteria")
		shuffled.NegativeCriteria = rapid.Permutation(r.NegativeCriteria).Draw(t, "negative criteria")
		got := verdict(t, &shuffled, scores, rapid.Permutation(hits).Draw(t, "hits again"))

		// cmp compares floats by ==, which tells any two numbers apart.
		byName := cmp.Transformer("byName", func(list []rubric.CriterionResult) map[string]rubric.CriterionResult {
			m := map[string]rubric.CriterionResult{}
			for _, c := range list {
				m[c.Name] = c
			}
			return m
		})
		asSet := func(list []rubric.Reason) map[rubric.Reason]bool {
			m := map[rubric.Reason]bool{}
			for _, reason := range list {
				m[reason] = true
			}
			return m
		}
		effects := func(list []rubric.NegativeResult) map[string]rubric.Effect {
			m := map[string]rubric.Effect{}
			for _, n := range list {
				m[n.Name] = n.Effect
			}
			return m
		}
		if diff := cmp.Diff(want, got, byName, cmp.Transformer("asSet", asSet), cmp.Transformer("effects", effects)); diff != "" {
			t.Fatalf("after a shuffle (-want +got):\n%s", diff)
		}
	})
}

func TestVerdictFollowsTheRubricsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRubric().Draw(t, "rubric")
		v := verdict(t, r, anyScores(r).Draw(t, "scores"), anyHits(r).Draw(t, "hits"))
		for i, c := range v.Criteria {
			if c.Name != r.Criteria[i].Name {
				t.Fatalf("result %d is of %s, want %s", i, c.Name, r.Criteria[i].Name)
			}
		}
		if !slices.IsSortedFunc(v.NegativeCriteria, func(a, b rubric.NegativeResult) int {
			return place(r, a.Name) - place(r, b.Name)
		}) {
			t.Fatalf("negative criteria out of order: %v", v.NegativeCriteria)
		}
		if v.Passed != (len(v.Reasons) == 0) {
			t.Fatalf("passed is %v with reasons %v", v.Passed, v.Reasons)
		}
	})
}

func place(r *rubric.Rubric, negative string) int {
	return slices.IndexFunc(r.NegativeCriteria, func(n rubric.NegativeCriterion) bool { return n.Name == negative })
}

func TestRaisingAScoreNeverLosesAPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRubric().Draw(t, "rubric")
		scores, hits := anyScores(r).Draw(t, "scores"), anyHits(r).Draw(t, "hits")
		before := verdict(t, r, scores, hits)

		raised := maps.Clone(scores)
		name := rapid.SampledFrom(r.Criteria).Draw(t, "criterion").Name
		raised[name] = rapid.Float64Range(scores[name], rubric.MaxScore).Draw(t, "raised")
		after := verdict(t, r, raised, hits)

		if before.Passed && !after.Passed {
			t.Fatalf("the rubric is lost: %v", after.Reasons)
		}
		if after.Overall < before.Overall {
			t.Fatalf("the overall score went down from %v to %v", before.Overall, after.Overall)
		}
		for i, c := range before.Criteria {
			if c.Passed && !after.Criteria[i].Passed {
				t.Fatalf("criterion %s is lost", c.Name)
			}
		}
	})
}

// TestOnlyProportionsOfWeightsCount holds that weights which are all scaled change the overall
// score by no more than rounding, and that equal ones give the plain mean.
func TestOnlyProportionsOfWeightsCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRubric().Draw(t, "rubric")
		scores := anyScores(r).Draw(t, "scores")
		before := verdict(t, r, scores, nil).Overall

		factor := rapid.Float64Range(1e-9, 1).Draw(t, "factor")
		total := 0.0
		for i := range r.Criteria {
			r.Criteria[i].RelativeWeight = r.Criteria[i].Counts() * factor
			total += scores[r.Criteria[i].Name]
		}
		if after := verdict(t, r, scores, nil).Overall; math.Abs(after-before) > 1e-12 {
			t.Fatalf("the overall score was %v and is %v", before, after)
		}
		for i := range r.Criteria {
			r.Criteria[i].RelativeWeight = factor
		}
		if r.Weighted() {
			t.Fatal("equal weights count as others")
		}
		if got, want := verdict(t, r, scores, nil).Overall, total/float64(len(r.Criteria)); math.Abs(got-want) > 1e-12 {
			t.Fatalf("equal weights give %v, want %v", got, want)
		}
	})
}

// TestWeighted holds that the default counts as the number that it is.
func TestWeighted(t *testing.T) {
	for _, tt := range []struct {
		weights []float64
		want    bool
	}{
		{[]float64{0}, false},
		{[]float64{0, 1, 0}, false},
		{[]float64{3, 3}, false},
		{[]float64{0, 0, 2}, true},
		{[]float64{3, 0}, true},
	} {
		r := &rubric.Rubric{}
		for _, weight := range tt.weights {
			r.Criteria = append(r.Criteria, rubric.Criterion{RelativeWeight: weight})
		}
		if got := r.Weighted(); got != tt.want {
			t.Errorf("%v: weighted is %v, want %v", tt.weights, got, tt.want)
		}
	}
}

func TestAReportedHitChangesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRubric().Draw(t, "rubric")
		scores, hits := anyScores(r).Draw(t, "scores"), anyHits(r).Draw(t, "hits")
		before := verdict(t, r, scores, hits)

		r.NegativeCriteria = append(r.NegativeCriteria, rubric.NegativeCriterion{
			Name: "only_reported", FailPatterns: []string{"x"}, Effect: rubric.EffectReport,
		})
		after := verdict(t, r, scores, append(hits, "only_reported"))

		before.NegativeCriteria = append(before.NegativeCriteria, rubric.NegativeResult{Name: "only_reported", Effect: rubric.EffectReport})
		if diff := cmp.Diff(before, after); diff != "" {
			t.Fatalf("the hit changed (-before +after):\n%s", diff)
		}
	})
}

func TestVerdictIsItsDefinition(t *testing.T) {
	// The rules once more, as plainly as they can be said, over exact numbers:
	// quarters have no rounding, so the tolerance can't matter.
	quarters := rapid.Map(rapid.IntRange(4, 20), func(n int) float64 { return float64(n) / 4 })
	rapid.Check(t, func(t *rapid.T) {
		r := &rubric.Rubric{Scoring: rubric.Scoring{
			PassThreshold:    optional(quarters).Draw(t, "pass_threshold"),
			EssentialMinimum: optional(quarters).Draw(t, "essential_minimum"),
		}}
		scores, reached := map[string]float64{}, map[string]bool{}
		want, total, all := true, 0.0, 0.0
		for _, name := range []string{"a", "b", "c", "d"} {
			c := anyCriterion(name).Draw(t, name)
			c.Threshold = quarters.Draw(t, "threshold")
			c.RelativeWeight = rapid.SampledFrom([]float64{0, 1, 2, 4, 0.5}).Draw(t, "relative_weight")
			r.Criteria = append(r.Criteria, c)
			scores[name] = quarters.Draw(t, "score")
			total += c.Counts() * scores[name]
			all += c.Counts()
			reached[name] = scores[name] >= c.Threshold
			if c.Weight == rubric.Essential {
				reached[name] = reached[name] && scores[name] >= r.Scoring.EssentialMinimum
				want = want && reached[name]
			}
		}
		if total < all*r.Scoring.PassThreshold {
			want = false
		}
		v := verdict(t, r, scores, nil)
		if v.Passed != want || v.Overall != total/all {
			t.Fatalf("passed %v with %v, want %v with %v", v.Passed, v.Overall, want, total/all)
		}
		for _, c := range v.Criteria {
			if c.Passed != reached[c.Name] {
				t.Fatalf("%+v, want passed %v", c, reached[c.Name])
			}
		}
	})
}
