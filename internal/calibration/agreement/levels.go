package agreement

import (
	"cmp"
	"slices"
)

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

// counts is the frequency of each level.
func (l levels) counts() []int {
	counts := make([]int, len(l.values))
	for _, level := range l.of {
		counts[level]++
	}
	return counts
}

// midranks sets the ranks of levels with the given frequencies; equal numbers share the mean
// of their ranks. The ranks are doubled and centered at 0: this makes them whole numbers and
// does not change a correlation.
func midranks(ranks []float64, counts []int) []float64 {
	n := total(counts)
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
