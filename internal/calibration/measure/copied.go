package measure

import (
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// Copied says which labels are not a person's own. It names no rater, because statistics are
// public.
type Copied struct {
	// Rater reports whether two raters gave the same labels to all items that both labeled.
	Rater bool
	// Judge and Run name the answers that one rater's labels are, "" if there are none, and
	// Share is how many of the labels are equal.
	Judge, Run string
	Share      float64
}

// PairedItems is how many test items the same two raters must both label. Fewer labels in
// common also say nothing about whether one was copied from the other.
const PairedItems = 30

// copiedShare is the share of equal labels from which a rater is a judge.
const copiedShare = 0.95

func copied(d *calibration.Dataset) Copied {
	var raters [][]float64
	for _, rater := range d.Raters() {
		labels := column(d, func(criterion string, item *calibration.Item) float64 { return item.Labels[rater][criterion] })
		for _, other := range raters {
			if repeats(labels, other) == 1 {
				return Copied{Rater: true}
			}
		}
		raters = append(raters, labels)
	}
	for i := range d.Judges {
		for _, run := range d.Judges[i].Runs() {
			scores := map[string]map[string][]float64{}
			for _, c := range d.Criteria {
				scores[c.Name] = scoresOf(&run, c.Name)
			}
			answers := column(d, func(criterion string, item *calibration.Item) float64 {
				return agreement.Mean(scores[criterion][item.ID])
			})
			for _, labels := range raters {
				if share := repeats(labels, answers); share >= copiedShare {
					return Copied{Judge: run.Judge, Run: run.Name, Share: share}
				}
			}
		}
	}
	return Copied{}
}

// column has a value for each criterion and item.
func column(d *calibration.Dataset, of func(criterion string, item *calibration.Item) float64) (column []float64) {
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
	if all < PairedItems {
		return 0
	}
	return float64(same) / float64(all)
}
