package rubric

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tolerance is the tolerance of every comparison of scores: a score reaches a minimum if
// score >= minimum - Tolerance, in IEEE double arithmetic. It absorbs the rounding of
// means, so that all languages agree.
const Tolerance = 1e-9

// Verdict is the result of applying a rubric to an artifact, with its reasons.
type Verdict struct {
	Passed bool `json:"passed"`
	// Overall is the mean of the scores, weighted by Criterion.Counts: from 1.0 to 5.0,
	// but for rounding.
	Overall float64 `json:"overall"`
	// PassThreshold is the minimum of Overall, 0 if the rubric has none.
	PassThreshold float64 `json:"pass_threshold,omitempty"`
	// Criteria has one result for each criterion, in the rubric's order.
	Criteria []CriterionResult `json:"criteria"`
	// NegativeCriteria are the negative criteria that were hit, in the rubric's
	// order.
	NegativeCriteria []NegativeResult `json:"negative_criteria"`
	// Reasons say why the rubric failed: criteria first, then the overall score,
	// then negative criteria. It is empty exactly if Passed is true.
	Reasons []Reason `json:"reasons"`
}

// CriterionResult is the result of one criterion. An important criterion that does not
// pass does not fail the rubric.
type CriterionResult struct {
	Name    string  `json:"name"`
	Weight  Weight  `json:"weight"`
	Score   float64 `json:"score"`
	Minimum float64 `json:"minimum"` // see Rubric.Minimum
	Passed  bool    `json:"passed"`
}

// NegativeResult is a negative criterion that was hit; Effect is never empty.
type NegativeResult struct {
	Name   string `json:"name"`
	Effect Effect `json:"effect"`
}

// Reason is one reason why a rubric failed.
type Reason struct {
	Kind ReasonKind `json:"kind"`
	// Name is the name of the criterion or negative criterion; empty for
	// ReasonOverall.
	Name string `json:"name,omitempty"`
	// Score and Minimum are the actual and the required score; both are 0 for
	// ReasonHit.
	Score   float64 `json:"score,omitempty"`
	Minimum float64 `json:"minimum,omitempty"`
}

// ReasonKind is the kind of a reason.
type ReasonKind string

const (
	// ReasonCriterion means that an essential criterion is below its minimum.
	ReasonCriterion ReasonKind = "criterion_below_minimum"
	// ReasonOverall means that the overall score is below the pass threshold.
	ReasonOverall ReasonKind = "overall_below_threshold"
	// ReasonHit means that a negative criterion with EffectFail is hit.
	ReasonHit ReasonKind = "negative_criterion_hit"
)

// String returns the reason as a sentence without a period.
func (r Reason) String() string {
	switch r.Kind {
	case ReasonCriterion:
		return fmt.Sprintf("the essential criterion %s must reach %[3]s, got %[2]s",
			r.Name, below(r.Score, r.Minimum), decimal(r.Minimum))
	case ReasonOverall:
		return fmt.Sprintf("the overall score must reach %[2]s, got %[1]s",
			below(r.Score, r.Minimum), decimal(r.Minimum))
	case ReasonHit:
		return fmt.Sprintf("the negative criterion %s matches", r.Name)
	}
	return string(r.Kind)
}

// Minimum returns the lowest score with which a criterion of this rubric passes: its
// threshold, or for an essential criterion the larger of its threshold and
// Scoring.EssentialMinimum.
func (r *Rubric) Minimum(c *Criterion) float64 {
	if c.Weight == Essential {
		return max(c.Threshold, r.Scoring.EssentialMinimum)
	}
	return c.Threshold
}

// Verdict applies the rubric to the scores of all criteria by name, each from 1.0 to 5.0,
// and the names of the negative criteria that were hit, as returned by HitNames.
// Duplicate hits are ignored.
//
// The rubric passes if every essential criterion reaches its Minimum, the weighted mean of
// the scores reaches Scoring.PassThreshold, and no negative criterion with EffectFail is hit.
// An important criterion below its minimum does not fail the rubric by itself. Every
// comparison allows Tolerance.
//
// The error is an *InputError that lists every missing, unknown, or invalid score, every
// unknown hit, and every problem that makes the rubric itself unusable.
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
	var products, weights []float64
	for i := range r.Criteria {
		c := &r.Criteria[i]
		score, minimum := scores[c.Name], r.Minimum(c)
		products = append(products, float64(c.Counts()*score)) // rounded, before it is added
		weights = append(weights, c.Counts())
		passed := reaches(score, minimum)
		v.Criteria = append(v.Criteria, CriterionResult{c.Name, c.Weight, score, minimum, passed})
		if !passed && c.Weight == Essential {
			v.Reasons = append(v.Reasons, Reason{ReasonCriterion, c.Name, score, minimum})
		}
	}
	v.Overall = sum(products) / sum(weights)
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

// reaches reports whether a score reaches a minimum, within Tolerance.
func reaches(score, minimum float64) bool { return score >= minimum-Tolerance }

// sum adds the numbers in ascending order, so that the order of the criteria can't change
// the last bit.
func sum(numbers []float64) float64 {
	slices.Sort(numbers)
	total := 0.0
	for _, n := range numbers {
		total += n
	}
	return total
}

// decimal formats a number without an exponent and trailing zeros.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// below formats a score below a minimum with two decimals, or with as many as needed to
// show that it is below: 3.4999 is not shown as 3.5.
func below(score, minimum float64) string {
	for places := 2; places <= 9; places++ {
		text := strconv.FormatFloat(score, 'f', places, 64)
		if shown, err := strconv.ParseFloat(text, 64); err == nil && shown < minimum {
			return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		}
	}
	return decimal(score)
}
