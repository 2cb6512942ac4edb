package agreement

import (
	"math"
	"slices"
)

// Ratings are the labels of several raters, or the repeated answers of one judge: one row
// for each item, one column for each rater or repeat. NaN is a missing label, as is a
// column beyond the end of a row.
type Ratings [][]float64

// Means returns the mean of each item's labels, NaN for an item without labels.
func (r Ratings) Means() []float64 {
	means := make([]float64, len(r))
	for i, row := range r {
		means[i] = Mean(given(row))
	}
	return means
}

func (r Ratings) width() int {
	width := 0
	for _, row := range r {
		width = max(width, len(row))
	}
	return width
}

// given are the labels of a row that are not missing.
func given(row []float64) []float64 { return slices.DeleteFunc(slices.Clone(row), math.IsNaN) }

// refuse returns an undefined value with the reason if no statistic of the ratings can be
// computed.
func (r Ratings) refuse() Value {
	for _, row := range r {
		if slices.ContainsFunc(given(row), func(x float64) bool { return !usable(x) }) {
			return undefined("one of the labels is not finite or too large")
		}
	}
	if v := (Value{}).AtLeast(len(r), 2); !v.IsDefined() {
		return v
	}
	switch r.raters() {
	case 0:
		return undefined("there are no labels")
	case 1:
		return undefined("only one person gave labels")
	}
	return Value{}
}

func (r Ratings) raters() int {
	has := map[int]bool{}
	for _, row := range r {
		for j, x := range row {
			if !math.IsNaN(x) {
				has[j] = true
			}
		}
	}
	return len(has)
}
