// Power simulates judges whose quality is known and writes docs/calibration-power.md: how
// often intervals hold the true value, how often a judge below a condition is certified,
// and how many items a good judge needs.
//
//	go run -C tools ./power ../docs/calibration-power.md
package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// rounds is how many datasets are simulated for each number.
const rounds = 200

// raterNoise is the standard deviation of a rater around an item's true level, in points.
const raterNoise = 0.5

// judge is what a judge adds to an item's true level before it rounds: noise of a standard
// deviation, and a shift. Where people pass or fail an item by a criterion, it is wrong
// with a probability.
type judge struct{ noise, shift, missPass, missFail float64 }

// world is a rubric with some criteria, and a judge that scores by them.
type world struct {
	criteria int
	judge    judge
}

const day = "2026-01-05"

func (w world) subject() *calibration.Subject {
	r := &rubric.Rubric{ID: "simulated_v1", Version: "1.0.0", Scoring: rubric.Scoring{PassThreshold: 3}}
	s := &calibration.Subject{Rubric: r, Digest: "words", Criteria: map[string]string{}}
	for i := range w.criteria {
		name := fmt.Sprintf("c%d", i+1)
		r.Criteria = append(r.Criteria, rubric.Criterion{Name: name, Weight: rubric.Important, Threshold: 3})
		s.Criteria[name] = "words"
	}
	return s
}

func level(x float64) int { return int(max(1, min(5, math.Round(x)))) }

// simulate draws items with the labels of two raters and the answers of the judge. The
// levels of an item's criteria have a common part, as those of real artifacts have.
func (w world) simulate(g *rand.Rand, items int) (*calibration.Dataset, *calibration.Run) {
	d := &calibration.Dataset{Name: "simulated", LabeledBy: calibration.People}
	run := &calibration.Run{Name: day, Judge: "judge", Model: "m", Date: day, Digest: "words"}
	for i := range w.criteria {
		d.Criteria = append(d.Criteria, calibration.Labeled{Name: fmt.Sprintf("c%d", i+1), Digest: "words"})
	}
	for i := range items {
		id := fmt.Sprintf("i%d", i)
		item := calibration.Item{ID: id, Labels: map[string]map[string]float64{"r1": {}, "r2": {}}}
		scores := map[string]float64{}
		common := g.NormFloat64()
		for _, c := range d.Criteria {
			truth := 3 + 1.4*(0.8*common+0.6*g.NormFloat64())
			for _, rater := range []string{"r1", "r2"} {
				item.Labels[rater][c.Name] = float64(level(truth + raterNoise*g.NormFloat64()))
			}
			score := level(truth + w.judge.shift + w.judge.noise*g.NormFloat64())
			pass := truth >= 3
			if pass && g.Float64() < w.judge.missPass {
				score = 2
			} else if !pass && g.Float64() < w.judge.missFail {
				score = 3
			}
			scores[c.Name] = float64(score)
		}
		d.Items = append(d.Items, item)
		run.Answers = append(run.Answers, calibration.Answer{Run: day, Item: id, Repeat: 1, Model: "m", Date: day, Digest: "words", Scores: scores})
	}
	return d, run
}

func (w world) report(g *rand.Rand, items int) *calibration.Report {
	d, run := w.simulate(g, items)
	return calibration.Compute(d, w.subject(), run, calibration.Options{Settings: calibration.Defaults(), Seed: g.Uint64(), AsOf: day})
}

// truth is a report on so many items that its values are those of the judge.
func (w world) truth() *calibration.Report { return w.report(rand.New(rand.NewPCG(1, 1)), 20_000) }

// tune bisects a judge until a true value is the wanted one; the value rises with x.
func tune(low, high, want float64, of func(x float64) (world, float64)) world {
	for range 14 {
		middle := (low + high) / 2
		if _, value := of(middle); value < want {
			low = middle
		} else {
			high = middle
		}
	}
	w, _ := of((low + high) / 2)
	return w
}

// withSpearman is a judge with a true correlation on each criterion.
func withSpearman(criteria int, want float64) world {
	w := tune(-4, 0, want, func(x float64) (world, float64) {
		w := world{1, judge{noise: -x}}
		return w, w.truth().Criteria[0].Spearman.Number
	})
	w.criteria = criteria
	return w
}

func (w world) share(items int, seed uint64, holds func(r *calibration.Report) bool) string {
	g := rand.New(rand.NewPCG(seed, 2))
	n := 0
	for range rounds {
		if holds(w.report(g, items)) {
			n++
		}
	}
	return fmt.Sprintf("%.1f%%", 100*float64(n)/rounds)
}

var sizes = []int{30, 60, 100, 300}

func header(b *strings.Builder, first string) {
	fmt.Fprintf(b, "\n| %s |", first)
	for _, n := range sizes {
		fmt.Fprintf(b, " %d items |", n)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(sizes)))
}

func row(b *strings.Builder, name string, cell func(n int) string) {
	fmt.Fprintf(os.Stderr, "%s\n", name)
	fmt.Fprintf(b, "| %s |", name)
	for _, n := range sizes {
		fmt.Fprintf(b, " %s |", cell(n))
	}
	b.WriteByte('\n')
}

func inside(e agreement.Estimate, truth float64) bool {
	return e.Interval.Defined() && e.Interval.Low <= truth && truth <= e.Interval.High
}

func page() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Statistical power of calibration

<!-- Generated by go run -C tools ./power FILE. Do not edit. -->

For teams that decide how many items to label: this page shows how often the certificate of
a judge is right, measured with judges whose quality is known.

Each number is from %d simulated datasets with two raters, whose labels differ from an item's
true level by a standard deviation of %.1f points. The limits are the defaults.

## Coverage of the intervals

How often the 95%% interval holds the true value, for a judge with a correlation of 0.8:
`, rounds, raterNoise)
	coverage(&b)
	falseCertification(&b)
	power(&b)
	return b.String()
}

// coverage measures how often intervals hold the true value.
func coverage(b *strings.Builder) {
	good := withSpearman(1, 0.8)
	truth := good.truth()
	header(b, "interval")
	row(b, "correlation (bootstrap)", func(n int) string {
		return good.share(n, 3, func(r *calibration.Report) bool {
			return inside(r.Criteria[0].Spearman, truth.Criteria[0].Spearman.Number)
		})
	})
	row(b, "bias (bootstrap)", func(n int) string {
		return good.share(n, 4, func(r *calibration.Report) bool { return inside(r.Criteria[0].Bias, truth.Criteria[0].Bias.Number) })
	})
	row(b, "right passes (Wilson)", func(n int) string {
		return good.share(n, 5, func(r *calibration.Report) bool {
			return inside(r.Verdict.RightPasses, truth.Verdict.RightPasses.Number)
		})
	})
	row(b, "right fails (Wilson)", func(n int) string {
		return good.share(n, 6, func(r *calibration.Report) bool { return inside(r.Verdict.RightFails, truth.Verdict.RightFails.Number) })
	})
}

func certified(r *calibration.Report) bool { return r.Calibrated }

// falseCertification measures how often a judge below a condition is certified.
func falseCertification(b *strings.Builder) {
	b.WriteString(`
## False certification

How often a judge is called calibrated that is just below one condition, with one criterion:
`)
	header(b, "judge")
	low := withSpearman(1, 0.69)
	row(b, "correlation 0.69", func(n int) string { return low.share(n, 7, certified) })
	lenient := tune(0, 2, 0.51, func(x float64) (world, float64) {
		w := world{1, judge{noise: 0.3, shift: x}}
		return w, w.truth().Criteria[0].Bias.Number
	})
	row(b, "bias 0.51", func(n int) string { return lenient.share(n, 8, certified) })
	missing := tune(-1, 0, 0.69, func(x float64) (world, float64) {
		w := world{1, judge{noise: 0.3, missPass: -x}}
		return w, w.truth().Verdict.RightPasses.Number
	})
	row(b, "right passes 0.69", func(n int) string { return missing.share(n, 9, certified) })
	passing := tune(-1, 0, 0.69, func(x float64) (world, float64) {
		w := world{1, judge{noise: 0.3, missFail: -x}}
		return w, w.truth().Verdict.RightFails.Number
	})
	row(b, "right fails 0.69", func(n int) string { return passing.share(n, 10, certified) })
}

// power measures how often a good judge is certified.
func power(b *strings.Builder) {
	b.WriteString(`
## Power

How often a judge is certified that meets all conditions, by its true correlation on each
criterion:
`)
	header(b, "judge")
	for _, want := range []float64{0.8, 0.85, 0.9} {
		for _, criteria := range []int{1, 3, 5} {
			w := withSpearman(criteria, want)
			name := fmt.Sprintf("%.2f, %d criteria", want, criteria)
			if criteria == 1 {
				name = fmt.Sprintf("%.2f, 1 criterion", want)
			}
			row(b, name, func(n int) string { return w.share(n, 11, certified) })
		}
	}
	b.WriteString(`
With one criterion, the verdict hangs on a single score: many items are near its threshold,
so that a judge of the same correlation is right about fewer of them, and more items are
needed to show that it is right often enough.
`)
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run -C tools ./power FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], []byte(page()), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
