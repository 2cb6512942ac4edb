package agreement

import (
	"cmp"
	"math"
	"slices"
)

// Estimates are the statistics of a judge's scores and people's labels of the same items.
// QuadraticKappa is of the scores rounded to levels.
type Estimates struct {
	Spearman          Estimate `json:"spearman"`
	QuadraticKappa    Estimate `json:"quadratic_kappa"`
	MeanAbsoluteError Estimate `json:"mean_absolute_error"`
	Bias              Estimate `json:"bias"` // a correlation can't see it
}

// NoEstimates has the same reason for each statistic.
func NoEstimates(why Value) Estimates {
	none := why.NoEstimate()
	return Estimates{none, none, none, none}
}

// EstimatePairs computes all statistics and their intervals.
func EstimatePairs(judge, people []float64, seed uint64, resamples int) Estimates {
	e := Bootstrap(len(judge), seed, resamples,
		SpearmanStatistic(judge, people), kappaStatistic(judge, people), distanceStatistic(judge, people), BiasStatistic(judge, people))
	return Estimates{e[0], e[1], e[2], e[3]}
}

// Spearman returns the rank correlation, from -1 to 1 (Spearman 1904): the product-moment
// correlation of the ranks, where equal numbers share the mean of their ranks (Kendall
// and Gibbons 1990, chapter 3). The shortcut with squared differences is not used because
// it is wrong for ties.
func Spearman(judge, people []float64) Value {
	return SpearmanStatistic(judge, people)(once(len(judge)))
}

// SpearmanStatistic returns Spearman as a statistic for [Bootstrap]. It sorts once; each
// call then takes linear time.
func SpearmanStatistic(judge, people []float64) Statistic {
	x, y, refused := newLevels(judge), newLevels(people), refuse(judge, people, 2)
	return func(weights []int) Value {
		if !refused.Defined() {
			return refused
		}
		return spearman(x, y, weights)
	}
}

// spearman sums whole numbers, which is exact up to about 300,000 items. Each position
// counts as often as its weight says.
func spearman(judge, people levels, weights []int) Value {
	countX, countY := judge.count(weights), people.count(weights)
	switch {
	case isConstant(countY):
		return constant(labels)
	case isConstant(countX):
		return constant(scores)
	}
	x, y := midranks(countX), midranks(countY)
	xy := 0.0
	for i, w := range weights {
		xy += float64(float64(w) * x[judge.of[i]] * y[people.of[i]])
	}
	// Rounding can move the quotient slightly beyond 1.
	return Value{Number: max(-1, min(1, xy/math.Sqrt(squares(x, countX)*squares(y, countY))))}
}

func squares(ranks []float64, counts []int) float64 {
	sum := 0.0
	for level, r := range ranks {
		sum += float64(r * r * float64(counts[level]))
	}
	return sum
}

// levels represents numbers by their positions among the distinct values. Numbers are
// sorted once, not for each resample, because resampling does not change their order.
type levels struct {
	of     []int     // by item: the position of its number in values
	values []float64 // the distinct numbers, ascending; each the smallest of its equals
}

func newLevels(numbers []float64) levels {
	l, order := levels{of: make([]int, len(numbers))}, make([]int, len(numbers))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(numbers[i], numbers[j]) })
	for _, i := range order {
		if last := len(l.values) - 1; last < 0 || numbers[i]-l.values[last] > same {
			l.values = append(l.values, numbers[i])
		}
		l.of[i] = len(l.values) - 1
	}
	return l
}

// count returns the frequency of each level, if each position counts as often as its
// weight says.
func (l levels) count(weights []int) []int {
	counts := make([]int, len(l.values))
	for i, w := range weights {
		counts[l.of[i]] += w
	}
	return counts
}

// midranks returns the ranks of levels with the given frequencies; equal numbers share
// the mean of their ranks. The ranks are doubled and centered at 0: this makes them whole
// numbers and does not change a correlation.
func midranks(counts []int) []float64 {
	n := total(counts)
	ranks := make([]float64, len(counts))
	below := 0
	for level, c := range counts {
		ranks[level] = float64(2*below + c - n)
		below += c
	}
	return ranks
}

func total(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// isConstant reports whether at most one level occurs.
func isConstant(counts []int) bool {
	occurring := 0
	for _, c := range counts {
		if c > 0 {
			occurring++
		}
	}
	return occurring < 2
}

// once is the weights of n positions that each count once.
func once(n int) []int { return slices.Repeat([]int{1}, n) }

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
