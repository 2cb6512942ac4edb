package agreement

import (
	"math"
	"slices"
)

// Krippendorff's alpha is 1 minus the ratio of the observed disagreement to the
// disagreement expected by chance, over all pairs of labels of the same item
// (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", with any number of
// raters and missing labels). 1 is full agreement, 0 is agreement by chance, and
// negative values are possible. An item with one label has no pairs and no effect.
//
// Alpha is undefined if all paired labels are the same; some libraries report 1 for this
// case, others 0.

// OrdinalAlpha returns Krippendorff's alpha for ordered labels, at most 1. The distance
// of two labels is Krippendorff's, from the frequencies of the labels between them, not
// the one that irrCAC calls ordinal.
func OrdinalAlpha(r Ratings) Value { return newAlpha(r, "labels").ordinal() }

func squaredDifference(a, b float64) float64 { return float64((a - b) * (a - b)) }

// alpha is ratings with their labels as levels.
type alpha struct {
	units   [][]int   // the levels of the labels of each item with two or more
	counts  []int     // by level: its frequency in units
	values  []float64 // by level
	refused Value
	noun    string // the name of the labels in reasons
}

func newAlpha(r Ratings, noun string) alpha {
	if v := r.refuse(); !v.Defined() {
		return alpha{refused: v}
	}
	l := newLevels(slices.Concat(r...))
	a := alpha{noun: noun, values: l.values, counts: make([]int, len(l.values))}
	for _, row := range r {
		unit := slices.DeleteFunc(l.of[:len(row)], func(level int) bool { return level == missing })
		if l.of = l.of[len(row):]; len(unit) > 1 {
			a.units = append(a.units, unit)
			for _, level := range unit {
				a.counts[level]++
			}
		}
	}
	return a
}

// ordinal uses the squared difference of mid-ranks: half of the frequencies of both
// labels plus all frequencies between them, which is Krippendorff's definition.
func (a alpha) ordinal() Value {
	a.values = midranks(a.counts)
	return a.measure(squaredDifference)
}

func (a alpha) measure(distance func(a, b float64) float64) Value {
	if !a.refused.Defined() {
		return a.refused
	}
	switch {
	case len(a.units) == 0:
		return undefined("no item has two %s", a.noun)
	case len(a.units) == 1:
		return undefined("only one item has two %s", a.noun)
	case isConstant(a.counts):
		return constant(a.noun)
	}
	observed, expected := 0.0, 0.0
	for _, unit := range a.units {
		sum := 0.0
		for i, x := range unit {
			for _, y := range unit[:i] {
				sum += distance(a.values[x], a.values[y])
			}
		}
		observed += sum / float64(len(unit)-1)
	}
	for high, n := range a.counts {
		for low, m := range a.counts[:high] {
			expected += float64(float64(n) * float64(m) * distance(a.values[low], a.values[high]))
		}
	}
	return Value{Number: 1 - float64(total(a.counts)-1)*observed/expected}
}

// Repeats measures how well a judge agrees with itself, over the items with at least two
// answers.
type Repeats struct {
	Items int `json:"items"`
	// Exact is the share, from 0 to 1, of equal pairs of answers to the same item, and
	// MeanDifference is the mean difference of a pair in points. All items have the
	// same weight.
	Exact          Value `json:"exact"`
	MeanDifference Value `json:"mean_difference"`
	// Spread is the noise of the judge: the standard deviation, in points, of an
	// answer from the judge's mean answer to the same item.
	Spread Value `json:"spread"`
	// Alpha is Krippendorff's ordinal alpha with repeats as raters: it compares the
	// noise with the differences between items.
	Alpha Value `json:"alpha"`
}

// SelfAgreement compares the answers to each item with each other. answers has one row
// for each item and one column for each repeat.
func SelfAgreement(answers Ratings) Repeats {
	r := Repeats{Alpha: newAlpha(answers, "answers").ordinal()}
	var equal, distance, squared float64
	freedom := 0
	for _, row := range answers {
		own := given(row)
		if slices.ContainsFunc(own, func(x float64) bool { return !usable(x) }) {
			return unrepeatable(undefined("one of the answers is not finite or too large"))
		}
		if len(own) < 2 {
			continue
		}
		r.Items++
		e, d := pairsOf(own)
		equal, distance = equal+e, distance+d
		mean, deviations := Mean(own), 0.0
		for _, x := range own {
			deviations += squaredDifference(x, mean)
		}
		squared += deviations
		freedom += len(own) - 1
	}
	if r.Items == 0 {
		return unrepeatable(undefined("no item has two answers"))
	}
	r.Exact = Value{Number: equal / float64(r.Items)}
	r.MeanDifference = Value{Number: distance / float64(r.Items)}
	r.Spread = Value{Number: math.Sqrt(squared / float64(freedom))}
	return r
}

func unrepeatable(why Value) Repeats {
	return Repeats{Exact: why, MeanDifference: why, Spread: why, Alpha: why}
}

// pairsOf returns the share of equal pairs and the mean difference of a pair.
func pairsOf(numbers []float64) (equal, distance float64) {
	pairs := 0.0
	for i, x := range numbers {
		for _, y := range numbers[:i] {
			pairs++
			d := math.Abs(x - y)
			distance += d
			if d <= same {
				equal++
			}
		}
	}
	return equal / pairs, distance / pairs
}
