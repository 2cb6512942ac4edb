package agreement

import (
	"math"
	"slices"
)

// Pearson is the product-moment correlation, from -1 to 1 (Pearson 1895): how
// well a straight line describes the judge's scores as people's labels.
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
	mx, my := mean(judge), mean(people)
	var xx, yy, xy float64
	for i := range judge {
		dx, dy := judge[i]-mx, people[i]-my
		// The conversions round each product before it is added. Without them some
		// machines would do both in one step, and have other last bits.
		xx += float64(dx * dx)
		yy += float64(dy * dy)
		xy += float64(dx * dy)
	}
	return correlation(xy, xx, yy)
}

// Spearman is the rank correlation, from -1 to 1 (Spearman 1904): the Pearson
// correlation of the ranks, where equal numbers share the mean of their ranks
// (Kendall and Gibbons 1990, chapter 3). The short formula with squared differences is
// wrong for ties and is not used.
func Spearman(judge, people []float64) Value {
	return SpearmanStatistic(judge, people)(everything(len(judge)))
}

// KendallTauB is Kendall's rank correlation, from -1 to 1, corrected for ties
// (Kendall 1945, tau-b): pairs of items in the same order less pairs in opposite
// order, over the geometric mean of the pairs that each side orders.
func KendallTauB(judge, people []float64) Value {
	return KendallTauBStatistic(judge, people)(everything(len(judge)))
}

// SpearmanStatistic is Spearman for [Bootstrap]. It sorts once, and then takes
// time linear to the number of items.
func SpearmanStatistic(judge, people []float64) Statistic {
	return newPairing(judge, people, judgeAndPeople).spearman
}

// KendallTauBStatistic is KendallTauB for [Bootstrap]. It sorts once.
func KendallTauBStatistic(judge, people []float64) Statistic {
	return newPairing(judge, people, judgeAndPeople).kendall
}

// correlation is a covariance over the root of two variances, all of them sums
// that were not divided. Rounding takes it beyond 1 at most by a few last bits.
func correlation(xy, xx, yy float64) Value {
	return Value{Number: max(-1, min(1, xy/math.Sqrt(xx*yy)))}
}

func spread(numbers []float64) float64 { return slices.Max(numbers) - slices.Min(numbers) }

// pairing is two lists of numbers about the same items, ready to be ranked.
type pairing struct {
	x, y    levels
	names   sides
	refused Value // undefined: why nothing can be computed
}

func newPairing(x, y []float64, names sides) *pairing {
	p := &pairing{names: names, refused: names.refuseNumbers(x, y, 2)}
	if p.refused.Defined() {
		p.x, p.y = newLevels(x), newLevels(y)
	}
	return p
}

// counts are how often each level of x and y occurs. The value is undefined if
// the items of index give no rank correlation.
func (p *pairing) counts(index []int) (x, y []int, v Value) {
	if !p.refused.Defined() {
		return nil, nil, p.refused
	}
	x, y = p.x.count(index), p.y.count(index)
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

// spearman sums whole numbers, which is exact up to some 300,000 items.
func (p *pairing) spearman(index []int) Value {
	countX, countY, v := p.counts(index)
	if !v.Defined() {
		return v
	}
	x, y := midranks(countX), midranks(countY)
	xy := 0.0
	for _, i := range index {
		if p.x.of[i] != missing {
			xy += float64(x[p.x.of[i]] * y[p.y.of[i]])
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

// kendall goes through the items by rising x and asks a tree of counts how many
// of those before have a smaller and how many a larger y (Knight 1966 sorts
// instead, in the same time).
func (p *pairing) kendall(index []int) Value {
	countX, countY, v := p.counts(index)
	if !v.Defined() {
		return v
	}
	byX := p.inOrder(index, countX)
	before := make(tree, len(countY)+1)
	score, start := 0, 0
	for _, c := range countX {
		equals := byX[start : start+c]
		for _, i := range equals { // a pair with equal x counts for nobody
			level := p.y.of[i]
			score += before.below(level) - (start - before.below(level+1))
		}
		for _, i := range equals {
			before.add(p.y.of[i])
		}
		start += c
	}
	return correlation(float64(score), ordered(countX), ordered(countY))
}

// inOrder is index by rising level of x, what is missing left out.
func (p *pairing) inOrder(index, countX []int) []int {
	next := make([]int, len(countX))
	for level := 1; level < len(next); level++ {
		next[level] = next[level-1] + countX[level-1]
	}
	sorted := make([]int, total(countX))
	for _, i := range index {
		if level := p.x.of[i]; level != missing {
			sorted[next[level]] = i
			next[level]++
		}
	}
	return sorted
}

// ordered is the number of pairs of items whose levels differ.
func ordered(counts []int) float64 {
	n := total(counts)
	pairs := n * (n - 1) / 2
	for _, c := range counts {
		pairs -= c * (c - 1) / 2
	}
	return float64(pairs)
}

// tree counts levels so that adding one and summing those below one both take
// logarithmic time (Fenwick 1994). Its first element is not used.
type tree []int

func (t tree) add(level int) {
	for i := level + 1; i < len(t); i += i & -i {
		t[i]++
	}
}

// below is how many levels smaller than level were added.
func (t tree) below(level int) int {
	n := 0
	for i := level; i > 0; i -= i & -i {
		n += t[i]
	}
	return n
}
