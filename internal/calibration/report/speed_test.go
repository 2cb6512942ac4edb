package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// large has 1,700 items, of which 2 to 5 of 13 raters labeled each for 4 criteria, and six judges
// with two runs each.
func large() (*calibration.Dataset, *calibration.Subject) {
	g := rand.New(rand.NewPCG(1, 2))
	level := func(truth, noise float64) float64 { return max(1, min(5, math.Round(truth+noise*g.NormFloat64()))) }
	s := &calibration.Subject{Digest: "sha256:whole", Criteria: map[string]string{}, Rubric: &rubric.Rubric{ID: "large_v1", Version: "1.0.0", Scoring: rubric.Scoring{PassThreshold: 3}}}
	d := &calibration.Dataset{Name: "large", LabeledBy: calibration.People}
	for i := range 4 {
		name := fmt.Sprint("c", i)
		s.Rubric.Criteria = append(s.Rubric.Criteria, rubric.Criterion{Name: name, Weight: rubric.Important, Threshold: 3})
		s.Criteria[name] = fmt.Sprint("sha256:", i)
		d.Criteria = append(d.Criteria, calibration.Labeled{Name: name, Digest: s.Criteria[name]})
	}
	for range 6 {
		d.Judges = append(d.Judges, calibration.Judge{Name: fmt.Sprint("j", len(d.Judges))})
	}
	for i := range 1700 {
		truth, labels := 1+4*g.Float64(), map[string]map[string]float64{}
		for _, rater := range g.Perm(13)[:2+g.IntN(4)] {
			labels[fmt.Sprint("r", rater)] = map[string]float64{"c0": level(truth, 1), "c1": level(truth, 1), "c2": level(truth, 1), "c3": level(truth, 1)}
		}
		words := ""
		for range 40 {
			words += fmt.Sprintf("word%d ", g.IntN(5000))
		}
		item := calibration.Item{ID: fmt.Sprint("i", i), Artifact: words, Labels: labels}
		d.Items = append(d.Items, item)
		for j := range d.Judges {
			for _, date := range []string{"2026-11-14", "2026-11-21"} {
				d.Judges[j].Answers = append(d.Judges[j].Answers, calibration.Answer{
					Run: date, Item: item.ID, Repeat: 1, Model: "m", Date: date, Digest: s.Digest, Items: 1700, Labels: item.Answered(), Line: i + 1,
					Scores: map[string]float64{"c0": level(truth, .8), "c1": level(truth, .8), "c2": level(truth, .8), "c3": level(truth, .8)},
				})
			}
		}
	}
	return d, s
}

// BenchmarkReport reports on all judges of a large dataset, compared with their earlier runs.
func BenchmarkReport(b *testing.B) {
	d, s := large()
	for b.Loop() {
		decider := decide.On(d, s, decide.Options{Settings: decide.Defaults(), Seed: 1, AsOf: "2026-11-21"})
		for i := range d.Judges {
			Of(decider.Track(d.Judges[i].Newest(s.Digest)))
		}
	}
}
