package agreement

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// normalPairs draws n pairs of standard normal numbers with a correlation.
func normalPairs(generator *rand.Rand, n int, correlation float64) (x, y []float64) {
	x, y = make([]float64, n), make([]float64, n)
	for i := range n {
		x[i] = generator.NormFloat64()
		y[i] = correlation*x[i] + math.Sqrt(1-correlation*correlation)*generator.NormFloat64()
	}
	return x, y
}

// toScale maps standard normal numbers to the scale 1 to 5.
func toScale(numbers []float64) []float64 {
	labels := make([]float64, len(numbers))
	for i, x := range numbers {
		labels[i] = max(1, min(5, math.Round(3+1.2*x)))
	}
	return labels
}

// TestCoverage: of many intervals, each from a different sample, about 95% contain the true
// correlation. For normal numbers it is 6/π asin(r/2) (Pearson 1907), for labels
// 1 to 5 that of a large sample.
func TestCoverage(t *testing.T) {
	const (
		linear                    = 0.7
		datasets, items, resample = 500, 60, 400
	)
	large := rand.New(rand.NewPCG(3, 0))
	x, y := normalPairs(large, 200_000, linear)
	exact := 6 / math.Pi * math.Asin(linear/2)
	if r := Spearman(x, y); math.Abs(r.Number-exact) > 0.005 {
		t.Fatalf("a large sample has %v, the formula %v", r, exact)
	}
	tests := []struct {
		reason string
		from   func([]float64) []float64
		truth  float64
	}{
		{"continuous scores", slices.Clone[[]float64], exact},
		{"labels 1 to 5, with ties", toScale, Spearman(toScale(x), toScale(y)).Number},
	}
	for _, tt := range tests {
		generator := rand.New(rand.NewPCG(4, 0))
		covered := 0
		for seed := range uint64(datasets) {
			x, y := normalPairs(generator, items, linear)
			i := Bootstrap(items, seed, resample, SpearmanStatistic(tt.from(x), tt.from(y)))[0].Interval
			if i.IsDefined() && i.Low <= tt.truth && tt.truth <= i.High {
				covered++
			}
		}
		coverage := float64(covered) / datasets
		t.Logf("%s: %.3f of the intervals cover %.4f", tt.reason, coverage, tt.truth)
		if coverage < 0.91 || coverage > 0.98 {
			t.Errorf("%s: %.3f of the intervals cover %.4f, want about 0.95", tt.reason, coverage, tt.truth)
		}
	}
}

// TestSameSeedSameInterval compares exact bits, so that intervals can be reproduced
// anywhere.
func TestSameSeedSameInterval(t *testing.T) {
	judge := []float64{1, 5, 4, 4, 5, 3, 2, 2, 3, 1, 4, 5}
	people := []float64{2, 4.5, 3, 4, 5, 3, 1, 2.5, 4, 1, 3, 4}
	for _, tt := range []struct {
		name      string
		statistic Statistic
		want      string
	}{
		{"Spearman", SpearmanStatistic(judge, people), "0x1.d83f806677315p-02 0x1.f175e22d5e3d2p-01 2000"},
		{"bias", BiasStatistic(judge, people), "-0x1.5555555555555p-02 0x1.2aaaaaaaaaaabp-01 2000"},
	} {
		i := Bootstrap(len(judge), 42, 2000, tt.statistic)[0].Interval
		if got := fmt.Sprintf("%x %x %d", i.Low, i.High, i.Resamples); got != tt.want {
			t.Errorf("%s: the interval of seed 42 is %s, want %s", tt.name, got, tt.want)
		}
	}
	if statistic := SpearmanStatistic(judge, people); Bootstrap(len(judge), 42, 2000, statistic)[0] == Bootstrap(len(judge), 43, 2000, statistic)[0] {
		t.Error("seeds 42 and 43 have the same interval")
	}
}

// everyNth is defined on the first call, for all items, and then on every nth call.
func everyNth(n int) Statistic { return &some{n: n, calls: -1} }

type some struct{ n, calls int }

func (s *some) count(weights) {}

func (s *some) value(int) Value {
	s.calls++
	if s.calls%s.n != 0 {
		return none("this resample has no value")
	}
	return number(1)
}

func TestHardIntervals(t *testing.T) {
	scores := func(x ...float64) Statistic { return SpearmanStatistic(x, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) }
	tests := []struct {
		reason    string
		n         int
		statistic Statistic
		want      string
	}{
		{"nothing to draw from", 0, SpearmanStatistic(nil, nil), "there are no items"},
		{"one item is drawn again and again", 1, BiasStatistic([]float64{1}, []float64{2}), "1 item, at least 2 required"},
		{"what has no value has no interval", 10, scores(3, 3, 3, 3, 3, 3, 3, 3, 3, 3), "all scores of the judge are the same"},
		{"two of three resamples have no value", 10, everyNth(3), "1334 of 2000 random samples of the items have no value"},
		{"half of them have none", 10, everyNth(2), ""},
		{"lists of different lengths", 10, BiasStatistic(make([]float64, 10), make([]float64, 9)), "the numbers of items differ: 10 scores of the judge, 9 labels"},
		{"fewer scores than items", 10, scores(1, 2, 3, 4, 5, 6, 7, 8, 9), "the numbers of items differ: 9 scores of the judge, 10 labels"},
	}
	for _, tt := range tests {
		if got := Bootstrap(tt.n, 1, 2000, tt.statistic)[0].Interval; got.Undefined != tt.want {
			t.Errorf("%s: the interval is %v, want %q", tt.reason, got, tt.want)
		}
	}
	if got := Bootstrap(10, 1, 1, everyNth(1))[0].Interval; got.Low != 1 || got.High != 1 {
		t.Errorf("the interval of one resample is %v", got)
	}
	if e, x := NoEstimates(none("x")), none("x").NoEstimate(); e != (Estimates{x, x, x, x}) {
		t.Errorf("without answers, the estimates are %+v", e)
	}
	// All scores but one are the same: a resample misses it with probability 0.9^10 = 0.35.
	got := Bootstrap(10, 1, 2000, scores(3, 3, 3, 3, 3, 3, 3, 3, 3, 5))[0].Interval
	if !got.IsDefined() || got.Failed < 600 || got.Failed > 800 || got.Resamples != 2000 {
		t.Errorf("one score of ten differs: the interval is %+v, want some 700 failures left out", got)
	}
}

func TestDifference(t *testing.T) {
	generator := rand.New(rand.NewPCG(8, 0))
	people, judge := normalPairs(generator, 100, 0.7)
	better := make([]float64, len(people))
	for i := range better {
		better[i] = (judge[i] + people[i]) / 2
	}
	estimate := func(seed uint64, of Statistic) Estimate { return Bootstrap(len(people), seed, 500, of)[0] }
	before, after := SpearmanStatistic(judge, people), SpearmanStatistic(better, people)
	got := estimate(1, Difference(before, after))
	if want := Spearman(better, people).Number - Spearman(judge, people).Number; got.Number != want || want <= 0 {
		t.Errorf("the difference is %v, want %v", got.Value, want)
	}
	if !(got.Interval.Low > 0) {
		t.Errorf("a clearly better judge has the interval %v", got.Interval)
	}
	first, second := estimate(1, before).Interval, estimate(2, after).Interval
	if independent := math.Hypot(first.High-first.Low, second.High-second.Low); got.Interval.High-got.Interval.Low >= independent {
		t.Errorf("the paired interval %v is not narrower than one of independent samples", got.Interval)
	}
	if got := estimate(1, Difference(before, before)); got.Value != number(0) || got.Interval.Low != 0 || got.Interval.High != 0 {
		t.Errorf("a judge differs from itself by %v", got)
	}
	constant := SpearmanStatistic(make([]float64, len(people)), people)
	for _, pair := range [][2]Statistic{{before, constant}, {constant, before}} {
		got := estimate(1, Difference(pair[0], pair[1]))
		if want := "all scores of the judge are the same"; got.Undefined != want || got.Interval.Undefined != want {
			t.Errorf("against a constant judge the difference is %v", got)
		}
	}
}

// TestAWeightCountsTheItemAgain: a statistic of weights is that of a list with each item as
// often as its weight says. With fewer than two items, both are undefined for other reasons.
func TestAWeightCountsTheItemAgain(t *testing.T) {
	statistics := map[string]func(*pairs) Value{"Spearman": (*pairs).spearman, "quadratic kappa": (*pairs).kappa, "distance": (*pairs).distance, "bias": (*pairs).bias}
	rapid.Check(t, func(t *rapid.T) {
		p := drawPair(t)
		weights := weights{rapid.SliceOfN(rapid.Uint64Range(0, 3), len(p.judge), len(p.judge)).Draw(t, "weights"), 64, 1}
		var judge, people []float64
		for i, w := range weights.of {
			judge = append(judge, slices.Repeat(p.judge[i:i+1], int(w))...)
			people = append(people, slices.Repeat(p.people[i:i+1], int(w))...)
		}
		for name, of := range statistics {
			weighted, repeated := newPairs(p.judge, p.people), newPairs(judge, people)
			weighted.count(weights)
			weighted.take(0)
			repeated.count(once(len(judge)))
			repeated.take(0)
			if got, want := of(weighted), of(repeated); len(p.judge) > 1 && len(judge) > 1 && !near(got, want) {
				t.Fatalf("%s is %v, want %v", name, got, want)
			}
		}
	})
}
