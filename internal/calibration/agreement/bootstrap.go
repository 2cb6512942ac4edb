package agreement

import (
	"cmp"
	"math"
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
type Statistic func(Weights) Value

// Bootstrap returns the statistics of n items with their percentile intervals (Efron 1979).
// Items are drawn with replacement; all ratings of an item stay together. The same seed gives
// the same intervals on every machine.
//
// All statistics are of the same resamples. A resample for which one is undefined, such as one
// with equal scores, is left out of its interval and counted. The interval is undefined if this
// happens for more than half of the resamples, or if the statistic of all items is undefined.
func Bootstrap(n int, seed uint64, resamples int, statistics ...Statistic) []Estimate {
	return bootstrap(drawing{n, resamples, seed}, len(statistics), func(w Weights, into []Value) {
		for i, of := range statistics {
			into[i] = of(w)
		}
	})
}

// bootstrap is Bootstrap of statistics that are computed together.
func bootstrap(d drawing, count int, statistics func(w Weights, into []Value)) []Estimate {
	values, estimates, drawn := make([]Value, count), make([]Estimate, count), make([][]float64, count)
	few := Value{}.AtLeast(d.n, 2)
	statistics(once(d.n), values)
	any := false
	for i, v := range values {
		estimates[i] = v.NoEstimate()
		estimates[i].Interval.Undefined = cmp.Or(few.Undefined, v.Undefined)
		any = any || estimates[i].Interval.Defined()
	}
	if !any {
		return estimates
	}
	for w := range d.all() {
		statistics(w, values)
		for i, v := range values {
			drawn[i] = append(drawn[i], v.orNaN())
		}
	}
	for i := range estimates {
		if e := &estimates[i]; e.Interval.Defined() {
			e.Interval = percentiles(drawn[i])
		}
	}
	return estimates
}

// orNaN is the number, or NaN where there is none.
func (v Value) orNaN() float64 {
	if !v.Defined() {
		return math.NaN()
	}
	return v.Number
}

// percentiles is the interval of what resamples gave, NaN where that is nothing.
func percentiles(drawn []float64) Interval {
	sorted := given(drawn)
	slices.Sort(sorted)
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
	return func(w Weights) Value {
		before, after := first(w), second(w)
		if !before.Defined() {
			return before
		}
		if !after.Defined() {
			return after
		}
		return Value{Number: after.Number - before.Number}
	}
}
