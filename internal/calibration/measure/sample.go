package measure

import (
	"cmp"
	"math"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// labels are those of one criterion, for the items that have one, in the order of the dataset. NaN
// is a missing value.
type labels struct {
	items  []*calibration.Item
	raters []string
	// given has one row for each item and one column for each rater.
	given agreement.Ratings
	// means are by item.
	means []float64
	// cannotTell counts the answers of raters that an item did not let them tell.
	cannotTell int
	// among is how raters agree with each other, and people compares them with judges. Both are nil
	// before the first use.
	among  *People
	people *agreement.People
}

// labelsOf are those of a criterion.
func labelsOf(d *calibration.Dataset, criterion string) *labels {
	l := &labels{raters: slices.DeleteFunc(d.Raters(), func(rater string) bool { return !labeled(d, rater, criterion) })}
	for i := range d.Items {
		item := &d.Items[i]
		row := make([]float64, len(l.raters))
		for j, rater := range l.raters {
			row[j] = cmp.Or(item.Labels[rater][criterion], math.NaN()) // no label is 0
		}
		if slices.ContainsFunc(row, func(label float64) bool { return label >= agreement.Lowest }) {
			l.items, l.given = append(l.items, item), append(l.given, row)
		}
		for _, criteria := range item.CannotTell {
			if slices.Contains(criteria, criterion) {
				l.cannotTell++
			}
		}
	}
	l.means = l.given.Means()
	return l
}

func labeled(d *calibration.Dataset, rater, criterion string) bool {
	return slices.ContainsFunc(d.Items, func(item calibration.Item) bool { return item.Labels[rater][criterion] != 0 })
}

// agree is how raters agree with each other.
func (l *labels) agree() People {
	if l.among == nil {
		pair := l.pair()
		l.among = &People{len(l.raters), agreement.OrdinalAlpha(l.given), len(pair), agreement.OrdinalAlpha(pair)}
	}
	return *l.among
}

// pair has the labels of the two raters with the most items in common, on those items.
func (l *labels) pair() (pair agreement.Ratings) {
	for a := range l.raters {
		for b := range a {
			var common agreement.Ratings
			for _, row := range l.given {
				if !math.IsNaN(row[a] + row[b]) {
					common = append(common, []float64{row[a], row[b]})
				}
			}
			if len(common) > len(pair) {
				pair = common
			}
		}
	}
	return pair
}

// byItem are the readable scores of a run for a criterion by item, in the order of the repeats.
type byItem map[string][]float64

// scoresOf has the scores of a run, which can be nil, by criterion.
func scoresOf(run *calibration.Run) map[string]byItem {
	all := map[string]byItem{}
	if run == nil {
		return all
	}
	for i := range run.Answers {
		a := &run.Answers[i]
		for criterion, score := range a.Scores {
			if all[criterion] == nil {
				all[criterion] = make(byItem, len(run.Answers))
			}
			all[criterion][a.Item] = append(all[criterion][a.Item], score)
		}
	}
	return all
}

// ratings are labels with the scores of a judge for the same items.
type ratings struct {
	*labels
	// repeats has one row for each item and one column for each repeat, and judge has their means.
	repeats agreement.Ratings
	judge   []float64
}

// addScores adds the scores of a run, none if it is nil.
func (l *labels) addScores(scores byItem) *ratings {
	r := &ratings{labels: l}
	for _, item := range l.items {
		r.repeats = append(r.repeats, scores[item.ID])
	}
	r.judge = r.repeats.Means()
	return r
}

// pairs are the scores and labels of the items that have both.
type pairs struct{ judge, people []float64 }

func (r *ratings) pairsOf() pairs {
	var p pairs
	for i, score := range r.judge {
		if !math.IsNaN(score) {
			p.judge, p.people = append(p.judge, score), append(p.people, r.means[i])
		}
	}
	return p
}
