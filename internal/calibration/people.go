package calibration

import (
	"fmt"
	"math"
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
