package agreement

import "cmp"

// Interval is a 95% confidence interval: a range, or the reason why it is undefined.
type Interval struct {
	Low, High float64 // meaningless if Undefined is set
	// Undefined, if not empty, completes "there is no interval: ".
	Undefined string
	// Resamples is the number of resamples that were drawn; Failed counts those
	// without a value, which were left out. Both are 0 if no bootstrap was computed.
	Resamples, Failed int
}

// IsDefined reports whether the interval has a range.
func (i Interval) IsDefined() bool { return i.Undefined == "" }

// A Statistic computes a value of each resample. It is not safe for concurrent use.
type Statistic interface {
	count(w weights)
	// value is that of one of the resamples that were counted.
	value(lane int) Value
}

// Bootstrap returns the statistics of n items with their intervals. Items are drawn with
// replacement; all ratings of an item stay together. The same seed gives the same intervals on
// every machine.
//
// All statistics are of the same resamples. A resample for which one is undefined, such as one
// with equal scores, is left out of its interval and counted. The interval is undefined if this
// happens for more than half of the resamples, or if the statistic of all items is undefined.
func Bootstrap(n int, seed uint64, resamples int, statistics ...Statistic) []Estimate {
	return drawing{n, resamples, seed}.estimate(separate(statistics), len(statistics))
}

// together are statistics that are computed together.
type together interface {
	count(w weights)
	values(lane int, into []Value)
}

type separate []Statistic

func (s separate) count(w weights) {
	for _, of := range s {
		of.count(w)
	}
}

func (s separate) values(lane int, into []Value) {
	for i, of := range s {
		into[i] = of.value(lane)
	}
}

func (d drawing) estimate(statistics together, size int) []Estimate {
	values, estimates, sampled := make([]Value, size), make([]Estimate, size), make([]sampled, size)
	few, open := Value{}.AtLeast(d.n, 2), false
	statistics.count(once(d.n))
	statistics.values(0, values)
	for i, v := range values {
		estimates[i], sampled[i].value = v.NoEstimate(), v
		estimates[i].Interval.Undefined = cmp.Or(few.Undefined, v.Undefined)
		open = open || estimates[i].Interval.IsDefined()
	}
	if !open {
		return estimates
	}
	d.each(func(w weights, drawn bool) {
		statistics.count(w)
		for lane := range w.lanes {
			statistics.values(lane, values)
			for i, v := range values {
				sampled[i].add(v, drawn)
			}
		}
	})
	for i := range estimates {
		if e := &estimates[i]; e.Interval.IsDefined() {
			e.Interval = sampled[i].interval(d.n)
		}
	}
	return estimates
}

// Difference is the second statistic minus the first, such as those of two judges or two
// weeks on the same items. The difficulty of items cancels out, so its interval is narrower
// than for independent samples.
func Difference(first, second Statistic) Statistic { return difference{first, second} }

type difference struct{ first, second Statistic }

func (d difference) count(w weights) {
	d.first.count(w)
	d.second.count(w)
}

func (d difference) value(lane int) Value {
	before, after := d.first.value(lane), d.second.value(lane)
	if !before.IsDefined() {
		return before
	}
	if !after.IsDefined() {
		return after
	}
	return Value{Number: after.Number - before.Number}
}
