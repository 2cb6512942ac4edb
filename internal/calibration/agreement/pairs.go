package agreement

import "slices"

// Estimates are the statistics of a judge's scores and people's labels of the same items.
// QuadraticKappa is of the scores rounded to levels.
type Estimates struct {
	Spearman          Estimate `json:"spearman"`
	QuadraticKappa    Estimate `json:"quadratic_kappa"`
	MeanAbsoluteError Estimate `json:"mean_absolute_error"`
	Bias              Estimate `json:"bias"` // a correlation can't see it
}

func (e *Estimates) all() []*Estimate {
	return []*Estimate{&e.Spearman, &e.QuadraticKappa, &e.MeanAbsoluteError, &e.Bias}
}

// NoEstimates has the same reason for each statistic.
func NoEstimates(why Value) (e Estimates) {
	for _, one := range e.all() {
		*one = why.NoEstimate()
	}
	return e
}

// EstimatePairs computes all statistics and their intervals, on the declared scale low to high.
// They are those of the functions of their names and of [Bootstrap] with the same seed;
// but the resamples are drawn once for all, and items with the same score and label are
// counted, so that the time depends little on their number.
func EstimatePairs(judge, people []float64, low, high int, seed uint64, resamples int) Estimates {
	values := []Value{
		Spearman(judge, people), QuadraticKappa(Levels(judge), Levels(people), low, high),
		MeanAbsoluteError(judge, people), Bias(judge, people),
	}
	var e Estimates
	var drawn [][]Value
	if Bias(judge, people).Defined() {
		c := newCells(judge, people, low, high)
		resample(len(judge), seed, resamples, func(index []int) { drawn = append(drawn, c.values(index)) })
	}
	for i, one := range e.all() {
		*one = values[i].NoEstimate()
		switch {
		case len(judge) < 2:
			one.Interval.Undefined = tooFew(len(judge), 2).Undefined
		case one.Defined():
			of := make([]Value, len(drawn))
			for j, all := range drawn {
				of[j] = all[i]
			}
			one.Interval = percentiles(of)
		}
	}
	return e
}

// cells are the distinct pairs of a score and a label.
type cells struct {
	of         []int // by item
	pairs      *pairing
	difference []float64 // by cell, like levels and counts
	levels     [][2]int  // in the table; -1 off the scale, where kappa is undefined
	table      [][]int
	counts     []int
}

func newCells(judge, people []float64, low, high int) *cells {
	c := &cells{of: make([]int, len(judge)), table: make([][]int, high-low+1)}
	for i := range c.table {
		c.table[i] = make([]int, high-low+1)
	}
	known := map[[2]float64]int{}
	var x, y []float64
	for i := range judge {
		pair := [2]float64{judge[i], people[i]}
		at, ok := known[pair]
		if !ok {
			at = len(x)
			known[pair], x, y = at, append(x, judge[i]), append(y, people[i])
			c.difference = append(c.difference, judge[i]-people[i])
			level := [2]int{Round(people[i]) - low, Round(judge[i]) - low}
			if min(level[0], level[1]) < 0 || max(level[0], level[1]) > high-low {
				level = [2]int{-1, -1}
			}
			c.levels = append(c.levels, level)
		}
		c.of[i] = at
	}
	c.pairs, c.counts = newPairing(x, y), make([]int, len(x))
	return c
}

// values are those of a resample, in the order of Estimates.all.
func (c *cells) values(index []int) []Value {
	clear(c.counts)
	for _, i := range index {
		c.counts[c.of[i]]++
	}
	for _, row := range c.table {
		clear(row)
	}
	var distance, difference float64
	for i, count := range c.counts {
		w := float64(count)
		difference += float64(w * c.difference[i])
		distance += float64(w * max(c.difference[i], -c.difference[i]))
		if level := c.levels[i]; level[0] >= 0 {
			c.table[level[0]][level[1]] += count
		}
	}
	return []Value{c.pairs.spearman(c.counts), kappa(c.table, judgeAndPeople), {Number: distance / float64(len(index))}, {Number: difference / float64(len(index))}}
}

// percentiles is the interval of what resamples gave; see [Bootstrap].
func percentiles(drawn []Value) Interval {
	sorted := slices.Sorted(slices.Values(numbers(drawn)))
	interval := Interval{Resamples: len(drawn), Failed: len(drawn) - len(sorted)}
	if 2*interval.Failed > interval.Resamples {
		interval.Undefined = undefined("%d of %d random samples of the items have no value", interval.Failed, interval.Resamples).Undefined
		return interval
	}
	interval.Low, interval.High = percentile(sorted, (1-confidence)/2), percentile(sorted, (1+confidence)/2)
	return interval
}
