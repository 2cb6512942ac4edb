// Package agreement measures how well a judge agrees with people, and people
// with each other: pure functions of numbers, which know nothing of files,
// rubrics or targets.
//
// What it promises:
//
//   - A statistic is a number or the reason why there is none; it is never NaN or
//     infinite. A correlation, a kappa and an alpha are never made up where ratings
//     are constant: there is no value, with the reason.
//   - No ratings make it panic. A number that is not finite is refused (in Ratings,
//     NaN is a missing label), as is one beyond 1e60.
//   - Numbers that are at most 1e-9 apart count as equal, so that the rounding of a
//     mean splits no tie.
//   - A statistic and its bootstrap have the same bits on every machine: no map is
//     walked, and products are rounded before they are added.
//
// Correlations, kappas, alphas and ICCs are computed from 2 items on, means from
// 1 item on. The floor below which a number is not worth showing is the caller's:
// see [Value.AtLeast].
package agreement

import (
	"encoding/json"
	"fmt"
	"math"
)

const (
	// same is how far apart two numbers may be and still count as equal.
	same = 1e-9
	// largest is the largest magnitude that is computed with: squares of sums of
	// squares stay finite.
	largest = 1e60
)

// Value is a statistic: a number, or the reason why there is none.
type Value struct {
	Number float64 // means nothing if Undefined is set
	// Undefined, if not empty, is a short phrase that completes "there is no value: ".
	Undefined string
}

// Defined reports whether there is a number.
func (v Value) Defined() bool { return v.Undefined == "" }

// AtLeast is the value if it was computed from at least floor items, else
// undefined because n items are too few.
func (v Value) AtLeast(n, floor int) Value {
	if n < floor {
		return tooFew(n, floor)
	}
	return v
}

// MarshalJSON writes {"value":0.71}, or {"undefined":"…"}.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.Defined() {
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
		return fmt.Errorf("a statistic has a value, or says why it is undefined: %s has neither", data)
	}
	*v = Value{Undefined: read.Undefined}
	if read.Value != nil {
		v.Number = *read.Value
	}
	return nil
}

// Overall is the unweighted mean and the minimum of the values of all criteria.
// Both are undefined if any of them is: a criterion can't be left out.
func Overall(criteria []Value) (mean, minimum Value) {
	sum, least, without := 0.0, math.Inf(1), 0
	for _, v := range criteria {
		if !v.Defined() {
			without++
		}
		sum += v.Number
		least = min(least, v.Number)
	}
	switch {
	case len(criteria) == 0:
		mean = undefined("there are no criteria")
	case without > 0:
		mean = undefined("%d of %d criteria have no value", without, len(criteria))
	default:
		return Value{Number: sum / float64(len(criteria))}, Value{Number: least}
	}
	return mean, mean
}

// Round is the whole number nearest to x, half up, for statistics that need
// categories: 2.5 becomes 3, as does what is within 1e-9 of it. What is not
// finite or has no place in an int becomes math.MinInt, which is on no scale.
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
		return undefined("1 item, and at least %d are needed", floor)
	}
	return undefined("%d items, and at least %d are needed", n, floor)
}

// sides names the two lists of a comparison in reasons.
type sides struct{ x, y string }

var judgeAndPeople = sides{"scores of the judge", "labels"}

func (s sides) constantX() Value { return constant(s.x) }
func (s sides) constantY() Value { return constant(s.y) }

func constant(what string) Value { return undefined("all %s are the same", what) }

// refuse says why two lists can't be compared; a defined value means they can.
func (s sides) refuse(x, y, floor int) Value {
	if x != y {
		return undefined("there are %d %s and %d %s", x, s.x, y, s.y)
	}
	return Value{}.AtLeast(x, floor)
}

func (s sides) refuseNumbers(x, y []float64, floor int) Value {
	if v := s.refuse(len(x), len(y), floor); !v.Defined() {
		return v
	}
	for i := range x {
		if !usable(x[i]) {
			return undefined("one of the %s is missing, not finite or too large", s.x)
		}
		if !usable(y[i]) {
			return undefined("one of the %s is missing, not finite or too large", s.y)
		}
	}
	return Value{}
}

// usable is false for NaN too.
func usable(x float64) bool { return math.Abs(x) <= largest }

// mean is the mean of numbers that are not empty.
func mean(numbers []float64) float64 {
	sum := 0.0
	for _, x := range numbers {
		sum += x
	}
	return sum / float64(len(numbers))
}
