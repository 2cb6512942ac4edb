package agreement

import (
	"math"
	"slices"
)

// Krippendorff's alpha is 1 minus the ratio of the observed disagreement to the
// disagreement expected by chance, over all pairs of labels of the same item
// (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", with any number of
// raters and missing labels). 1 is full agreement, 0 is agreement by chance, and
// negative values are possible. An item with one label has no
// pairs, but its label must be valid, too.
//
// Alpha is undefined if fewer than two items have two labels, if a label is not finite or too large, or
// if all paired labels are the same; some libraries report 1 for the last case, others 0.

// OrdinalAlpha returns Krippendorff's alpha for ordered labels, at most 1. The distance
// of two labels is Krippendorff's, not the one that irrCAC calls ordinal: the squared
// difference of mid-ranks, half of the frequencies of both labels plus all frequencies
// between them.
func OrdinalAlpha(r Ratings) Value {
	ranks := func(_ []float64, counts []int) []float64 { return midranks(make([]float64, len(counts)), counts) }
	return alpha(r, ranks, squaredDifference)
}

func squaredDifference(a, b float64) float64 { return float64((a - b) * (a - b)) }

// alpha returns Krippendorff's alpha for a distance between the values of levels. valuesOf gets the levels
// and their frequencies in items with two or more labels.
func alpha(
	r Ratings, valuesOf func(distinct []float64, counts []int) []float64, distance func(a, b float64) float64,
) Value {
	if v := r.refuse(); !v.IsDefined() {
		return v
	}
	var paired Ratings
	for _, row := range r {
		if own := given(row); len(own) > 1 {
			paired = append(paired, own)
		}
	}
	l := newLevels(slices.Concat(paired...))
	counts := l.counts()
	switch {
	case len(paired) == 0:
		return undefined("no item has two labels")
	case len(paired) == 1:
		return undefined("only one item has two labels")
	case isConstant(counts):
		return constantLabels
	}
	values := valuesOf(l.values, counts)
	observed, expected := 0.0, 0.0
	for _, row := range paired {
		unit, sum := l.of[:len(row)], 0.0
		for i, x := range unit {
			for _, y := range unit[:i] {
				sum += distance(values[x], values[y])
			}
		}
		l.of, observed = l.of[len(row):], observed+sum/float64(len(unit)-1)
	}
	for high, n := range counts {
		for low, m := range counts[:high] {
			expected += float64(float64(n) * float64(m) * distance(values[low], values[high]))
		}
	}
	return Value{Number: 1 - float64(total(counts)-1)*observed/expected}
}

// Repeats measures how well a judge agrees with itself, over the items with at least two
// answers.
type Repeats struct {
	Items int `json:"items"`
	// Exact is the share, from 0 to 1, of equal pairs of answers to the same item. All items
	// have the same weight.
	Exact Value `json:"exact"`
	// Spread is the noise of the judge: the standard deviation, in points, of an
	// answer from the judge's mean answer to the same item.
	Spread Value `json:"spread"`
}

// SelfAgreement compares the answers to each item with each other. answers has one row for each item and one
// column for each repeat. If no item has two answers, or an answer is not finite or too large, both
// statistics are undefined and Items is 0.
func SelfAgreement(answers Ratings) Repeats {
	var equal, squared float64
	items, freedom := 0, 0
	for _, row := range answers {
		own := given(row)
		if slices.ContainsFunc(own, func(x float64) bool { return !usable(x) }) {
			bad := undefined("one of the answers is not finite or too large")
			return Repeats{Exact: bad, Spread: bad}
		}
		if len(own) < 2 {
			continue
		}
		items++
		equal += equalPairs(own)
		freedom += len(own) - 1
		for _, x := range own {
			squared += squaredDifference(x, Mean(own))
		}
	}
	if items == 0 {
		never := undefined("no item has two answers")
		return Repeats{Exact: never, Spread: never}
	}
	return Repeats{items, Value{Number: equal / float64(items)}, Value{Number: math.Sqrt(squared / float64(freedom))}}
}

// equalPairs is the share of pairs whose numbers are equal.
func equalPairs(numbers []float64) float64 {
	equal, pairs := 0, 0
	for i, x := range numbers {
		for _, y := range numbers[:i] {
			pairs++
			if math.Abs(x-y) <= same {
				equal++
			}
		}
	}
	return float64(equal) / float64(pairs)
}
