package agreement

import (
	"cmp"
	"math"
	"slices"
)

// cells are the items of a resample in the cells of a table with a row for each score of the
// judge and a column for each label. All that a resample changes is how many items there are
// in a cell, so a statistic takes a sum for each cell and then a few steps for each cell, of
// which there are fewer than items if scores and labels are on a scale. Only cells that have
// items exist.
type cells struct {
	items []int32 // cell by cell
	ends  []int32 // by cell: where its items end
	// first is an item of each cell, which stands for the others.
	judge, people []float64 // by cell
	row, column   []int32   // by cell
	counts        []int     // by cell, of the current resample
	rows, columns side
}

// side is the levels of the judge or of people, of the current resample.
type side struct {
	counts []int
	ranks  []float64
}

// newCells is of the items at the given places, for which there are scores and labels.
func newCells(judge, people []float64, places []int32) *cells {
	x, y := newLevels(judge), newLevels(people)
	order := make([]int, len(judge))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(x.of[i], x.of[j]), cmp.Compare(y.of[i], y.of[j])) })
	c := &cells{rows: newSide(x), columns: newSide(y)}
	for at, i := range order {
		if at == 0 || x.of[i] != x.of[order[at-1]] || y.of[i] != y.of[order[at-1]] {
			c.row, c.column = append(c.row, int32(x.of[i])), append(c.column, int32(y.of[i]))
			c.judge, c.people = append(c.judge, judge[i]), append(c.people, people[i])
			c.ends = append(c.ends, 0)
		}
		c.items = append(c.items, places[i])
		c.ends[len(c.ends)-1] = int32(at + 1)
	}
	c.counts = make([]int, len(c.ends))
	return c
}

func newSide(l levels) side {
	return side{make([]int, len(l.values)), make([]float64, len(l.values))}
}

// count sets the counts of a resample.
func (c *cells) count(w Weights) {
	clear(c.rows.counts)
	clear(c.columns.counts)
	start := int32(0)
	for cell, end := range c.ends {
		n := 0
		for _, item := range c.items[start:end] {
			n += int(w[item])
		}
		c.counts[cell] = n
		c.rows.counts[c.row[cell]] += n
		c.columns.counts[c.column[cell]] += n
		start = end
	}
}

// spearman sums whole numbers, which is exact up to about 300,000 items.
func (c *cells) spearman() Value {
	switch {
	case isConstant(c.columns.counts):
		return constantLabels
	case isConstant(c.rows.counts):
		return constantScores
	}
	x, y := midranks(c.rows.ranks, c.rows.counts), midranks(c.columns.ranks, c.columns.counts)
	xy := 0.0
	for cell, n := range c.counts {
		xy += float64(float64(n) * x[c.row[cell]] * y[c.column[cell]])
	}
	// Rounding can move the quotient slightly beyond 1.
	return Value{Number: max(-1, min(1, xy/math.Sqrt(c.rows.squares()*c.columns.squares())))}
}

func (s side) squares() float64 {
	sum := 0.0
	for level, r := range s.ranks {
		sum += float64(r * r * float64(s.counts[level]))
	}
	return sum
}

func (c *cells) bias() Value { return c.difference(func(d float64) float64 { return d }) }

// difference is the mean of a function of score minus label.
func (c *cells) difference(of func(float64) float64) Value {
	sum, all := 0.0, 0
	for cell, n := range c.counts {
		sum += float64(float64(n) * of(c.judge[cell]-c.people[cell]))
		all += n
	}
	if all == 0 {
		return noItems
	}
	return Value{Number: sum / float64(all)}
}

// table is the confusion table of the current resample.
func (c *cells) table() [][]int {
	table := newTable()
	for cell, n := range c.counts {
		table[Round(c.people[cell])-Lowest][Round(c.judge[cell])-Lowest] += n
	}
	return table
}
