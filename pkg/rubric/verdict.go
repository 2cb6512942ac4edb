package rubric

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tolerance is what every comparison of scores allows: a score reaches a
// minimum if score >= minimum - Tolerance, in IEEE double arithmetic. It absorbs
// the rounding of means, so that 3.5 is 3.5 in every language.
const Tolerance = 1e-9

// Verdict is what a rubric says of an artifact, and why.
type Verdict struct {
	Passed bool `json:"passed"`
	// Overall is the arithmetic mean of the scores.
	Overall float64 `json:"overall"`
	// PassThreshold is the minimum of Overall; 0 if the rubric has none.
	PassThreshold float64 `json:"pass_threshold,omitempty"`
	// Criteria has one result per criterion, in the rubric's order.
	Criteria []CriterionResult `json:"criteria"`
	// NegativeCriteria are those that were hit, in the rubric's order.
	NegativeCriteria []NegativeResult `json:"negative_criteria"`
	// Reasons say why the rubric failed: criteria first, then the overall
	// score, then negative criteria. It is empty exactly if Passed is true.
	Reasons []Reason `json:"reasons"`
}

// CriterionResult is how one criterion came out. An important criterion that is
// not passed does not fail the rubric.
type CriterionResult struct {
	Name    string  `json:"name"`
	Weight  Weight  `json:"weight"`
	Score   float64 `json:"score"`
	Minimum float64 `json:"minimum"` // as Rubric.Minimum gives it
	Passed  bool    `json:"passed"`
}

// NegativeResult is a negative criterion that was hit; Effect is never empty.
type NegativeResult struct {
	Name   string `json:"name"`
	Effect Effect `json:"effect"`
}

// Reason is one thing that fails a rubric.
type Reason struct {
	Kind ReasonKind `json:"kind"`
	// Name is that of the criterion or negative criterion; empty for
	// ReasonOverall.
	Name string `json:"name,omitempty"`
	// Score and Minimum are what was given and what is needed; both 0 for
	// ReasonHit.
	Score   float64 `json:"score,omitempty"`
	Minimum float64 `json:"minimum,omitempty"`
}

// ReasonKind tells the reasons apart.
type ReasonKind string

const (
	// ReasonCriterion: an essential criterion is below its minimum.
	ReasonCriterion ReasonKind = "criterion_below_minimum"
	// ReasonOverall: the overall score is below the pass threshold.
	ReasonOverall ReasonKind = "overall_below_threshold"
	// ReasonHit: a negative criterion with EffectFail is hit.
	ReasonHit ReasonKind = "negative_criterion_hit"
)

// String says the reason in a plain sentence without a full stop.
func (r Reason) String() string {
	switch r.Kind {
	case ReasonCriterion:
		return fmt.Sprintf("the essential criterion %s has %s and needs at least %s",
			r.Name, below(r.Score, r.Minimum), decimal(r.Minimum))
	case ReasonOverall:
		return fmt.Sprintf("the overall score is %s and needs to be at least %s",
			below(r.Score, r.Minimum), decimal(r.Minimum))
	case ReasonHit:
		return fmt.Sprintf("the negative criterion %s is hit", r.Name)
	}
	return string(r.Kind)
}

// Minimum is the score with which a criterion of this rubric passes: its
// threshold, and for an essential one the larger of threshold and
// Scoring.EssentialMinimum.
func (r *Rubric) Minimum(c *Criterion) float64 {
	if c.Weight == Essential {
		return max(c.Threshold, r.Scoring.EssentialMinimum)
	}
	return c.Threshold
}

// Verdict judges an artifact by the scores of all criteria, by name, each 1.0 to
// 5.0, and by the names of the negative criteria that were hit; HitNames gives
// them, and naming one twice means nothing.
//
// The rubric passes if every essential criterion reaches its Minimum, the mean
// of the scores reaches Scoring.PassThreshold, and no negative criterion with
// EffectFail is hit. An important criterion below its minimum fails nothing by
// itself. Every comparison allows Tolerance.
//
// The error is an *InputError that names every missing, unknown or invalid
// score, every unknown hit, and what makes the rubric itself unusable.
func (r *Rubric) Verdict(scores map[string]float64, hits []string) (Verdict, error) {
	if err := r.checkInput(scores, hits); err != nil {
		return Verdict{}, err
	}
	v := Verdict{
		PassThreshold:    r.Scoring.PassThreshold,
		Criteria:         make([]CriterionResult, 0, len(r.Criteria)),
		NegativeCriteria: []NegativeResult{},
		Reasons:          []Reason{},
	}
	given := make([]float64, 0, len(r.Criteria))
	for i := range r.Criteria {
		c := &r.Criteria[i]
		score, minimum := scores[c.Name], r.Minimum(c)
		given = append(given, score)
		passed := reaches(score, minimum)
		v.Criteria = append(v.Criteria, CriterionResult{c.Name, c.Weight, score, minimum, passed})
		if !passed && c.Weight == Essential {
			v.Reasons = append(v.Reasons, Reason{ReasonCriterion, c.Name, score, minimum})
		}
	}
	v.Overall = mean(given)
	if !reaches(v.Overall, v.PassThreshold) {
		v.Reasons = append(v.Reasons, Reason{Kind: ReasonOverall, Score: v.Overall, Minimum: v.PassThreshold})
	}
	for i := range r.NegativeCriteria {
		n := &r.NegativeCriteria[i]
		if !slices.Contains(hits, n.Name) {
			continue
		}
		v.NegativeCriteria = append(v.NegativeCriteria, NegativeResult{n.Name, n.effect()})
		if n.effect() == EffectFail {
			v.Reasons = append(v.Reasons, Reason{Kind: ReasonHit, Name: n.Name})
		}
	}
	v.Passed = len(v.Reasons) == 0
	return v, nil
}

// reaches compares as Tolerance says.
func reaches(score, minimum float64) bool { return score >= minimum-Tolerance }

// mean sorts the scores and sums them in ascending order, so that the order of
// criteria can't change the last bit. There is at least one score.
func mean(scores []float64) float64 {
	slices.Sort(scores)
	sum := 0.0
	for _, s := range scores {
		sum += s
	}
	return sum / float64(len(scores))
}

// decimal writes a number as an author would.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// below writes a score that is below a minimum with two decimals, or with as
// many as show that it is below: 3.4999 is not shown as 3.5.
func below(score, minimum float64) string {
	for places := 2; places <= 9; places++ {
		text := strconv.FormatFloat(score, 'f', places, 64)
		if shown, err := strconv.ParseFloat(text, 64); err == nil && shown < minimum {
			return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		}
	}
	return decimal(score)
}
