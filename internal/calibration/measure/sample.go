package measure

import (
	"cmp"
	"math"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// ratings has the labels and scores of one criterion by item, in the order of the
// dataset. NaN is a missing value.
type ratings struct {
	items  []*calibration.Item
	raters []string
	// labels has one row for each item and one column for each rater.
	labels agreement.Ratings
	// people is the mean label of an item, and judge the mean of the repeats.
	people, judge []float64
	// repeats has the judge's scores: one row for each item, one column for each repeat.
	repeats agreement.Ratings
}

// ratingsOf collects the labels and the scores of a run for a criterion, for the items that
// have a label for it. run can be nil.
func ratingsOf(d *calibration.Dataset, criterion string, run *calibration.Run) *ratings {
	r := &ratings{raters: slices.DeleteFunc(d.Raters(), func(rater string) bool { return !labeled(d, rater, criterion) })}
	scores := scoresOf(run, criterion)
	for i := range d.Items {
		item := &d.Items[i]
		labels := make([]float64, len(r.raters))
		for j, rater := range r.raters {
			labels[j] = cmp.Or(item.Labels[rater][criterion], math.NaN()) // no label is 0
		}
		if slices.ContainsFunc(labels, func(label float64) bool { return label >= agreement.Lowest }) {
			r.items, r.labels = append(r.items, item), append(r.labels, labels)
			r.repeats = append(r.repeats, scores[item.ID])
		}
	}
	r.people, r.judge = r.labels.Means(), r.repeats.Means()
	return r
}

func labeled(d *calibration.Dataset, rater, criterion string) bool {
	return slices.ContainsFunc(d.Items, func(item calibration.Item) bool { return item.Labels[rater][criterion] != 0 })
}

func cannotTell(d *calibration.Dataset, criterion string) int {
	count := 0
	for i := range d.Items {
		for _, criteria := range d.Items[i].CannotTell {
			if slices.Contains(criteria, criterion) {
				count++
			}
		}
	}
	return count
}

// scoresOf returns the readable scores of a criterion by item, in the order of the repeats.
func scoresOf(run *calibration.Run, criterion string) map[string][]float64 {
	scores := map[string][]float64{}
	if run == nil {
		return scores
	}
	for _, a := range run.Answers {
		if score, ok := a.Scores[criterion]; ok {
			scores[a.Item] = append(scores[a.Item], score)
		}
	}
	return scores
}

// paired has only the items that have a label and a score, with these.
func (r *ratings) paired() *ratings {
	p := &ratings{}
	for i, item := range r.items {
		if !math.IsNaN(r.judge[i]) {
			p.items, p.judge, p.people = append(p.items, item), append(p.judge, r.judge[i]), append(p.people, r.people[i])
		}
	}
	return p
}

// pair has the labels of the two raters with the most items in common, on those items.
func (r *ratings) pair() (pair agreement.Ratings) {
	for a := range r.raters {
		for b := range a {
			var common agreement.Ratings
			for _, labels := range r.labels {
				if !math.IsNaN(labels[a] + labels[b]) {
					common = append(common, []float64{labels[a], labels[b]})
				}
			}
			if len(common) > len(pair) {
				pair = common
			}
		}
	}
	return pair
}
