package agreement

import "math"

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

func squaredDeviations(numbers []float64) float64 {
	m, sum := Mean(numbers), 0.0
	for _, x := range numbers {
		sum += squaredDifference(x, m)
	}
	return sum
}
