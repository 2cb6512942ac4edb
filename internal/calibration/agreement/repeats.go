package agreement

import "math"

// Repeats says how well a judge agrees with itself, over the items that it
// answered at least twice.
type Repeats struct {
	Items int `json:"items"`
	// Exact is the share of pairs of answers to the same item that are equal, and
	// MeanDifference their mean distance in points; each item counts the same.
	Exact          Value `json:"exact"`
	MeanDifference Value `json:"mean_difference"`
	// Spread is the standard deviation of a single answer around what the judge
	// answers on average to the same item, in points: its noise.
	Spread Value `json:"spread"`
	// Alpha is Krippendorff's ordinal alpha with the repeats in the place of
	// raters: the noise against the differences between items.
	Alpha Value `json:"alpha"`
}

// SelfAgreement compares the answers to each item with each other: a row an item, a
// column a repeat.
func SelfAgreement(answers Ratings) Repeats {
	r := Repeats{Alpha: newAlpha(answers, "answers").ordinal()}
	var equal, distance, squared float64
	freedom := 0
	for i := range answers {
		given := answers.given(i)
		for _, x := range given {
			if !usable(x) {
				return unrepeatable(undefined("one of the answers is not finite or too large"))
			}
		}
		if len(given) < 2 {
			continue
		}
		r.Items++
		e, d := pairsOf(given)
		equal, distance = equal+e, distance+d
		squared += squaredDeviations(given)
		freedom += len(given) - 1
	}
	if r.Items == 0 {
		return unrepeatable(undefined("no item was answered twice"))
	}
	r.Exact = Value{Number: equal / float64(r.Items)}
	r.MeanDifference = Value{Number: distance / float64(r.Items)}
	r.Spread = Value{Number: math.Sqrt(squared / float64(freedom))}
	return r
}

func unrepeatable(why Value) Repeats {
	return Repeats{Exact: why, MeanDifference: why, Spread: why, Alpha: why}
}

// pairsOf is the share of pairs that are equal, and the mean distance in a pair.
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

func squaredDeviations(numbers []float64) float64 {
	m, sum := mean(numbers), 0.0
	for _, x := range numbers {
		sum += squaredDifference(x, m)
	}
	return sum
}
