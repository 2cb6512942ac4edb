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
	p := &pairing{newLevels(judge), newLevels(people), judgeAndPeople, judgeAndPeople.refuseNumbers(judge, people, 2)}
	return p.spearman
}

// pairing is two lists of numbers about the same items, ready to be ranked.
type pairing struct {
	x, y    levels
	names   sides
	refused Value // undefined if nothing can be computed
}

// spearman sums whole numbers, which is exact up to about 300,000 items. Each position
// counts as often as its weight says.
func (p *pairing) spearman(weights []int) Value {
	if !p.refused.Defined() {
		return p.refused
	}
	countX, countY := p.x.count(weights), p.y.count(weights)
	switch {
	case isConstant(countY):
		return constant(p.names.y)
	case isConstant(countX):
		return constant(p.names.x)
	}
	x, y := midranks(countX), midranks(countY)
	xy := 0.0
	for i, w := range weights {
		if p.x.of[i] != missing {
			xy += float64(float64(w) * x[p.x.of[i]] * y[p.y.of[i]])
		}
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
