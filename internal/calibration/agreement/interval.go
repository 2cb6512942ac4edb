package agreement

import (
	"cmp"
	"math"
	"slices"
)

// sampled is a statistic of all items, of the resamples, and of the items without some. NaN is
// no value.
type sampled struct {
	value          Value
	drawn, without []float64
}

func (s *sampled) add(v Value, drawn bool) {
	number := v.Number
	if !v.IsDefined() {
		number = math.NaN()
	}
	if drawn {
		s.drawn = append(s.drawn, number)
	} else {
		s.without = append(s.without, number)
	}
}

// interval is the bias-corrected and accelerated interval (Efron 1987). For skewed labels, the
// plain percentiles miss the true correlation on one side, up to 6% instead of 2.5%. The
// percentiles are those of Student's distribution, because a resample varies less than the
// items do from which it is drawn (Hesterberg 2015, The American Statistician 69).
func (s *sampled) interval(n int) Interval {
	sorted := given(s.drawn)
	slices.Sort(sorted)
	interval := Interval{Resamples: len(s.drawn), Failed: len(s.drawn) - len(sorted)}
	if len(sorted) == 0 || 2*interval.Failed > interval.Resamples {
		interval.Undefined = undefined("%d of %d random samples of the items have no value",
			interval.Failed, interval.Resamples).Undefined
		return interval
	}
	bias, acceleration, tail := s.bias(sorted), s.acceleration(), student(n-1)*math.Sqrt(float64(n)/float64(n-1))
	interval.Low = percentile(sorted, corrected(-tail, bias, acceleration))
	interval.High = percentile(sorted, corrected(tail, bias, acceleration))
	return interval
}

// bias is the normal quantile of the share of resamples below the value of all items. Equal
// ones count by half.
func (s *sampled) bias(sorted []float64) float64 {
	below, _ := slices.BinarySearch(sorted, s.value.Number-same)
	upTo, _ := slices.BinarySearch(sorted, s.value.Number+same)
	share := float64(below+upTo) / float64(2*len(sorted))
	least := 1 / float64(2*len(sorted))
	return quantile(max(least, min(1-least, share)))
}

// acceleration is how fast the standard error changes with the value, by the jackknife.
func (s *sampled) acceleration() float64 {
	values := given(s.without)
	mean, squares, cubes := Mean(values), 0.0, 0.0
	for _, x := range values {
		d := mean - x
		squares += float64(d * d)
		cubes += float64(d * d * d)
	}
	if squares <= same*same {
		return 0
	}
	return cubes / (6 * squares * math.Sqrt(squares))
}

// corrected is the share of resamples below the end of an interval. It is rounded, because
// machines differ in the last bits of such functions.
func corrected(tail, bias, acceleration float64) float64 {
	rest := 1 - float64(acceleration*(bias+tail))
	if rest <= 0 {
		return float64(cmp.Compare(bias+tail, 0)+1) / 2
	}
	share := math.Erfc(-(bias+(bias+tail)/rest)/math.Sqrt2) / 2
	return math.Round(share*1e9) / 1e9
}

// normal is the 97.5% quantile of the normal distribution, for two-sided 95% intervals.
const normal = 1.959963984540054

func quantile(share float64) float64 { return math.Sqrt2 * math.Erfinv(2*share-1) }

// student is the same quantile of Student's distribution, by the expansion of Fisher and
// Cornish (1960).
func student(freedom int) float64 {
	const z = normal
	n := float64(freedom)
	return z + (z*z*z+z)/(4*n) + (5*z*z*z*z*z+16*z*z*z+3*z)/(96*n*n)
}

// percentile interpolates between neighbors in sorted values (Hyndman and Fan 1996,
// definition 7).
func percentile(sorted []float64, share float64) float64 {
	place := float64(share * float64(len(sorted)-1))
	below := int(place)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + float64((place-float64(below))*(sorted[above]-sorted[below]))
}
