package measure

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// counted is a dataset as it counts in every statistic: one item of those with the same text, and
// one rater of those with the same labels, without raters whose labels are a judge's.
type counted struct {
	*calibration.Dataset
	// then is the whole dataset as the run answered it.
	then *calibration.Dataset
	// before are the items that they were chosen from, and firsts the first answers to them.
	before []calibration.Item
	firsts calibration.Firsts
	copies Copies
	// equalTexts counts the items that are left out because of their text.
	equalTexts int
	// digest identifies the items and labels that count.
	digest string
}

// texts are the keys of the texts of items by ID, which take long to compute.
type texts map[string]string

func (t texts) same(item *calibration.Item) string {
	if t[item.ID] == "" {
		t[item.ID] = item.Same()
	}
	return t[item.ID]
}

// countedOf is the test items of a dataset as of a run.
func countedOf(d *calibration.Dataset, run *calibration.Run, known texts) *counted {
	then := d.AsOf(run)
	only := *then.Test()
	c := &counted{Dataset: &only, then: then, before: only.Items, firsts: d.FirstAnswers()}
	only.Items = distinct(only.Items, known)
	c.equalTexts = len(c.before) - len(only.Items)
	var renamed map[string]string
	if c.copies, renamed = copies(&only, c.firsts, run); len(renamed) > 0 {
		only.Items = slices.Clone(only.Items)
		for i := range only.Items {
			only.Items[i] = rename(only.Items[i], renamed)
		}
	}
	c.digest = only.LabelsDigest()
	return c
}

// distinct has, of items with the same text, the first with a label.
func distinct(items []calibration.Item, known texts) []calibration.Item {
	place := map[string]int{}
	var list []calibration.Item
	for i := range items {
		key := known.same(&items[i])
		at, again := place[key]
		switch {
		case !again:
			place[key] = len(list)
			list = append(list, items[i])
		case len(list[at].Labels) == 0:
			list[at] = items[i]
		}
	}
	return list
}

// rename gives the labels of raters to those with whom they count as one, whose own labels count
// where both labeled.
func rename(item calibration.Item, renamed map[string]string) calibration.Item {
	raters := slices.Sorted(maps.Keys(item.Labels))
	slices.SortStableFunc(raters, func(a, b string) int {
		return cmp.Compare(len(renamed[a]), len(renamed[b])) // those that are not renamed first
	})
	labels := map[string]map[string]float64{}
	for _, rater := range raters {
		one, isRenamed := renamed[rater]
		switch {
		case !isRenamed:
			one = rater
		case one == "":
			continue
		}
		if labels[one] == nil {
			labels[one] = map[string]float64{}
		}
		for criterion, label := range item.Labels[rater] {
			labels[one][criterion] = cmp.Or(labels[one][criterion], label)
		}
	}
	item.Labels, item.CannotTell = labels, maps.Clone(item.CannotTell)
	maps.DeleteFunc(item.CannotTell, func(rater string, _ []string) bool { _, isRenamed := renamed[rater]; return isRenamed })
	return item
}
