package calibration

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// pairedItems is how many test items the same two raters must both label. Fewer labels in
// common also say nothing about whether one was copied from the other.
const pairedItems = 30

// copiedShare is the share of equal labels from which a rater is a judge.
const copiedShare = 0.95

// people is the condition on the labels of the test items. paired is how many of them the
// same two raters labeled, for the criterion with the fewest.
func (d *Dataset) people(s *Subject) (c Condition, paired int) {
	c = Condition{Name: ConditionPeople, Outcome: NotMet}
	var without, few []string
	for i := range s.Rubric.Criteria {
		name := s.Rubric.Criteria[i].Name
		labels := d.of(name, nil)
		pair := labels.pair()
		if i == 0 || len(pair) < paired {
			paired = len(pair)
		}
		switch alpha := agreement.OrdinalAlpha(pair); {
		case len(labels.items) == 0:
			without = append(without, name)
		case len(pair) < pairedItems:
			few = append(few, fmt.Sprintf("%s %d", name, len(pair)))
		case !alpha.Defined():
			few = append(few, fmt.Sprintf("%s %d (%s)", name, len(pair), alpha.Undefined))
		}
	}
	demonstration, copied := d.LabeledBy.Demonstration(), d.copied()
	switch {
	case demonstration != "":
		c.Reason = demonstration + " To calibrate a judge, have people label the items who did not write the rubric (`rubric calibrate sheet`)."
	case len(without) > 0:
		c.Reason = fmt.Sprintf("No item has a label for %s. Have people label the items (`rubric calibrate sheet`).", schema.Or(without, "and"))
	case copied != "":
		c.Reason = copied
	case len(few) > 0:
		c.Outcome, c.Reason = Undecided, fmt.Sprintf("Too few items are labeled by the same two raters to know how far people agree: %s; at least %d are required for each criterion. Have a second person label (`rubric calibrate sheet`).", strings.Join(few, ", "), pairedItems)
	default:
		c.Outcome, c.Reason = Met, fmt.Sprintf("People labeled the items who did not write the rubric, and the same two labeled %d or more.", paired)
	}
	return c, paired
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

// copied says which labels are not a person's own, or is "". It names no rater, because
// statistics are public.
func (d *Dataset) copied() string {
	var raters [][]float64
	for _, rater := range d.Raters() {
		labels := d.column(func(criterion string, item *Item) float64 { return item.Labels[rater][criterion] })
		for _, other := range raters {
			if repeats(labels, other) == 1 {
				return fmt.Sprintf("Two raters gave the same labels to all items that both labeled, so one of them may have copied. Have people label at least %d items without seeing the labels of others.", pairedItems)
			}
		}
		raters = append(raters, labels)
	}
	for i := range d.Judges {
		for _, run := range d.Judges[i].Runs() {
			scores := map[string]map[string][]float64{}
			for _, c := range d.Criteria {
				scores[c.Name] = run.scores(c.Name)
			}
			answers := d.column(func(criterion string, item *Item) float64 { return agreement.Mean(scores[criterion][item.ID]) })
			for _, labels := range raters {
				if share := repeats(labels, answers); share >= copiedShare {
					return fmt.Sprintf("%s of one rater's labels are the scores of %s in run %s, so they may be no person's. Have people label the items without seeing a judge's scores.", percent(share), run.Judge, run.Name)
				}
			}
		}
	}
	return ""
}

// column has a value for each criterion and item.
func (d *Dataset) column(of func(criterion string, item *Item) float64) (column []float64) {
	for _, c := range d.Criteria {
		for i := range d.Items {
			column = append(column, of(c.Name, &d.Items[i]))
		}
	}
	return column
}

// repeats is the share of labels that are equal to others when both are rounded: a fraction
// hides no copy. What is below 1 is missing. It is 0 if there are too few in common.
func repeats(labels, others []float64) float64 {
	same, all := 0, 0
	for i, other := range others {
		if labels[i] >= agreement.Lowest && other >= agreement.Lowest { // not NaN
			all++
			if agreement.Round(labels[i]) == agreement.Round(other) {
				same++
			}
		}
	}
	if all < pairedItems {
		return 0
	}
	return float64(same) / float64(all)
}

// ratings has the labels and scores of one criterion by item, in the order of the
// dataset. NaN is a missing value.
type ratings struct {
	items  []*Item
	raters []string
	// labels has one row for each item and one column for each rater.
	labels agreement.Ratings
	// people is the mean label of an item, and judge the mean of the repeats.
	people, judge []float64
	// repeats has the judge's scores: one row for each item, one column for each repeat.
	repeats agreement.Ratings
}

// of collects the labels and the scores of a run for a criterion, for the items that
// have a label for it. run can be nil.
func (d *Dataset) of(criterion string, run *Run) *ratings {
	r := &ratings{raters: slices.DeleteFunc(d.Raters(), func(rater string) bool { return !d.labeled(rater, criterion) })}
	scores := run.scores(criterion)
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

func (d *Dataset) labeled(rater, criterion string) bool {
	return slices.ContainsFunc(d.Items, func(item Item) bool { return item.Labels[rater][criterion] != 0 })
}

func (d *Dataset) cannotTell(criterion string) int {
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

// scores returns the readable scores of a criterion by item, in the order of the repeats.
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
