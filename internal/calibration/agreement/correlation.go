package agreement

import "math"

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
