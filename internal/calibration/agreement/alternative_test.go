package agreement

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestStudentT compares with quantiles of a printed table (Abramowitz and Stegun 1964,
// table 26.10).
func TestStudentT(t *testing.T) {
	for _, c := range []struct {
		t       float64
		freedom int
		want    float64
	}{{12.706, 1, 0.975}, {4.303, 2, 0.975}, {2.571, 5, 0.975}, {1.697, 30, 0.95}, {2.457, 30, 0.99}, {1.658, 120, 0.95}, {0, 7, 0.5}} {
		if got := studentT(c.t, c.freedom); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("t = %g with %d degrees of freedom: %.5f, want %g", c.t, c.freedom, got, c.want)
		}
		if got := studentT(-c.t, c.freedom); math.Abs(got-(1-c.want)) > 1e-4 {
			t.Errorf("t = %g with %d degrees of freedom: %.5f, want %g", -c.t, c.freedom, got, 1-c.want)
		}
	}
}

func TestRejected(t *testing.T) {
	for _, c := range []struct {
		name string
		p    []float64
		want int
	}{
		{"the limit of three is 0.05/(1 + 1/2 + 1/3)", []float64{0.027, 0.027, 0.027}, 3},
		{"just above it", []float64{0.028, 0.028, 0.028}, 0},
		{"the smallest alone has a third of it", []float64{0.5, 0.009, 0.6}, 1},
		{"a larger one carries the smaller", []float64{0.018, 0.017, 0.9}, 2},
		{"none", []float64{0.5, 0.6}, 0},
	} {
		if got := rejected(c.p, 0.05); got != c.want {
			t.Errorf("%s: %d are rejected, want %d", c.name, got, c.want)
		}
	}
}

func TestAlternative(t *testing.T) {
	generator := rand.New(rand.NewPCG(5, 6))
	rate := func(truth, noise, bias float64) float64 {
		return max(1, min(5, math.Round(truth+bias+noise*generator.NormFloat64())))
	}
	var ratings Ratings
	judges := map[string][]float64{}
	for range 200 {
		truth := 1 + 4*generator.Float64()
		ratings = append(ratings, []float64{rate(truth, 0.7, 0), rate(truth, 0.7, 0), rate(truth, 0.7, 0)})
		judges["better"] = append(judges["better"], truth)
		judges["alike"] = append(judges["alike"], rate(truth, 0.7, 0))
		judges["lenient"] = append(judges["lenient"], rate(truth, 0.7, 2))
		judges["random"] = append(judges["random"], float64(1+generator.IntN(5)))
	}
	for name, want := range map[string]float64{"better": 1, "alike": 1, "lenient": 0, "random": 0} {
		got := AlternativeTest(ratings, judges[name])
		if got.Raters != 3 || got.WinningRate.Number != want {
			t.Errorf("%s: %+v, want a winning rate of %g", name, got, want)
		}
	}
	if got := AlternativeTest(ratings[:29], judges["better"][:29]); !strings.Contains(got.WinningRate.Undefined, "30 items") {
		t.Errorf("29 items: %+v", got)
	}
}
