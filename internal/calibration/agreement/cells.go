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
	items         []int32   // cell by cell
	ends          []int32   // by cell: where its items end
	judge, people []float64 // by cell: those of one of the items, which stand for all
	row, column   []int32   // by cell
	weighed       weights   // the resamples that were counted
	sums          []uint64  // by cell
	counts        []int     // by cell: of one resample
	rows, columns side
	levels        [][2]int // by cell: the row and the column in the confusion table
	confusion     [][]int
}

// side is the levels of the judge or of people.
type side struct {
	values []float64
	sums   []uint64
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
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(x.of[i], x.of[j]), cmp.Compare(y.of[i], y.of[j]))
	})
	c := &cells{rows: newSide(x), columns: newSide(y)}
	for at, i := range order {
		if last := len(c.ends) - 1; last < 0 || x.of[i] != int(c.row[last]) || y.of[i] != int(c.column[last]) {
			c.row, c.column = append(c.row, int32(x.of[i])), append(c.column, int32(y.of[i]))
			c.judge, c.people = append(c.judge, judge[i]), append(c.people, people[i])
			c.ends = append(c.ends, 0)
		}
		c.items = append(c.items, places[i])
		c.ends[len(c.ends)-1] = int32(at + 1)
	}
	c.sums, c.counts = make([]uint64, len(c.ends)), make([]int, len(c.ends))
	return c
}

func newSide(l levels) side {
	n := len(l.values)
	return side{l.values, make([]uint64, n), make([]int, n), make([]float64, n)}
}

// count sums up resamples.
func (c *cells) count(w weights) {
	c.weighed = w
	clear(c.rows.sums)
	clear(c.columns.sums)
	start := int32(0)
	for cell, end := range c.ends {
		sum := uint64(0)
		for _, item := range c.items[start:end] {
			sum += w.of[item]
		}
		c.sums[cell] = sum
		c.rows.sums[c.row[cell]] += sum
		c.columns.sums[c.column[cell]] += sum
		start = end
	}
}

// take sets the counts and ranks to those of one resample.
func (c *cells) take(lane int) {
	c.weighed.unpack(c.counts, c.sums, lane)
	c.rows.take(c.weighed, lane)
	c.columns.take(c.weighed, lane)
}

func (s *side) take(w weights, lane int) {
	w.unpack(s.counts, s.sums, lane)
	midranks(s.ranks, s.counts)
}

// spearman sums whole numbers, which is exact up to about 300,000 items.
func (c *cells) spearman() Value {
	x, y := c.rows.squares(), c.columns.squares()
	switch {
	case y == 0:
		return constantLabels
	case x == 0:
		return constantScores
	}
	xy := 0.0
	for cell, n := range c.counts {
		xy += float64(float64(n) * c.rows.ranks[c.row[cell]] * c.columns.ranks[c.column[cell]])
	}
	// Rounding can move the quotient slightly beyond 1.
	return Value{Number: max(-1, min(1, xy/math.Sqrt(x*y)))}
}

// squares is 0 if at most one level occurs.
func (s *side) squares() float64 {
	sum := 0.0
	for level, r := range s.ranks {
		sum += float64(r * r * float64(s.counts[level]))
	}
	return sum
}

// bias is the mean of score minus label.
func (c *cells) bias() Value {
	n := total(c.rows.counts)
	if n == 0 {
		return noItems
	}
	return Value{Number: (c.rows.sum() - c.columns.sum()) / float64(n)}
}

func (s *side) sum() float64 {
	sum := 0.0
	for level, n := range s.counts {
		sum += float64(float64(n) * s.values[level])
	}
	return sum
}

// distance is the mean distance of score and label.
func (c *cells) distance() Value {
	sum, n := 0.0, total(c.rows.counts)
	if n == 0 {
		return noItems
	}
	for cell, times := range c.counts {
		sum += float64(float64(times) * math.Abs(c.judge[cell]-c.people[cell]))
	}
	return Value{Number: sum / float64(n)}
}

// table is the confusion table of the current resample, which is overwritten by the next.
func (c *cells) table() [][]int {
	if c.confusion == nil {
		c.confusion = newTable()
		for cell := range c.counts {
			c.levels = append(c.levels, [2]int{Round(c.people[cell]) - Lowest, Round(c.judge[cell]) - Lowest})
		}
	}
	for _, row := range c.confusion {
		clear(row)
	}
	for cell, n := range c.counts {
		at := c.levels[cell]
		c.confusion[at[0]][at[1]] += n
	}
	return c.confusion
}
