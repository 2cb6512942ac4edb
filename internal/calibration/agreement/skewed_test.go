package agreement

import (
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"
)

// quality draws the true level of an item, in points.
type quality func(g *rand.Rand) float64

// Most items are good in skewed; its first part is 1 less a number with the distribution
// Beta(1, 4).
func skewed(g *rand.Rand) float64 { return 5.4 - 4.8*(1-math.Pow(1-g.Float64(), 0.25)) }
func even(g *rand.Rand) float64   { return 0.6 + 4.8*g.Float64() }

// judged are the scores of a judge with some noise, and the mean labels of two raters with a
// noise of 0.5 points.
func (of quality) judged(g *rand.Rand, n int, noise float64) (judge, people []float64) {
	label := func(x, noise float64) float64 { return max(1, min(5, math.Floor(x+noise*g.NormFloat64()+0.5))) }
	for range n {
		x := of(g)
		judge, people = append(judge, label(x, noise)), append(people, (label(x, 0.5)+label(x, 0.5))/2)
	}
	return judge, people
}

// TestIntervalsOfSkewedLabels: the true correlation is below the interval in about 2.5% of cases,
// and as often above it, also if most labels are the same.
func TestIntervalsOfSkewedLabels(t *testing.T) {
	sizes, rounds, resamples, tolerance := []int{60}, 250, 500, 0.03
	if os.Getenv("WEEKLY") != "" {
		sizes, rounds, resamples, tolerance = []int{30, 60, 100}, 4000, 2000, 0.007
	}
	for _, c := range []struct {
		name   string
		of     quality
		noises []float64
	}{{"skewed", skewed, []float64{0.35, 0.9, 1.7}}, {"even", even, []float64{0.9, 1.7}}} {
		for _, noise := range c.noises {
			judge, people := c.of.judged(rand.New(rand.NewPCG(99, 1)), 400_000, noise)
			truth := Spearman(judge, people).Number
			for _, n := range sizes {
				below, above := c.of.misses(rounds, n, resamples, noise, truth)
				t.Logf("%s labels, noise %.2f, correlation %.2f, %d items: the truth is below in %.1f%%, above in %.1f%%", c.name, noise, truth, n, 100*below, 100*above)
				most := 0.025 + tolerance
				if n == 30 && noise < 0.5 {
					most += 0.012 // most resamples of so few have hardly a bad item
				}
				if below > most || above > most {
					t.Errorf("%s labels, noise %.2f, %d items: want at most %.1f%%", c.name, noise, n, 100*most)
				}
			}
		}
	}
}

// misses are the shares of datasets for which the truth is below the interval, and above it.
func (of quality) misses(rounds, n, resamples int, noise, truth float64) (below, above float64) {
	var group sync.WaitGroup
	var lock sync.Mutex
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for round := range rounds {
		free <- true
		group.Go(func() {
			defer func() { <-free }()
			judge, people := of.judged(rand.New(rand.NewPCG(uint64(n), uint64(round))), n, noise)
			i := Bootstrap(n, uint64(round), resamples, SpearmanStatistic(judge, people))[0].Interval
			lock.Lock()
			defer lock.Unlock()
			switch {
			case !i.IsDefined():
			case truth < i.Low:
				below++
			case truth > i.High:
				above++
			}
		})
	}
	group.Wait()
	return below / float64(rounds), above / float64(rounds)
}
