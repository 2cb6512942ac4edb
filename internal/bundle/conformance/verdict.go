package conformance

import (
	"errors"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// verdictVector is one case of verdict.json.
type verdictVector struct {
	Name   string             `json:"name"`
	Reason string             `json:"reason"`
	Rubric *rubric.Rubric     `json:"rubric"`
	Scores map[string]float64 `json:"scores"`
	Hits   []string           `json:"hits"`
	Result *rubric.Verdict    `json:"result,omitempty"`
	Error  *refusal           `json:"error,omitempty"`
}

type scores = map[string]float64

// criterion is a criterion whose texts say nothing.
func criterion(name string, weight rubric.Weight, threshold float64) rubric.Criterion {
	return rubric.Criterion{
		Name: name, Description: "What is looked at.", Weight: weight, Threshold: threshold,
		Anchors:  rubric.Anchors{"one", "two", "three", "four", "five"},
		Examples: rubric.Examples{Score1: "bad", Score5: "good"},
	}
}

func essential(name string, threshold float64) rubric.Criterion {
	return criterion(name, rubric.Essential, threshold)
}

func important(name string, threshold float64) rubric.Criterion {
	return criterion(name, rubric.Important, threshold)
}

// rubricOf is a rubric of the criteria.
func rubricOf(criteria ...rubric.Criterion) *rubric.Rubric {
	return &rubric.Rubric{ID: "vector_v1", Name: "Vector", Version: "1.0.0", ArtifactType: "vectors", Criteria: criteria}
}

// requiring is the rubric with the minimums; 0 is none.
func requiring(r *rubric.Rubric, passThreshold, essentialMinimum float64) *rubric.Rubric {
	r.Scoring = rubric.Scoring{PassThreshold: passThreshold, EssentialMinimum: essentialMinimum}
	return r
}

// avoiding is the rubric with one negative criterion for each effect.
func avoiding(r *rubric.Rubric, effects ...rubric.Effect) *rubric.Rubric {
	for i, effect := range effects {
		name := "negative_" + string(rune('a'+i))
		r.NegativeCriteria = append(r.NegativeCriteria, rubric.NegativeCriterion{Name: name, FailPatterns: []string{"x"}, Effect: effect})
	}
	return r
}

// verdictVectors computes what is expected of each case.
func verdictVectors() []verdictVector {
	vectors := verdictCases()
	for i := range vectors {
		v := &vectors[i]
		if v.Hits == nil {
			v.Hits = []string{}
		}
		result, err := v.Rubric.Verdict(v.Scores, v.Hits)
		var input *rubric.InputError
		if errors.As(err, &input) {
			v.Error = refusalOf(input)
		} else {
			v.Result = must(result, err)
		}
	}
	return vectors
}

func refusalOf(e *rubric.InputError) *refusal {
	r := &refusal{Definition: len(e.Definition) > 0, Missing: e.Missing, Unknown: e.Unknown, UnknownHits: e.UnknownHits}
	for _, s := range e.Invalid {
		r.Invalid = append(r.Invalid, s.Name)
	}
	return r
}

func verdictCases() []verdictVector {
	cases := []verdictVector{
		{Name: "on-threshold", Reason: "a score that is the threshold passes", Rubric: rubricOf(essential("a", 3.5)), Scores: scores{"a": 3.5}},
		{Name: "within-tolerance", Reason: "half of 1e-9 below is not below", Rubric: rubricOf(essential("a", 3)), Scores: scores{"a": 3 - 5e-10}},
		{Name: "on-tolerance", Reason: "the comparison is score >= minimum - 1e-9, and both sides are the same double here", Rubric: rubricOf(essential("a", 3)), Scores: scores{"a": 3 - 1e-9}},
		{Name: "beyond-tolerance", Reason: "twice 1e-9 below is below", Rubric: rubricOf(essential("a", 3)), Scores: scores{"a": 3 - 2e-9}},
		{Name: "ends-of-the-scale", Reason: "1 and 5 belong to the scale", Rubric: rubricOf(essential("a", 1), essential("b", 5)), Scores: scores{"a": 1, "b": 5}},
		{Name: "important-below", Reason: "an important criterion below its threshold is reported and fails nothing", Rubric: rubricOf(essential("a", 3), important("b", 4)), Scores: scores{"a": 3, "b": 1}},
		{Name: "essential-below", Reason: "an essential criterion below its threshold fails, whatever the others have", Rubric: rubricOf(essential("a", 3), important("b", 4)), Scores: scores{"a": 2, "b": 5}},
		{Name: "no-scoring", Reason: "without scoring there is no minimum of the mean", Rubric: rubricOf(essential("a", 1), important("b", 1)), Scores: scores{"a": 1, "b": 1}},
		{Name: "essential-minimum-larger", Reason: "an essential criterion needs the larger of threshold and essential_minimum", Rubric: requiring(rubricOf(essential("a", 2)), 0, 4), Scores: scores{"a": 3.9}},
		{Name: "essential-minimum-smaller", Reason: "the threshold stands where it is larger", Rubric: requiring(rubricOf(essential("a", 4)), 0, 2), Scores: scores{"a": 3.9}},
		{Name: "essential-minimum-reached", Reason: "a score that is the essential_minimum passes", Rubric: requiring(rubricOf(essential("a", 2)), 0, 4), Scores: scores{"a": 4}},
		{Name: "essential-minimum-not-for-important", Reason: "essential_minimum says nothing of important criteria", Rubric: requiring(rubricOf(essential("a", 2), important("b", 2)), 0, 4), Scores: scores{"a": 4, "b": 2}},
		{Name: "mean-on-threshold", Reason: "a mean that is the pass_threshold passes", Rubric: requiring(rubricOf(important("a", 1), important("b", 1)), 3.5, 0), Scores: scores{"a": 3, "b": 4}},
		{Name: "mean-below", Reason: "a mean below the pass_threshold fails by itself", Rubric: requiring(rubricOf(essential("a", 1), important("b", 1)), 3.5, 0), Scores: scores{"a": 3, "b": 3.9}},
		{Name: "mean-inexact", Reason: "thirds of sums are not exact; the tolerance absorbs it", Rubric: requiring(rubricOf(important("a", 1), important("b", 1), important("c", 1)), 3.3, 0), Scores: scores{"a": 3.3, "b": 3.3, "c": 3.3}},
		{Name: "mean-in-ascending-order", Reason: "the smallest score is added first, whatever the order of the criteria", Rubric: rubricOf(important("a", 1), important("b", 1), important("c", 1), important("d", 1)), Scores: scores{"a": 4.7, "b": 1.1, "c": 3.3, "d": 2.2}},
		{Name: "mean-added-one-by-one", Reason: "no compensated summation: ten times 1.1 is added as doubles", Rubric: rubricOf(ten(1)...), Scores: tenScores(1.1)},
		{Name: "several-reasons", Reason: "criteria in the rubric's order, then the mean, then negative criteria", Rubric: avoiding(requiring(rubricOf(essential("z", 4), essential("a", 4)), 4, 0), rubric.EffectFail), Scores: scores{"z": 1, "a": 2}, Hits: []string{"negative_a"}},
		{Name: "hit-fails", Reason: "effect is fail where nothing is said", Rubric: avoiding(rubricOf(essential("a", 3)), ""), Scores: scores{"a": 5}, Hits: []string{"negative_a"}},
		{Name: "hit-reports", Reason: "effect report reports and fails nothing", Rubric: avoiding(rubricOf(essential("a", 3)), rubric.EffectReport), Scores: scores{"a": 5}, Hits: []string{"negative_a"}},
		{Name: "hits-in-order", Reason: "hits come in the rubric's order and each once, however they are given", Rubric: avoiding(rubricOf(essential("a", 3)), rubric.EffectFail, rubric.EffectReport, rubric.EffectFail), Scores: scores{"a": 5}, Hits: []string{"negative_c", "negative_b", "negative_a", "negative_c"}},
	}
	return append(cases, refusedVerdicts()...)
}

// ten is ten important criteria, tenScores the same score for each.
func ten(threshold float64) []rubric.Criterion {
	var criteria []rubric.Criterion
	for i := range 10 {
		criteria = append(criteria, important(string(rune('a'+i)), threshold))
	}
	return criteria
}

func tenScores(score float64) scores {
	s := scores{}
	for _, c := range ten(1) {
		s[c.Name] = score
	}
	return s
}

func refusedVerdicts() []verdictVector {
	two := func() *rubric.Rubric {
		return avoiding(rubricOf(essential("a", 3), important("b", 3)), rubric.EffectFail)
	}
	right := scores{"a": 3, "b": 3}
	return []verdictVector{
		{Name: "missing", Reason: "an important criterion needs a score too", Rubric: two(), Scores: scores{"a": 3}},
		{Name: "missing-all", Reason: "no score at all names every criterion, sorted", Rubric: rubricOf(essential("z", 3), essential("a", 3)), Scores: scores{}},
		{Name: "extra", Reason: "a score for what the rubric does not have", Rubric: two(), Scores: scores{"a": 3, "b": 3, "c": 3}},
		{Name: "below-the-scale", Reason: "0 is no score", Rubric: two(), Scores: scores{"a": 0, "b": 3}},
		{Name: "above-the-scale", Reason: "the scale has no tolerance: a hair above 5 is a judge's fault", Rubric: two(), Scores: scores{"a": 3, "b": 5.0000000001}},
		{Name: "unknown-hit", Reason: "a hit of what the rubric does not have, named once", Rubric: two(), Scores: right, Hits: []string{"other", "negative_a", "other"}},
		{Name: "hit-of-a-criterion", Reason: "the name of a criterion is none of a negative criterion", Rubric: two(), Scores: right, Hits: []string{"a"}},
		{Name: "all-at-once", Reason: "everything that is wrong is named", Rubric: two(), Scores: scores{"a": 6, "c": 3}, Hits: []string{"other"}},
		{Name: "no-criteria", Reason: "a rubric without criteria passes nothing", Rubric: rubricOf(), Scores: scores{}},
		{Name: "criterion-twice", Reason: "one score can't be that of two criteria", Rubric: rubricOf(essential("a", 3), essential("a", 4)), Scores: scores{"a": 5}},
		{Name: "unknown-weight", Reason: "a weight of a later library is not guessed", Rubric: rubricOf(criterion("a", "optional", 3)), Scores: scores{"a": 5}},
		{Name: "threshold-off-the-scale", Reason: "a threshold of 0 would pass everything", Rubric: rubricOf(essential("a", 0)), Scores: scores{"a": 5}},
		{Name: "pass-threshold-off-the-scale", Reason: "a percentage is no score", Rubric: requiring(rubricOf(essential("a", 3)), 70, 0), Scores: scores{"a": 5}},
		{Name: "unknown-effect", Reason: "an effect of a later library is not guessed", Rubric: avoiding(rubricOf(essential("a", 3)), "warn"), Scores: scores{"a": 5}},
	}
}
