package rubric_test

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// anyRubric draws usable rubrics: all that a verdict depends on is valid, and
// the texts are anything.
func anyRubric() *rapid.Generator[*rubric.Rubric] {
	return rapid.Custom(func(t *rapid.T) *rubric.Rubric {
		r := &rubric.Rubric{
			ID:      "r_v1",
			Name:    rapid.String().Draw(t, "name"),
			Version: "1.0.0",
			Scoring: rubric.Scoring{
				PassThreshold:    optional(anyScore()).Draw(t, "pass_threshold"),
				EssentialMinimum: optional(anyScore()).Draw(t, "essential_minimum"),
			},
			Language: rapid.SampledFrom([]string{"", "en", "de"}).Draw(t, "language"),
		}
		for i := range rapid.IntRange(1, 6).Draw(t, "criteria") {
			r.Criteria = append(r.Criteria, anyCriterion(fmt.Sprintf("criterion_%d", i)).Draw(t, "criterion"))
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "negative criteria") {
			r.NegativeCriteria = append(r.NegativeCriteria, anyNegative(fmt.Sprintf("negative_%d", i)).Draw(t, "negative"))
		}
		if rapid.Bool().Draw(t, "is deprecated") {
			r.Deprecated = &rubric.Deprecation{Reason: rapid.String().Draw(t, "why")}
		}
		if rapid.Bool().Draw(t, "has metadata") {
			r.Metadata = map[string]string{"owner": rapid.String().Draw(t, "owner")}
		}
		return r
	})
}

func anyCriterion(name string) *rapid.Generator[rubric.Criterion] {
	return rapid.Custom(func(t *rapid.T) rubric.Criterion {
		c := rubric.Criterion{
			Name:           name,
			Description:    rapid.String().Draw(t, "description"),
			Weight:         rapid.SampledFrom([]rubric.Weight{rubric.Essential, rubric.Important}).Draw(t, "weight"),
			RelativeWeight: optional(anyWeight()).Draw(t, "relative_weight"),
			Threshold:      anyScore().Draw(t, "threshold"),
			Examples:       rubric.Examples{Score3: rapid.String().Draw(t, "score_3")},
		}
		for i := range c.Anchors {
			c.Anchors[i] = rapid.String().Draw(t, "anchor")
		}
		return c
	})
}

func anyNegative(name string) *rapid.Generator[rubric.NegativeCriterion] {
	return rapid.Custom(func(t *rapid.T) rubric.NegativeCriterion {
		return rubric.NegativeCriterion{
			Name:         name,
			FailPatterns: rapid.SliceOfN(rapid.SampledFrom([]string{"etc\\.", "a|é", "x*", "s"}), 1, 3).Draw(t, "patterns"),
			Effect:       rapid.SampledFrom([]rubric.Effect{"", rubric.EffectFail, rubric.EffectReport}).Draw(t, "effect"),
		}
	})
}

// anyScore draws half points as often as any other number on the scale.
func anyScore() *rapid.Generator[float64] {
	halves := rapid.Map(rapid.IntRange(2, 10), func(n int) float64 { return float64(n) / 2 })
	return rapid.OneOf(halves, rapid.Float64Range(rubric.MinScore, rubric.MaxScore))
}

// anyWeight draws small whole numbers as often as any other relative weight.
func anyWeight() *rapid.Generator[float64] {
	whole := rapid.Map(rapid.IntRange(1, 10), func(n int) float64 { return float64(n) })
	return rapid.OneOf(whole, rapid.Float64Range(1e-9, rubric.MaxRelativeWeight))
}

func optional(of *rapid.Generator[float64]) *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Just(0.0), of)
}

// anyScores draws a score for every criterion.
func anyScores(r *rubric.Rubric) *rapid.Generator[map[string]float64] {
	return rapid.Custom(func(t *rapid.T) map[string]float64 {
		scores := map[string]float64{}
		for _, c := range r.Criteria {
			scores[c.Name] = anyScore().Draw(t, c.Name)
		}
		return scores
	})
}

// anyHits draws a list of negative criteria, possibly with repeats.
func anyHits(r *rubric.Rubric) *rapid.Generator[[]string] {
	if len(r.NegativeCriteria) == 0 {
		return rapid.Just[[]string](nil)
	}
	names := make([]string, len(r.NegativeCriteria))
	for i, n := range r.NegativeCriteria {
		names[i] = n.Name
	}
	return rapid.SliceOfN(rapid.SampledFrom(names), 0, 4)
}
