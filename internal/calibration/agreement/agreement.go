// Package agreement measures how well a judge agrees with people, and people with each
// other. It consists of pure functions of numbers, independent of files, rubrics, and
// targets.
//
// It promises:
//
//   - A statistic is a number or the reason why it is undefined, never NaN or infinite.
//     For constant ratings, correlations, kappas, and alphas are undefined.
//   - No input causes a panic. Numbers that are not finite or exceed 1e60 in magnitude
//     make a statistic undefined (in Ratings, NaN is a missing label).
//   - Numbers that differ by at most 1e-9 are equal, so that rounding of a mean never
//     breaks a tie.
//   - A statistic and its bootstrap have the same bits on every machine: no result
//     depends on map order, and products are rounded before they are added.
//
// Correlations, kappas, and alphas need at least 2 items, means at least 1. To
// require more items, see [Value.AtLeast].
package agreement

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

const (
	// same is the largest difference between numbers that count as equal.
	same = 1e-9
	// largest is the largest accepted magnitude. It keeps squares of sums of squares
	// finite.
	largest = 1e60
)

// Value is a statistic: a number, or the reason why it is undefined.
type Value struct {
	Number float64 // meaningless if Undefined is set
	// Undefined, if not empty, is a short phrase that completes "there is no value: ".
	Undefined string
}

// IsDefined reports whether the statistic has a number.
func (v Value) IsDefined() bool { return v.Undefined == "" }

// AtLeast returns v if n, the number of items it was computed from, is at least floor,
// and otherwise an undefined value.
func (v Value) AtLeast(n, floor int) Value {
	if n < floor {
		return tooFew(n, floor)
	}
	return v
}

// Text is the number with two decimals, or a dash if the statistic is undefined.
func (v Value) Text() string {
	if !v.IsDefined() {
		return "–"
	}
	return strings.Replace(fmt.Sprintf("%.2f", v.Number), "-0.00", "0.00", 1)
}

// SignedText returns Text with a sign.
func (v Value) SignedText() string {
	text := v.Text()
	if v.IsDefined() && v.Number > 0 && text != "0.00" {
		return "+" + text
	}
	return text
}

// MarshalJSON writes {"value":0.71}, or {"undefined":"…"}.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.IsDefined() {
		return json.Marshal(map[string]string{"undefined": v.Undefined})
	}
	return json.Marshal(map[string]float64{"value": v.Number})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *Value) UnmarshalJSON(data []byte) error {
	var read struct {
		Value     *float64 `json:"value"`
		Undefined string   `json:"undefined"`
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	if read.Value == nil && read.Undefined == "" {
		return fmt.Errorf("a statistic must have a value or say why it is undefined, got %s", data)
	}
	*v = Value{Undefined: read.Undefined}
	if read.Value != nil {
		v.Number = *read.Value
	}
	return nil
}

// Overall returns the unweighted mean and the minimum of the values of all criteria. Both
// are undefined if any value is undefined: no criterion can be left out.
func Overall(criteria []Value) (mean, minimum Value) {
	known := numbers(criteria)
	switch missing := len(criteria) - len(known); {
	case len(criteria) == 0:
		mean = undefined("there are no criteria")
	case len(criteria) == 1:
		return criteria[0], criteria[0]
	case missing == 1:
		mean = undefined("1 of %d criteria has no value", len(criteria))
	case missing > 1:
		mean = undefined("%d of %d criteria have no value", missing, len(criteria))
	default:
		return Value{Number: Mean(known)}, Value{Number: slices.Min(known)}
	}
	return mean, mean
}

// numbers are those of the values that are defined.
func numbers(values []Value) []float64 {
	var defined []float64
	for _, v := range values {
		if v.IsDefined() {
			defined = append(defined, v.Number)
		}
	}
	return defined
}

// Round rounds x half up to a whole number, for statistics of categories: 2.5, and
// numbers within 1e-9 of it, become 3. A number that is not finite or exceeds
// math.MaxInt32 in magnitude becomes math.MinInt, which is on no scale.
func Round(x float64) int {
	if math.IsNaN(x) || math.Abs(x) > math.MaxInt32 {
		return math.MinInt
	}
	return int(math.Floor(x + 0.5 + same))
}

func undefined(format string, args ...any) Value {
	return Value{Undefined: fmt.Sprintf(format, args...)}
}

func tooFew(n, floor int) Value {
	switch n {
	case 0:
		return undefined("there are no items")
	case 1:
		return undefined("1 item, at least %d required", floor)
	}
	return undefined("%d items, at least %d required", n, floor)
}

const (
	scores = "scores of the judge"
	labels = "labels"
)

// Reasons of resamples, of which there are many.
var (
	constantScores = undefined("all %s are the same", scores)
	constantLabels = undefined("all %s are the same", labels)
	noItems        = tooFew(0, 1)
)

// refuse returns an undefined value with the reason if scores and labels can't be compared.
func refuse(judge, people []float64, floor int) Value {
	if len(judge) != len(people) {
		return undefined("the numbers of items differ: %d %s, %d %s", len(judge), scores, len(people), labels)
	}
	for i := range judge {
		if !usable(judge[i]) {
			return undefined("one of the %s is missing, not finite, or too large", scores)
		}
		if !usable(people[i]) {
			return undefined("one of the %s is missing, not finite, or too large", labels)
		}
	}
	return Value{}.AtLeast(len(judge), floor)
}

// usable reports whether x is a number within the accepted magnitude. It is false for NaN.
func usable(x float64) bool { return math.Abs(x) <= largest }

// Levels rounds each number with [Round].
func Levels(numbers []float64) []int {
	levels := make([]int, len(numbers))
	for i, x := range numbers {
		levels[i] = Round(x)
	}
	return levels
}

// Mean returns the mean of numbers, or NaN if there are none.
func Mean(numbers []float64) float64 {
	sum := 0.0
	for _, x := range numbers {
		sum += x
	}
	return sum / float64(len(numbers))
}
