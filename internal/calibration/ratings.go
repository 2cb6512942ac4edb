package calibration

import (
	"math"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// ratings is what is known of one criterion, item by item in the order of the
// dataset. NaN stands for what is missing.
type ratings struct {
	items  []*Item
	raters []string
	// labels are a row an item, a column a rater.
	labels agreement.Ratings
	// people is the mean label of an item, and judge the mean of the repeats.
	people, judge []float64
	// repeats are the judge's scores: a row an item, a column a repeat.
	repeats agreement.Ratings
}

// of collects what raters and a run say of a criterion, for the items that anyone
// labelled for it. run can be nil.
func (d *Dataset) of(criterion string, run *Run) *ratings {
	r := &ratings{raters: slices.DeleteFunc(d.Raters(), func(rater string) bool { return !d.labelled(rater, criterion) })}
	scores := run.scores(criterion)
	for i := range d.Items {
		item := &d.Items[i]
		sum, count := 0, 0
		labels := make([]float64, len(r.raters))
		for j, rater := range r.raters {
			labels[j] = math.NaN()
			if label, ok := item.Labels[rater][criterion]; ok {
				labels[j] = float64(label)
				sum += label
				count++
			}
		}
		if count == 0 {
			continue
		}
		r.items, r.labels = append(r.items, item), append(r.labels, labels)
		r.people = append(r.people, float64(sum)/float64(count))
		r.judge = append(r.judge, mean(scores[item.ID]))
		r.repeats = append(r.repeats, scores[item.ID])
	}
	return r
}

// labelled reports whether a rater labelled any item for a criterion.
func (d *Dataset) labelled(rater, criterion string) bool {
	return slices.ContainsFunc(d.Items, func(item Item) bool { return item.Labels[rater][criterion] != 0 })
}

// scores are the readable scores of a criterion by item, in the order of repeats.
func (r *Run) scores(criterion string) map[string][]float64 {
	scores := map[string][]float64{}
	if r == nil {
		return scores
	}
	for _, a := range r.Answers {
		if score, ok := a.Scores[criterion]; ok {
			scores[a.Item] = append(scores[a.Item], score)
		}
	}
	return scores
}

// mean is NaN of nothing.
func mean(numbers []float64) float64 {
	sum := 0.0
	for _, x := range numbers {
		sum += x
	}
	return sum / float64(len(numbers))
}

// paired are the items that have a label and a score.
type paired struct {
	items         []*Item
	judge, people []float64
	// judgeLevel and peopleLevel are rounded half up, for what needs categories.
	judgeLevel, peopleLevel []int
}

func (r *ratings) paired() *paired {
	p := &paired{}
	for i, item := range r.items {
		if !math.IsNaN(r.judge[i]) {
			p.add(item, r.judge[i], r.people[i])
		}
	}
	return p
}

func (p *paired) add(item *Item, judge, people float64) {
	p.items = append(p.items, item)
	p.judge, p.people = append(p.judge, judge), append(p.people, people)
	p.judgeLevel = append(p.judgeLevel, agreement.Round(judge))
	p.peopleLevel = append(p.peopleLevel, agreement.Round(people))
}
