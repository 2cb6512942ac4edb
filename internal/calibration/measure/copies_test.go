package measure

import (
	"fmt"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// labeling is a dataset of n items with one criterion, and a run that answered each of them with
// score(i). label returns 0 for no label.
func labeling(n int, raters []string, label func(rater, item int) float64, score func(item int) float64) (*calibration.Dataset, *calibration.Run) {
	d := &calibration.Dataset{Name: "d", LabeledBy: calibration.People, Criteria: []calibration.Labeled{{Name: "tone"}}}
	for i := range n {
		item := calibration.Item{ID: fmt.Sprint("i", i), Artifact: fmt.Sprint("Text ", i), Labels: map[string]map[string]float64{}}
		for r, rater := range raters {
			if l := label(r, i); l > 0 {
				item.Labels[rater] = map[string]float64{"tone": l}
			}
		}
		d.Items = append(d.Items, item)
	}
	j := calibration.Judge{Name: "j"}
	for i := range d.Items {
		j.Answers = append(j.Answers, calibration.Answer{
			Run: "2026-01-08", Date: "2026-01-08", Item: d.Items[i].ID, Repeat: 1, Items: n, Labels: d.Items[i].AnsweredCriteria(), Line: i + 1,
			Scores: map[string]float64{"tone": score(i)},
		})
	}
	d.Judges = []calibration.Judge{j}
	return d, &d.Judges[0].Runs()[0]
}

func names(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("r%02d", i))
	}
	return list
}

// own are the labels of a rater that are nobody else's, and not the judge's.
func own(rater, item int) float64 { return float64(1 + (item*7+rater*(item%3+1))%5) }

func score(item int) float64 { return float64(1 + (item*3+item/7)%5) }

func TestCopies(t *testing.T) {
	except := func(every int, copied, own func(rater, item int) float64) func(rater, item int) float64 {
		return func(rater, item int) float64 {
			if item%every == every-1 {
				return float64(1 + int(copied(rater, item))%5)
			}
			return copied(rater, item)
		}
	}
	first := func(_, item int) float64 { return own(0, item) }
	judge := func(_, item int) float64 { return score(item) }
	two := func(second func(rater, item int) float64) func(rater, item int) float64 {
		return func(rater, item int) float64 {
			if rater == 1 {
				return second(rater, item)
			}
			return own(rater, item)
		}
	}
	for _, tt := range []struct {
		reason string
		items  int
		raters int
		label  func(rater, item int) float64
		want   string // raters that count as one, those that are a judge, and their labels
		counts int    // raters
	}{
		{"two raters", 120, 2, own, "0 0 0", 2},
		{"equal labels", 120, 2, first, "1 0 0", 1},
		{"99 equal labels", 99, 2, first, "0 0 0", 2},
		{"100 equal labels", 100, 2, first, "1 0 0", 1},
		{"all but one of 100", 100, 2, two(except(100, first, own)), "1 0 0", 1},
		{"all but two of 100", 100, 2, two(except(50, first, own)), "0 0 0", 2},
		{"all but two of 200", 200, 2, two(except(100, first, own)), "1 0 0", 1},
		{"three raters, two of them equal", 120, 3, func(rater, item int) float64 { return own(rater/2, item) }, "1 0 0", 2},
		{"three equal raters", 120, 3, first, "2 0 0", 1},
		{"plus a fraction", 120, 2, func(rater, item int) float64 { return min(5, own(0, item)+0.3*float64(rater)) }, "1 0 0", 1},
		{"the labels of a judge", 120, 2, two(judge), "0 1 120", 1},
		{"both are the judge", 120, 2, judge, "0 2 240", 0},
		{"nearly those of a judge", 120, 2, two(except(50, judge, own)), "0 0 0", 2},
		{"99 labels of a judge", 99, 2, two(judge), "0 0 0", 2},
		{"many raters with few labels, which are a judge's", 120, 12, func(rater, item int) float64 {
			switch {
			case rater < 2:
				return own(rater, item)
			case item%10 == rater-2:
				return score(item)
			}
			return 0
		}, "0 10 120", 2},
		{"many raters with few labels, which are their own", 120, 12, func(rater, item int) float64 {
			if rater < 2 || item%10 == rater-2 {
				return own(rater, item)
			}
			return 0
		}, "0 0 0", 12},
		{"many raters with few labels, which are those of another", 120, 12, func(rater, item int) float64 {
			if rater < 2 {
				return own(rater, item)
			}
			if item%10 == rater-2 {
				return own(1, item)
			}
			return 0
		}, "10 0 0", 2},
		{"second opinions by many, each a copy of a first one by many", 120, 20, func(rater, item int) float64 {
			if item%10 == rater%10 {
				return own(0, item)
			}
			return 0
		}, "19 0 0", 1},
	} {
		d, run := labeling(tt.items, names(tt.raters), tt.label, score)
		c := NewMeter(d, nil, Options{}).countRun(run)
		if got := fmt.Sprint(c.copies.SameRaters, c.copies.SameAsJudge, c.copies.LabelsOfJudge); got != tt.want || len(c.Raters()) != tt.counts {
			t.Errorf("%s: %s, and %d raters count, want %s and %d", tt.reason, got, len(c.Raters()), tt.want, tt.counts)
		}
		for _, item := range c.Items {
			if tt.counts > 0 && len(item.Labels) == 0 {
				t.Errorf("%s: item %s has no label left", tt.reason, item.ID)
				break
			}
		}
	}
}

// TestLateCopiesOfRatersWithFewLabels: honest labels by many raters, each of few items, do not hide
// those that were copied after a run.
func TestLateCopiesOfRatersWithFewLabels(t *testing.T) {
	const honest, late = 40, 10
	d, run := labeling(400, names(honest+late), func(rater, item int) float64 {
		if rater < honest && item%honest == rater {
			return own(rater, item)
		}
		return 0
	}, score)
	for i := range d.Items[:200] {
		d.Items[i].Labels[fmt.Sprintf("r%02d", honest+i%late)] = map[string]float64{"tone": score(i)}
	}
	second := *run
	second.Name, second.Date = "2026-01-15", "2026-01-15"
	for i := range d.Items {
		a := d.Judges[0].Answers[i]
		a.Run, a.Date, a.Labels = second.Name, second.Date, d.Items[i].AnsweredCriteria()
		a.Scores = map[string]float64{"tone": float64(6 - score(i))}
		d.Judges[0].Answers = append(d.Judges[0].Answers, a)
	}
	last := &d.Judges[0].Runs()[1]
	c := NewMeter(d, nil, Options{}).countRun(last)
	if c.copies.SameAsJudge != late || c.copies.LabelsOfJudge != 200 || len(c.Raters()) != honest {
		t.Errorf("%+v, and %d raters count, want %d", c.copies, len(c.Raters()), honest)
	}
	// What the first run says does not change.
	if c := NewMeter(d, nil, Options{}).countRun(run); c.copies.SameAsJudge != 0 || len(c.Raters()) != honest {
		t.Errorf("as of the first run: %+v, and %d raters count, want %d", c.copies, len(c.Raters()), honest)
	}
}

// TestALaterJudgeChangesNothing: the answers of a run that began later, such as of a rater who is
// tried as a judge, do not change what an earlier run says.
func TestALaterJudgeChangesNothing(t *testing.T) {
	d, run := labeling(120, names(2), own, score)
	oracle := calibration.Judge{Name: "oracle"}
	for i := range d.Items {
		oracle.Answers = append(oracle.Answers, calibration.Answer{Run: "2026-01-15", Date: "2026-01-15", Item: d.Items[i].ID, Repeat: 1, Scores: map[string]float64{"tone": own(0, i)}})
	}
	d.Judges = append(d.Judges, oracle)
	r := &rubric.Rubric{ID: "x_v1", Criteria: []rubric.Criterion{{Name: "tone", Weight: rubric.Essential, Threshold: 3}}, Scoring: rubric.Scoring{PassThreshold: 3}}
	meter := NewMeter(d, &calibration.Subject{Rubric: r}, Options{MinimumItems: 10, Seed: 1})
	later := &d.Judges[1].Runs()[0]
	for _, tt := range []struct {
		run    *calibration.Run
		raters int
	}{{run, 2}, {later, 1}, {run, 2}} {
		m := meter.Measure(tt.run)
		if m.Copies.SameAsJudge != 2-tt.raters || m.Dataset.Raters != tt.raters || m.Criteria[0].People.Raters != tt.raters || m.Criteria[0].Compare().Correlation.Judge.IsDefined() != (tt.raters > 1) {
			t.Errorf("as of the run of %s: %+v, %d raters, %+v", tt.run.Judge, m.Copies, m.Dataset.Raters, m.Criteria[0].AgainstPeople)
		}
	}
}

// TestACopyOfARepeat: a rater can copy one repeat, whose mean is another score.
func TestACopyOfARepeat(t *testing.T) {
	d, _ := labeling(120, names(2), own, score)
	for i := range d.Items {
		a := d.Judges[0].Answers[i]
		a.Repeat, a.Scores = 2, map[string]float64{"tone": own(1, i)}
		d.Judges[0].Answers = append(d.Judges[0].Answers, a)
	}
	if c := NewMeter(d, nil, Options{}).countRun(&d.Judges[0].Runs()[0]); c.copies.SameAsJudge != 1 {
		t.Errorf("%+v", c.copies)
	}
}

// TestDistinctItems: of equal texts, the first with a label counts.
func TestDistinctItems(t *testing.T) {
	d, run := labeling(10, names(2), func(rater, item int) float64 {
		if item == 0 {
			return 0
		}
		return own(rater, item)
	}, score)
	for i, text := range []string{"One.", "one", "Two", "Two!", "Two?"} {
		d.Items[i].Artifact = text
	}
	d.Items[4].Inputs = map[string]string{"task": "Count."}
	c := NewMeter(d, nil, Options{}).countRun(run)
	var ids string
	for _, item := range c.Items {
		ids += item.ID + " "
	}
	if want := "i1 i2 i4 i5 i6 i7 i8 i9 "; ids != want || c.asked.equalTexts() != 2 {
		t.Errorf("%s count, %d don't, want %s", ids, c.asked.equalTexts(), want)
	}
}

// TestFactsAboutWhatWasAdded: what the first run asked about was there, whether or not it answered.
func TestFactsAboutWhatWasAdded(t *testing.T) {
	for _, tt := range []struct {
		reason string
		edit   func(d *calibration.Dataset)
		want   string
	}{
		{"nothing", func(*calibration.Dataset) {}, "0 0 "},
		{"two items", func(d *calibration.Dataset) {
			for _, id := range []string{"a", "b"} {
				d.Items = append(d.Items, calibration.Item{ID: id, Artifact: id, Labels: map[string]map[string]float64{"r00": {"tone": 3}}})
			}
		}, "2 0 2026-01-08"},
		{"a label", func(d *calibration.Dataset) { d.Items[0].Labels["r9"] = map[string]float64{"tone": 3} }, "0 1 2026-01-08"},
		{"items that the first run did not answer", func(d *calibration.Dataset) { d.Judges[0].Answers = d.Judges[0].Answers[5:] }, "0 0 "},
		{"as many new items as were removed", func(d *calibration.Dataset) {
			d.Items, d.Judges[0].Answers, d.Removed = d.Items[3:], d.Judges[0].Answers[3:], 3
			for i := range 3 {
				d.Items = append(d.Items, calibration.Item{ID: fmt.Sprint("n", i), Artifact: fmt.Sprint("n", i)})
			}
		}, "3 0 2026-01-08"},
	} {
		d, _ := labeling(20, names(2), own, score)
		tt.edit(d)
		f := NewMeter(d, calibrationtest.Depth(), Options{}).Facts(nil)
		if got := fmt.Sprint(f.ItemsAfter, f.LabelsAfter, " ", f.After); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.reason, got, tt.want)
		}
	}
}

// TestSimilarTexts: texts with a changed sentence are similar, and so are short ones with a number.
func TestSimilarTexts(t *testing.T) {
	story := ""
	for i := range 60 {
		story += fmt.Sprintf("word%d ", i)
	}
	for _, tt := range []struct {
		reason string
		texts  [3]string
		want   int
	}{
		{"long texts", [3]string{story, story + "and another end", story[10:] + "of a story"}, 2},
		{"copies of a short text", [3]string{"As a clerk, I want to archive an invoice, so that nobody pays it twice.", "As a clerk, I want to archive an invoice, so that nobody pays it twice. (copy 2)", "As a clerk, I want to archive an invoice, so that nobody pays it twice. (copy 3)"}, 2},
		{"short texts of one form", [3]string{"As a clerk, I want to archive an invoice, so that nobody pays it twice.", "As a clerk, I want to print a label, so that the parcel is sent.", "As a driver, I want to see the route, so that I am not late."}, 0},
		{"texts of few words", [3]string{"Archive an invoice (1).", "Archive an invoice (2).", "Archive an invoice (3)."}, 0},
	} {
		d, run := labeling(3, names(2), own, score)
		for i, text := range tt.texts {
			d.Items[i].Artifact = text
		}
		if f := NewMeter(d, calibrationtest.Depth(), Options{}).Facts(run); f.Similar != tt.want || f.EqualTexts != 0 {
			t.Errorf("%s: %d are similar, want %d", tt.reason, f.Similar, tt.want)
		}
	}
}

// TestFactsAboutJudgesAndRuns: a run that was stopped was tried, and one judge whose runs ended is
// not worth a word.
func TestFactsAboutJudgesAndRuns(t *testing.T) {
	// another adds a run that answered the first items, and failed at the next.
	another := func(d *calibration.Dataset, judge int, model, date string, answered int) {
		for i := range answered + 1 {
			a := d.Judges[0].Answers[i]
			a.Run, a.Date, a.Model, a.Imported = date, date, model, false
			if i == answered && i < len(d.Items)-1 {
				a.Scores, a.Unavailable = nil, "no key"
			}
			d.Judges[judge].Answers = append(d.Judges[judge].Answers, a)
		}
	}
	for _, tt := range []struct {
		reason string
		edit   func(d *calibration.Dataset)
		want   string // judges, runs, and runs that were stopped
	}{
		{"one run", func(*calibration.Dataset) {}, "0 0 0"},
		{"two runs of a judge", func(d *calibration.Dataset) { another(d, 0, "", "2026-01-15", 19) }, "0 0 0"},
		{"one of them was stopped", func(d *calibration.Dataset) { another(d, 0, "", "2026-01-15", 5) }, "1 2 1"},
		{"one of them had no answer, so that its prompt is unknown", func(d *calibration.Dataset) {
			for i := range d.Judges[0].Answers {
				d.Judges[0].Answers[i].PromptDigest = "sha256:a"
			}
			another(d, 0, "", "2026-01-15", 0)
			d.Judges[0].Answers[20].PromptDigest = ""
		}, "1 2 1"},
		{"another model of the same name", func(d *calibration.Dataset) { another(d, 0, "m-2", "2026-01-15", 19) }, "2 2 0"},
		{"another name", func(d *calibration.Dataset) {
			d.Judges = append(d.Judges, calibration.Judge{Name: "k"})
			another(d, 1, "", "2026-01-15", 19)
		}, "2 2 0"},
	} {
		d, _ := labeling(20, names(2), own, score)
		tt.edit(d)
		f := NewMeter(d, calibrationtest.Depth(), Options{}).Facts(nil)
		if got := fmt.Sprint(f.Judges, f.Runs, f.Stopped); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.reason, got, tt.want)
		}
	}
}
