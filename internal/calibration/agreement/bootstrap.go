package agreement

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
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

// A Statistic computes a value of items, each of which counts as often as its weight says.
// It is not safe for concurrent use.
type Statistic func(weights []int) Value

// Bootstrap returns the statistics of n items with their percentile intervals (Efron 1979).
// Items are drawn with replacement; all ratings of an item stay together. The same seed gives
// the same intervals on every machine.
//
// All statistics are of the same resamples. A resample for which one is undefined, such as one
// with equal scores, is left out of its interval and counted. The interval is undefined if this
// happens for more than half of the resamples, or if the statistic of all items is undefined.
func Bootstrap(n int, seed uint64, resamples int, statistics ...Statistic) []Estimate {
	estimates, drawn := make([]Estimate, len(statistics)), make([][]Value, len(statistics))
	few := Value{}.AtLeast(n, 2)
	for i, of := range statistics {
		estimates[i] = of(once(n)).NoEstimate()
		estimates[i].Interval.Undefined = cmp.Or(few.Undefined, estimates[i].Undefined)
	}
	generator, weights := rand.NewPCG(seed, 0), make([]int, n)
	for range resamples {
		draw(generator, weights)
		for i, of := range statistics {
			if estimates[i].Interval.Defined() {
				drawn[i] = append(drawn[i], of(weights))
			}
		}
	}
	for i := range estimates {
		if e := &estimates[i]; e.Interval.Defined() {
			e.Interval = percentiles(drawn[i])
		}
	}
	return estimates
}

// draw counts how often each of the positions is drawn, in as many draws. It uses the
// generator's bits, whose stream is fixed; rand.IntN can change between versions of Go.
func draw(generator *rand.PCG, weights []int) {
	clear(weights)
	for range weights {
		high, _ := bits.Mul64(generator.Uint64(), uint64(len(weights)))
		weights[high]++
	}
}

// percentiles is the interval of what resamples gave.
func percentiles(drawn []Value) Interval {
	sorted := slices.Sorted(slices.Values(numbers(drawn)))
	interval := Interval{Resamples: len(drawn), Failed: len(drawn) - len(sorted)}
	if 2*interval.Failed > interval.Resamples {
		interval.Undefined = undefined("%d of %d random samples of the items have no value", interval.Failed, interval.Resamples).Undefined
		return interval
	}
	interval.Low, interval.High = percentile(sorted, (1-confidence)/2), percentile(sorted, (1+confidence)/2)
	return interval
}

// percentile interpolates between neighbors in sorted values (Hyndman and Fan 1996,
// definition 7).
func percentile(sorted []float64, share float64) float64 {
	place := float64(share * float64(len(sorted)-1))
	below := int(place)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + float64((place-float64(below))*(sorted[above]-sorted[below]))
}

// Difference is the second statistic minus the first, such as those of two judges or two
// weeks on the same items. The difficulty of items cancels out, so its interval is narrower
// than for independent samples.
func Difference(first, second Statistic) Statistic {
	return func(weights []int) Value {
		before, after := first(weights), second(weights)
		if !before.Defined() {
			return before
		}
		if !after.Defined() {
			return after
		}
		return Value{Number: after.Number - before.Number}
	}
}

// Estimate is a statistic with its 95% interval.
type Estimate struct {
	Value
	Interval Interval
}

// NoEstimate returns v without an interval. If v is undefined, so is the interval.
func (v Value) NoEstimate() Estimate { return Estimate{v, Interval{Undefined: v.Undefined}} }

// Text is the statistic with its interval, if it has one: 0.71 (0.50 to 0.80).
func (e Estimate) Text() string { return e.text(Value.Text) }

// Signed is Text with signs.
func (e Estimate) Signed() string { return e.text(Value.Signed) }

func (e Estimate) text(of func(Value) string) string {
	if !e.Defined() || !e.Interval.Defined() {
		return of(e.Value)
	}
	return fmt.Sprintf("%s (%s to %s)", of(e.Value), of(Value{Number: e.Interval.Low}), of(Value{Number: e.Interval.High}))
}

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
