package agreement

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestWilson compares with values that Newcombe (1998, Statistics in Medicine 17, table I,
// method 3) prints, and with bounds that a bootstrap misses.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		part, whole int
		low, high   float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
		{9, 9, 0.7009, 1}, // a bootstrap of 9 of 9 gives 1 to 1
		{1, 1, 0.2065, 1},
		{10, 10, 0.7225, 1}, // rounding would end this below 1, and the next above it
		{16, 16, 0.8064, 1},
	} {
		i := Wilson(c.part, c.whole)
		if (i.Low == 0) != (c.part == 0) || (i.High == 1) != (c.part == c.whole) {
			t.Errorf("%d of %d is %g to %g, which is not exact at an end", c.part, c.whole, i.Low, i.High)
		}
		if math.Abs(i.Low-c.low) > 5e-5 || math.Abs(i.High-c.high) > 5e-5 {
			t.Errorf("%d of %d is %.4f to %.4f, want %.4f to %.4f", c.part, c.whole, i.Low, i.High, c.low, c.high)
		}
	}
	for _, c := range [][2]int{{0, 0}, {-1, 4}, {5, 4}} {
		if Wilson(c[0], c[1]).IsDefined() {
			t.Errorf("%d of %d has an interval", c[0], c[1])
		}
	}
}

func TestCorrectPassRate(t *testing.T) {
	for _, c := range []struct {
		name                            string
		passed, rightPasses, rightFails Share
		want                            float64
		undefined                       bool
	}{
		{"a perfect judge needs no correction", Share{820, 1000}, Share{50, 50}, Share{50, 50}, 0.82, false},
		{"a lenient judge passes too many", Share{820, 1000}, Share{9, 10}, Share{6, 10}, 0.84, false},
		{"fewer passes than errors alone explain", Share{5, 100}, Share{9, 10}, Share{8, 10}, 0, false},
		{"more passes than a full rate explains", Share{100, 100}, Share{9, 10}, Share{9, 10}, 1, false},
		{"a judge that guesses", Share{820, 1000}, Share{5, 10}, Share{5, 10}, 0, true},
		{"a judge that is wrong", Share{820, 1000}, Share{2, 10}, Share{5, 10}, 0, true},
		{"no item that people fail", Share{820, 1000}, Share{9, 10}, Share{}, 0, true},
		{"nothing judged", Share{}, Share{9, 10}, Share{9, 10}, 0, true},
	} {
		got := CorrectPassRate(c.passed, c.rightPasses, c.rightFails)
		if got.IsDefined() == c.undefined || got.Interval.IsDefined() == c.undefined || math.Abs(got.Number-c.want) > 1e-9 {
			t.Errorf("%s: %+v, want %v", c.name, got, c.want)
		}
	}
}

// TestPublishedPassRates are the examples of Lang and Reiczigel (2014), with the endpoints that
// they print.
func TestPublishedPassRates(t *testing.T) {
	for _, c := range []struct {
		passed, rightPasses, rightFails Share
		low, high, rounding             float64
	}{
		{Share{4060, 11284}, Share{178, 179}, Share{358, 359}, 0.349, 0.372, 0.0005},
		{Share{51, 2971}, Share{32, 33}, Share{20, 20}, 0, 0.053, 0.0005},
		{Share{712, 11862}, Share{8, 10}, Share{12, 12}, 0, 0.147, 0.0005},
		{Share{259, 509}, Share{84, 127}, Share{96, 109}, 0.58, 0.87, 0.005},
		{Share{51, 509}, Share{23, 41}, Share{187, 195}, 0.037, 0.195, 0.0005},
	} {
		i := CorrectPassRate(c.passed, c.rightPasses, c.rightFails).Interval
		if !i.IsDefined() || math.Abs(i.Low-c.low) > c.rounding || math.Abs(i.High-c.high) > c.rounding {
			t.Errorf("%+v: %.4f to %.4f, want %.3f to %.3f", c, i.Low, i.High, c.low, c.high)
		}
	}
	// More passes than a full rate explains, mirrored.
	if i := CorrectPassRate(Share{500, 500}, Share{45, 50}, Share{45, 50}).Interval; i.High != 1 {
		t.Errorf("the interval ends at %v", i.High)
	}
	// The rates are too uncertain, although their sum is above 1.
	i := CorrectPassRate(Share{5, 10}, Share{100, 1000}, Share{1, 1}).Interval
	if want := "too few labeled items pass or fail to tell TPR + TNR from 1"; i.Undefined != want {
		t.Errorf("the interval is %+v, want %q", i, want)
	}
	if v := (Share{1, 1}).Value(); v != number(1) {
		t.Errorf("1 of 1 is %+v", v)
	}
}

// TestPassRateIntervalCovers simulates judges with known rates: the interval holds the
// true rate about as often as it promises.
func TestPassRateIntervalCovers(t *testing.T) {
	generator := rand.New(rand.NewPCG(1, 2))
	draw := func(n int, p float64) Share {
		s := Share{Whole: n}
		for range n {
			if generator.Float64() < p {
				s.Part++
			}
		}
		return s
	}
	for _, c := range []struct {
		rate, tpr, tnr float64
		labeled        int // that people pass, and as many that they fail
	}{{0.3, 0.9, 0.8, 20}, {0.8, 0.85, 0.9, 20}, {0.5, 0.75, 0.75, 40}, {0.05, 0.9, 0.95, 40}} {
		covered, runs := 0, 2000
		for range runs {
			passed := draw(1000, c.rate*c.tpr+(1-c.rate)*(1-c.tnr))
			i := CorrectPassRate(passed, draw(c.labeled, c.tpr), draw(c.labeled, c.tnr)).Interval
			if i.IsDefined() && i.Low <= c.rate && c.rate <= i.High {
				covered++
			}
		}
		if share := float64(covered) / float64(runs); share < 0.93 {
			t.Errorf("%+v: the interval holds the rate in %.3f of %d runs, want 0.95", c, share, runs)
		}
	}
}
