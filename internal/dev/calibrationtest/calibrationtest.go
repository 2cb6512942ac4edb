// Package calibrationtest makes datasets and runs of judges for tests.
package calibrationtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Words is the judge digest of the rubric, and NewWords one of another wording.
const (
	Words    = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	NewWords = "sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// Today is the date of the runs.
const Today = "2026-11-21"

// Depth is a rubric with one criterion.
func Depth() *calibration.Subject {
	r := &rubric.Rubric{
		ID: "depth_v1", Version: "1.0.0", CalibrationDataset: "calibration/depth",
		Criteria: []rubric.Criterion{{Name: "clarity", Weight: rubric.Essential, Threshold: 3}},
		Scoring:  rubric.Scoring{PassThreshold: 3},
	}
	return &calibration.Subject{Rubric: r, Digest: Words, Criteria: map[string]string{"clarity": Words}}
}

// Labeled is a dataset whose items have these labels as the mean of two raters, who
// differ on some.
func Labeled(labels ...int) *calibration.Dataset {
	d := &calibration.Dataset{
		Name: "depth", AppliesTo: []string{"depth_v1"}, LabeledBy: calibration.People,
		Criteria: []calibration.Labeled{{Name: "clarity", Digest: Words}},
	}
	for i, label := range labels {
		first, second := float64(label), float64(label)
		if i%4 == 1 && label > 1 && label < 5 {
			first, second = first-1, second+1
		}
		d.Items = append(d.Items, calibration.Item{
			ID: fmt.Sprintf("i%03d", i), Artifact: fmt.Sprint("text ", i),
			Labels: map[string]map[string]float64{"r1": {"clarity": first}, "r2": {"clarity": second}},
		})
	}
	return d
}

// Scored is a run in which the judge gave these scores; 0 is no answer.
func Scored(scores ...float64) *calibration.Run {
	run := &calibration.Run{Name: Today, Judge: "j", Model: "m", Date: Today, Digest: Words}
	for i, score := range scores {
		a := calibration.Answer{
			Run: run.Name, Item: fmt.Sprintf("i%03d", i), Repeat: 1, Model: "m", Date: run.Date, Digest: Words,
		}
		if score == 0 {
			a.Error = "no JSON"
		} else {
			a.Scores = map[string]float64{"clarity": score}
		}
		run.Answers = append(run.Answers, a)
	}
	return run
}

// Spread is n labels that go round the scale.
func Spread(n int) []int {
	labels := make([]int, n)
	for i := range labels {
		labels[i] = i%5 + 1
	}
	return labels
}

// Floats are labels as scores.
func Floats(labels []int) []float64 {
	out := make([]float64, len(labels))
	for i, label := range labels {
		out[i] = float64(label)
	}
	return out
}

// Random scores have nothing to do with the labels.
func Random(n int) []float64 {
	r := rand.New(rand.NewPCG(5, 0))
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(1 + r.IntN(5))
	}
	return out
}

// Worsened is labels of which every k-th is replaced by its mirror.
func Worsened(labels []int, k int) []float64 {
	out := Floats(labels)
	for i := range out {
		if i%k == 0 {
			out[i] = 6 - out[i]
		}
	}
	return out
}

// Noisy scores are labels with noise of this size and a shift, on the scale.
func Noisy(labels []int, noise, shift float64) []float64 {
	r := rand.New(rand.NewPCG(7, 0))
	out := make([]float64, len(labels))
	for i, label := range labels {
		out[i] = max(1, min(5, math.Round(float64(label)+shift+noise*r.NormFloat64())))
	}
	return out
}

// ByAuthors has labels that show how the tools work.
func ByAuthors(d *calibration.Dataset) *calibration.Dataset {
	d.LabeledBy = calibration.Authors
	return d
}

// Asked records, in the runs of a dataset and in another one, that they asked about the items
// and labels of today.
func Asked(d *calibration.Dataset, run *calibration.Run) {
	items := map[string]*calibration.Item{}
	for i := range d.Items {
		items[d.Items[i].ID] = &d.Items[i]
	}
	record := func(answers []calibration.Answer) {
		for i := range answers {
			if a := &answers[i]; a.Items == 0 && items[a.Item] != nil {
				a.Items, a.Labels = len(d.Items), items[a.Item].AnsweredCriteria()
			}
		}
	}
	for i := range d.Judges {
		record(d.Judges[i].Answers)
	}
	if run != nil && run.Items == 0 {
		run.Items = max(1, len(d.Items))
		record(run.Answers)
	}
}

// Weeks records a run of the judge j for each list of scores, a week apart. The last one,
// which it returns, is of today.
func Weeks(d *calibration.Dataset, all ...[]float64) *calibration.Run {
	d.Judges = []calibration.Judge{{Name: "j"}}
	last, _ := time.Parse(time.DateOnly, Today)
	var run *calibration.Run
	for i, scores := range all {
		run = Scored(scores...)
		run.Date = last.AddDate(0, 0, -7*(len(all)-1-i)).Format(time.DateOnly)
		run.Name = run.Date
		for j := range run.Answers {
			run.Answers[j].Run, run.Answers[j].Date = run.Name, run.Date
		}
		d.Judges[0].Answers = append(d.Judges[0].Answers, run.Answers...)
	}
	return run
}

// Played is a run on a day of the year 2026. Edit, which can be nil, changes its answers.
type Played struct {
	Day    int
	Scores []float64
	Edit   func(a *calibration.Answer)
}

// Play records runs of the judge j and returns the last one.
func Play(d *calibration.Dataset, runs ...Played) *calibration.Run {
	d.Judges = []calibration.Judge{{Name: "j"}}
	for _, one := range runs {
		d.Judges[0].Answers = append(d.Judges[0].Answers, Asks(one.Day, one.Scores, 1, one.Edit)...)
	}
	all := d.Judges[0].Runs()
	return &all[len(all)-1]
}

// Asks are the answers of a run on a day, some to each item.
func Asks(day int, scores []float64, repeats int, edit func(a *calibration.Answer)) (answers []calibration.Answer) {
	date := time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	for repeat := range repeats {
		for _, a := range Scored(scores...).Answers {
			a.Run, a.Date, a.Repeat = date, date, repeat+1
			if edit != nil {
				edit(&a)
			}
			answers = append(answers, a)
		}
	}
	return answers
}
