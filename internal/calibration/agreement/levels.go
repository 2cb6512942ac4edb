package agreement

import (
	"cmp"
	"math"
	"slices"
)

// missing is the level of a number that is not there.
const missing = -1

// levels are numbers as positions among their distinct values, so that they are
// sorted once and not again for each resample: which numbers are equal and which
// is larger doesn't change when items are drawn again.
type levels struct {
	of     []int     // by item: the position of its number in values, or missing
	values []float64 // the distinct numbers, ascending; each the smallest of its equals
}

// newLevels takes NaN for a number that is missing.
func newLevels(numbers []float64) levels {
	l := levels{of: make([]int, len(numbers))}
	order := make([]int, 0, len(numbers))
	for i, x := range numbers {
		l.of[i] = missing
		if !math.IsNaN(x) {
			order = append(order, i)
		}
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

// count is how often each level occurs among the items of index.
func (l levels) count(index []int) []int {
	counts := make([]int, len(l.values))
	for _, i := range index {
		if level := l.of[i]; level != missing {
			counts[level]++
		}
	}
	return counts
}

// midranks are the ranks of levels that occur as often as counts says, equal
// numbers sharing the mean of their ranks. They are doubled and centred at 0,
// which makes whole numbers of them and doesn't change a correlation.
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

// everything is the index of all of n items, each once.
func everything(n int) []int {
	index := make([]int, n)
	for i := range index {
		index[i] = i
	}
	return index
}
