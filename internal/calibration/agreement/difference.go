package agreement

import (
	"math"
	"slices"
)

// Bias returns the mean of score minus label, in points of the scale. Above 0, the judge
// is more lenient than people. Correlations do not show a bias.
func Bias(judge, people []float64) Value { return BiasStatistic(judge, people)(once(len(judge))) }

// BiasStatistic returns Bias as a statistic for [Bootstrap].
func BiasStatistic(judge, people []float64) Statistic {
	return differenceStatistic(judge, people, func(d float64) float64 { return d })
}

// distanceStatistic is the mean absolute difference of score and label, in points of the
// scale, at least 0.
func distanceStatistic(judge, people []float64) Statistic {
	return differenceStatistic(judge, people, math.Abs)
}

func differenceStatistic(judge, people []float64, of func(float64) float64) Statistic {
	refused := refuse(judge, people, 1)
	return func(weights []int) Value {
		if !refused.Defined() {
			return refused
		}
		sum := 0.0
		for i, w := range weights {
			sum += float64(float64(w) * of(judge[i]-people[i]))
		}
		return Value{Number: sum / float64(total(weights))}
	}
}

// Baseline has the results of a judge that gives every item the same score. For such a
// judge, correlations and kappas are undefined.
type Baseline struct {
	Label             int   `json:"label"` // the score; meaningless if the error is undefined
	MeanAbsoluteError Value `json:"mean_absolute_error"`
}

// MostCommonLabel returns the baseline of a judge that always gives the most common
// label, after means are rounded half up. Of several, it is the lowest.
func MostCommonLabel(people []float64) Baseline {
	levels, counts, common := Levels(people), map[int]int{}, 0
	for _, level := range levels {
		counts[level]++
	}
	for _, level := range levels {
		if n := counts[level]; n > counts[common] || n == counts[common] && level < common {
			common = level
		}
	}
	always := slices.Repeat([]float64{float64(common)}, len(people))
	return Baseline{common, distanceStatistic(always, people)(once(len(people)))}
}
