package agreement

import (
	"encoding/json"
	"math/bits"
	"math/rand/v2"
)

const confidence = 0.95

// Interval is a 95% confidence interval: a range, or the reason why it is undefined.
type Interval struct {
	Low, High float64 // meaningless if Undefined is set
	// Undefined, if not empty, completes "there is no interval: ".
	Undefined string
	// Resamples is the number of resamples that were drawn; Failed counts those
	// without a value, which were left out. Both are 0 if no bootstrap was computed.
	Resamples, Failed int
}

// Defined reports whether the interval has a range.
func (i Interval) Defined() bool { return i.Undefined == "" }

// A Statistic computes a value of the items at the given positions, which can repeat. It
// is not safe for concurrent use.
type Statistic func(index []int) Value

// PairStatistic returns a statistic of two lists about the same items. [SpearmanStatistic]
// is faster for rank correlations.
func PairStatistic[T any](judge, people []T, of func(judge, people []T) Value) Statistic {
	if len(judge) != len(people) {
		v := of(judge, people) // undefined: the lengths differ
		return func([]int) Value { return v }
	}
	var x, y []T
	return func(index []int) Value {
		x, y = x[:0], y[:0]
		for _, i := range index {
			x, y = append(x, judge[i]), append(y, people[i])
		}
		return of(x, y)
	}
}

// Bootstrap returns the percentile interval (Efron 1979) of a statistic of n items. Items
// are drawn with replacement; all ratings of an item stay together. The same seed gives
// the same interval on every machine.
//
// A resample for which the statistic is undefined, such as one with equal scores, is left
// out and counted. The interval is undefined if this happens for more than half of the
// resamples, or if the statistic of all items is undefined.
func Bootstrap(n int, seed uint64, resamples int, statistic Statistic) Interval {
	if n < 2 {
		return Interval{Undefined: tooFew(max(0, n), 2).Undefined}
	}
	if v := statistic(everything(n)); !v.Defined() {
		return Interval{Undefined: v.Undefined}
	}
	var values []Value
	resample(n, seed, resamples, func(index []int) { values = append(values, statistic(index)) })
	return percentiles(values)
}

// resample passes random positions of n items.
func resample(n int, seed uint64, resamples int, use func(index []int)) {
	generator, index := rand.NewPCG(seed, 0), make([]int, n)
	for range resamples {
		draw(generator, index)
		use(index)
	}
}

// draw fills index with random positions below its length. It uses the generator's bits,
// whose stream is fixed; rand.IntN can change between versions of Go.
func draw(generator *rand.PCG, index []int) {
	for i := range index {
		high, _ := bits.Mul64(generator.Uint64(), uint64(len(index)))
		index[i] = int(high)
	}
}

// percentile interpolates between neighbors in sorted values (Hyndman and Fan 1996,
// definition 7).
func percentile(sorted []float64, share float64) float64 {
	place := float64(share * float64(len(sorted)-1))
	below := int(place)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + float64((place-float64(below))*(sorted[above]-sorted[below]))
}

// PairedDifference returns the second statistic minus the first on the same n items, such
// as those of two judges or two weeks, and its interval. Both use the same resamples, so
// the difficulty of items cancels out and the interval is narrower than for independent
// samples.
func PairedDifference(n int, seed uint64, resamples int, first, second Statistic) (Value, Interval) {
	difference := func(index []int) Value {
		before, after := first(index), second(index)
		if !before.Defined() {
			return before
		}
		if !after.Defined() {
			return after
		}
		return Value{Number: after.Number - before.Number}
	}
	return difference(everything(n)), Bootstrap(n, seed, resamples, difference)
}

// Estimate is a statistic with its 95% interval.
type Estimate struct {
	Value
	Interval Interval
}

// NoEstimate returns v without an interval. If v is undefined, so is the interval.
func (v Value) NoEstimate() Estimate { return Estimate{v, Interval{Undefined: v.Undefined}} }

// MarshalJSON writes {"value":0.71,"low":0.5,"high":0.8}, or {"undefined":"…"}.
func (e Estimate) MarshalJSON() ([]byte, error) { return json.Marshal(e.Fields()) }

// Fields are the keys and values of its JSON.
func (e Estimate) Fields() map[string]any {
	fields := map[string]any{}
	switch {
	case !e.Defined():
		fields["undefined"] = e.Undefined
	case !e.Interval.Defined():
		fields["value"], fields["interval_undefined"] = e.Number, e.Interval.Undefined
	default:
		fields["value"], fields["low"], fields["high"] = e.Number, e.Interval.Low, e.Interval.High
	}
	return fields
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Estimate) UnmarshalJSON(data []byte) error {
	var v struct {
		Value, Low, High  float64
		Undefined         string
		IntervalUndefined string `json:"interval_undefined"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	e.Number, e.Undefined = v.Value, v.Undefined
	e.Interval = Interval{Low: v.Low, High: v.High, Undefined: v.IntervalUndefined + v.Undefined}
	return nil
}
