package agreement

import (
	"math"
	"slices"
)

// Pearson returns the product-moment correlation, from -1 to 1 (Pearson 1895): how well
// a straight line relates the judge's scores to people's labels.
func Pearson(judge, people []float64) Value {
	if v := judgeAndPeople.refuseNumbers(judge, people, 2); !v.Defined() {
		return v
	}
	if spread(people) <= same {
		return judgeAndPeople.constantY()
	}
	if spread(judge) <= same {
		return judgeAndPeople.constantX()
	}
	mx, my := Mean(judge), Mean(people)
	var xx, yy, xy float64
	for i := range judge {
		dx, dy := judge[i]-mx, people[i]-my
		// The conversions round each product before it is added. Without them, some
		// machines would fuse both steps and get different last bits.
		xx += float64(dx * dx)
		yy += float64(dy * dy)
		xy += float64(dx * dy)
	}
	return correlation(xy, xx, yy)
}

// Spearman returns the rank correlation, from -1 to 1 (Spearman 1904): the Pearson
// correlation of the ranks, where equal numbers share the mean of their ranks (Kendall
// and Gibbons 1990, chapter 3). The shortcut with squared differences is not used because
// it is wrong for ties.
func Spearman(judge, people []float64) Value {
	return SpearmanStatistic(judge, people)(everything(len(judge)))
}

// KendallTauB returns Kendall's rank correlation, from -1 to 1, corrected for ties
// (Kendall 1945, tau-b): the number of pairs of items in the same order minus those in
// opposite order, divided by the geometric mean of the numbers of untied pairs.
func KendallTauB(judge, people []float64) Value {
	return KendallTauBStatistic(judge, people)(everything(len(judge)))
}

// SpearmanStatistic returns Spearman as a statistic for [Bootstrap]. It sorts once; each
// call then takes linear time.
func SpearmanStatistic(judge, people []float64) Statistic {
	return newPairing(judge, people, judgeAndPeople).of((*pairing).spearman)
}

// KendallTauBStatistic returns KendallTauB as a statistic for [Bootstrap]. It sorts once.
func KendallTauBStatistic(judge, people []float64) Statistic {
	return newPairing(judge, people, judgeAndPeople).of((*pairing).kendall)
}

// correlation returns a covariance over the root of two variances, all as undivided
// sums. It clamps the result, which rounding can move slightly beyond 1.
func correlation(xy, xx, yy float64) Value {
	return Value{Number: max(-1, min(1, xy/math.Sqrt(xx*yy)))}
}

func spread(numbers []float64) float64 { return slices.Max(numbers) - slices.Min(numbers) }

// pairing is two lists of numbers about the same items, ready to be ranked.
type pairing struct {
	x, y    levels
	names   sides
	refused Value // undefined if nothing can be computed
	order   []int // the positions by ascending x, without missing values
}

func newPairing(x, y []float64, names sides) *pairing {
	p := &pairing{names: names, refused: names.refuseNumbers(x, y, 2)}
	if p.refused.Defined() {
		p.x, p.y = newLevels(x), newLevels(y)
		p.order = p.x.order()
	}
	return p
}

// of is the statistic of the items at the positions of an index.
func (p *pairing) of(statistic func(*pairing, []int) Value) Statistic {
	weights := make([]int, len(p.x.of))
	return func(index []int) Value {
		clear(weights)
		for _, i := range index {
			if i < len(weights) { // else the lists are refused
				weights[i]++
			}
		}
		return statistic(p, weights)
	}
}

// counts returns the frequencies of the levels of x and y, if each position counts as
// often as its weight says. The value is undefined if there is no rank correlation.
func (p *pairing) counts(weights []int) (x, y []int, v Value) {
	if !p.refused.Defined() {
		return nil, nil, p.refused
	}
	x, y = p.x.count(weights), p.y.count(weights)
	switch n := total(x); {
	case n < 2:
		v = tooFew(n, 2)
	case isConstant(y):
		v = p.names.constantY()
	case isConstant(x):
		v = p.names.constantX()
	}
	return x, y, v
}

// spearman sums whole numbers, which is exact up to about 300,000 items.
func (p *pairing) spearman(weights []int) Value {
	countX, countY, v := p.counts(weights)
	if !v.Defined() {
		return v
	}
	x, y := midranks(countX), midranks(countY)
	xy := 0.0
	for i, w := range weights {
		if w > 0 && p.x.of[i] != missing {
			xy += float64(float64(w) * x[p.x.of[i]] * y[p.y.of[i]])
		}
	}
	return correlation(xy, squares(x, countX), squares(y, countY))
}

func squares(ranks []float64, counts []int) float64 {
	sum := 0.0
	for level, r := range ranks {
		sum += float64(r * r * float64(counts[level]))
	}
	return sum
}

// kendall visits the positions by ascending x and counts, with a tree, the earlier ones
// with a smaller and a larger y. (Knight 1966 sorts instead, in the same time.)
func (p *pairing) kendall(weights []int) Value {
	countX, countY, v := p.counts(weights)
	if !v.Defined() {
		return v
	}
	before := make(tree, len(countY)+1)
	score, seen := 0, 0
	for start, end := 0, 0; start < len(p.order); start = end {
		level := p.x.of[p.order[start]]
		for end = start; end < len(p.order) && p.x.of[p.order[end]] == level; end++ { // pairs with equal x do not count
			if i := p.order[end]; weights[i] > 0 {
				score += weights[i] * (before.below(p.y.of[i]) - (seen - before.below(p.y.of[i]+1)))
			}
		}
		for _, i := range p.order[start:end] {
			before.add(p.y.of[i], weights[i])
		}
		seen += countX[level]
	}
	return correlation(float64(score), ordered(countX), ordered(countY))
}

// ordered returns the number of pairs of items with different levels.
func ordered(counts []int) float64 {
	n := total(counts)
	pairs := n * (n - 1) / 2
	for _, c := range counts {
		pairs -= c * (c - 1) / 2
	}
	return float64(pairs)
}

// tree is a Fenwick tree (Fenwick 1994): it adds a level and counts lower levels in
// logarithmic time. Its first element is not used.
type tree []int

func (t tree) add(level, n int) {
	for i := level + 1; i < len(t); i += i & -i {
		t[i] += n
	}
}

// below returns how many lower levels were added.
func (t tree) below(level int) int {
	n := 0
	for i := level; i > 0; i -= i & -i {
		n += t[i]
	}
	return n
}
