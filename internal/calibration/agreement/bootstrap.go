package agreement

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// DefaultResamples is how many resamples an interval takes if nobody says.
const DefaultResamples = 2000

// confidence is how often an interval is to hold the true value.
const confidence = 0.95

// Interval is a 95% confidence interval: a range, or why there is none.
type Interval struct {
	Low, High float64 // mean nothing if Undefined is set
	// Undefined, if not empty, completes "there is no interval: ".
	Undefined string
	// Resamples is how many were drawn; Failed how many of them have no value and
	// were left out. Both are 0 for an interval that is no bootstrap.
	Resamples, Failed int
}

// Defined reports whether there is a range.
func (i Interval) Defined() bool { return i.Undefined == "" }

// A Statistic computes a value of the items with these positions, some of which
// may occur several times. It is used by one goroutine at a time.
type Statistic func(index []int) Value

// PairStatistic is a statistic of two lists about the same items; the functions
// of this package that sort have faster ones of their own.
func PairStatistic[T any](judge, people []T, of func(judge, people []T) Value) Statistic {
	if len(judge) != len(people) {
		v := of(judge, people) // says that the lengths differ
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

// Bootstrap is the percentile interval (Efron 1979) of a statistic of n items:
// items are drawn with replacement, so that all ratings of one stay together. The
// same seed gives the same interval on every machine.
//
// A resample in which the statistic has no value, such as one of equal scores, is
// left out and counted. The interval is undefined if that happens in more than
// half of them, or if all items together have no value.
func Bootstrap(n int, seed uint64, resamples int, statistic Statistic) Interval {
	if n < 2 {
		return Interval{Undefined: tooFew(max(0, n), 2).Undefined}
	}
	if v := statistic(everything(n)); !v.Defined() {
		return Interval{Undefined: v.Undefined}
	}
	generator, index := rand.NewPCG(seed, 0), make([]int, n)
	var values []float64
	for range resamples {
		draw(generator, index)
		if v := statistic(index); v.Defined() {
			values = append(values, v.Number)
		}
	}
	interval := Interval{Resamples: resamples, Failed: resamples - len(values)}
	if 2*interval.Failed > resamples {
		interval.Undefined = undefined("%d of %d random samples of the items have no value", interval.Failed, resamples).Undefined
		return interval
	}
	slices.Sort(values)
	interval.Low = percentile(values, (1-confidence)/2)
	interval.High = percentile(values, (1+confidence)/2)
	return interval
}

// draw fills index with positions of its length. It takes the high half of a
// product with the bits of the generator, whose stream is fixed, and not
// rand.IntN, which may change with the version of Go.
func draw(generator *rand.PCG, index []int) {
	for i := range index {
		high, _ := bits.Mul64(generator.Uint64(), uint64(len(index)))
		index[i] = int(high)
	}
}

// percentile interpolates between the neighbours in sorted values (Hyndman and
// Fan 1996, definition 7).
func percentile(sorted []float64, share float64) float64 {
	place := float64(share * float64(len(sorted)-1))
	below := int(place)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + float64((place-float64(below))*(sorted[above]-sorted[below]))
}

// PairedDifference is the second statistic less the first on the same n items,
// such as those of two judges or of two weeks, and its interval. Both see the same
// resamples: what makes items hard for both cancels, and the interval is
// narrower than that of two independent samples.
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
