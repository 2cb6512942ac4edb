package agreement

import (
	"math"
	"slices"
)

// MeanAbsoluteError returns the mean absolute difference of score and label, in points of
// the scale, at least 0.
func MeanAbsoluteError(judge, people []float64) Value {
	return meanDifference(judge, people, math.Abs)
}

// Bias returns the mean of score minus label, in points of the scale. Above 0, the judge
// is more lenient than people. Correlations do not show a bias.
func Bias(judge, people []float64) Value {
	return meanDifference(judge, people, func(d float64) float64 { return d })
}

func meanDifference(judge, people []float64, of func(float64) float64) Value {
	if v := judgeAndPeople.refuseNumbers(judge, people, 1); !v.Defined() {
		return v
	}
	sum := 0.0
	for i := range judge {
		sum += of(judge[i] - people[i])
	}
	return Value{Number: sum / float64(len(judge))}
}

// BiasEstimate returns Bias and Student's t interval of the mean, which needs no
// resamples and covers the bias of a few items better than a bootstrap.
func BiasEstimate(judge, people []float64) Estimate {
	e := Bias(judge, people).NoEstimate()
	n := len(judge)
	switch {
	case !e.Defined():
	case n < 2:
		e.Interval.Undefined = tooFew(n, 2).Undefined
	default:
		squares := 0.0
		for i := range judge {
			d := judge[i] - people[i] - e.Number
			squares += float64(d * d)
		}
		half := student(n-1) * math.Sqrt(squares/float64(n-1)/float64(n))
		e.Interval = Interval{Low: e.Number - half, High: e.Number + half}
	}
	return e
}

// student approximates the 97.5% quantile of Student's t distribution (Abramowitz and
// Stegun 1964, 26.7.5): to 0.1% from 8 degrees of freedom, and to 4% for 2.
func student(freedom int) float64 {
	const (
		z  = normal
		z3 = z * z * z
		z5 = z3 * z * z
		z7 = z5 * z * z
	)
	v := float64(freedom)
	return z + (z3+z)/4/v + (5*z5+16*z3+3*z)/96/(v*v) + (3*z7+19*z5+17*z3-15*z)/384/(v*v*v)
}

// Baseline has the results of a judge that gives every item the same score. For such a
// judge, correlations and kappas are undefined.
type Baseline struct {
	Label             int   `json:"label"` // the score; meaningless if the others are undefined
	MeanAbsoluteError Value `json:"mean_absolute_error"`
	Bias              Value `json:"bias"`
	Exact             Value `json:"exact"`
	Adjacent          Value `json:"adjacent"`
}

// MostCommonLabel returns the baseline of a judge that always gives the most common
// label, after means are rounded half up. Of several, it is the lowest.
func MostCommonLabel(people []float64) Baseline {
	categories := Levels(people)
	common := mostCommon(categories)
	always, alwaysCategory := slices.Repeat([]float64{float64(common)}, len(people)), slices.Repeat([]int{common}, len(people))
	b := Baseline{Label: common, MeanAbsoluteError: MeanAbsoluteError(always, people), Bias: Bias(always, people)}
	b.Exact, b.Adjacent = Exact(alwaysCategory, categories), Adjacent(alwaysCategory, categories)
	if !b.Bias.Defined() { // an unusable label has no category either
		b.Exact, b.Adjacent = b.Bias, b.Bias
	}
	return b
}

func mostCommon(categories []int) int {
	counts := map[int]int{}
	common := 0
	for _, c := range categories {
		counts[c]++
	}
	for _, c := range categories {
		if n := counts[c]; n > counts[common] || n == counts[common] && c < common {
			common = c
		}
	}
	return common
}

// steadyDraws is how many items are drawn in all for the interval of a long list: its
// limits then vary with the seed by less than the two decimals that are shown.
const steadyDraws = 4_000_000

// LengthEffect returns the Spearman correlation of score minus label with the length of
// the text, and its bootstrap interval. Above 0, the judge scores longer texts higher
// than people do.
func LengthEffect(judge, people, length []float64, seed uint64, resamples int) Estimate {
	if v := judgeAndPeople.refuseNumbers(judge, people, 2); !v.Defined() {
		return v.NoEstimate()
	}
	difference := make([]float64, len(judge))
	for i := range judge {
		difference[i] = judge[i] - people[i]
	}
	statistic := newPairing(difference, length, sides{"differences between judge and people", "lengths"}).of((*pairing).spearman)
	n := len(difference)
	return Estimate{statistic(everything(n)), Bootstrap(n, seed, min(resamples, max(200, steadyDraws/n)), statistic)}
}
