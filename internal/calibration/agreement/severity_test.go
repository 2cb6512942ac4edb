package agreement

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// TestSeverityOfAFewRaters: the interval of a bias is about these raters. How often it holds the
// bias against people in general, with the severity that raters ordinarily have, is on the page
// about calibration.
func TestSeverityOfAFewRaters(t *testing.T) {
	rounds, resamples, tolerance := 200, 300, 0.12
	if os.Getenv("WEEKLY") != "" {
		rounds, resamples, tolerance = 5000, 2000, 0.02
	}
	const items, shift = 150, 0.7
	for _, c := range []struct {
		severity     float64
		raters       int
		holds, level float64
	}{
		{0.3, 2, 0.43, 0.18}, {0.3, 5, 0.56, 0.10}, {0.5, 2, 0.28, 0.28}, {0.5, 5, 0.38, 0.21},
	} {
		general := bias(rand.New(rand.NewPCG(7, 7)), 200_000, c.severity, -1, 0)
		lenient := bias(rand.New(rand.NewPCG(7, 7)), 200_000, c.severity, -1, shift)
		holds, level := 0, 0
		for round := range rounds {
			g := rand.New(rand.NewPCG(uint64(round), uint64(c.raters)))
			judge, people := severely(g, items, c.severity, c.raters, 0)
			i := Bootstrap(items, 1, resamples, BiasStatistic(judge, people))[0].Interval
			if i.Low <= general && general <= i.High {
				holds++
			}
			judge, people = severely(g, items, c.severity, c.raters, shift)
			i = Bootstrap(items, 1, resamples, BiasStatistic(judge, people))[0].Interval
			if -0.5 <= i.Low && i.High <= 0.5 {
				level++
			}
		}
		share, passed := float64(holds)/float64(rounds), float64(level)/float64(rounds)
		t.Logf("severity %.1f, %d raters: the interval holds the bias against people in general (%.2f) in %.1f%%; a judge that is %.2f too lenient is level in %.1f%%", c.severity, c.raters, general, 100*share, lenient, 100*passed)
		if math.Abs(share-c.holds) > tolerance || math.Abs(passed-c.level) > tolerance {
			t.Errorf("severity %.1f, %d raters: want %.0f%% and %.0f%%", c.severity, c.raters, 100*c.holds, 100*c.level)
		}
	}
}

// severely are scores of a judge with a shift, and the mean labels of raters of whom each has a
// severity of their own; a negative number of raters is one for each item.
func severely(g *rand.Rand, n int, severity float64, raters int, shift float64) (judge, people []float64) {
	label := func(x float64) float64 { return max(1, min(5, math.Floor(x+0.5*g.NormFloat64()+0.5))) }
	own := make([]float64, max(raters, 1))
	for i := range own {
		own[i] = severity * g.NormFloat64()
	}
	for range n {
		if raters < 0 {
			own[0] = severity * g.NormFloat64()
		}
		x, sum := even(g), 0.0
		for _, s := range own {
			sum += label(x + s)
		}
		judge, people = append(judge, label(x+shift)), append(people, sum/float64(len(own)))
	}
	return judge, people
}

func bias(g *rand.Rand, n int, severity float64, raters int, shift float64) float64 {
	return Bias(severely(g, n, severity, raters, shift)).Number
}
