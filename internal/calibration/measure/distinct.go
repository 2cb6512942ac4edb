package measure

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// texts are the keys of the texts of items by ID, which take long to compute.
type texts map[string]string

func (t texts) keyOf(item *calibration.Item) string {
	if t[item.ID] == "" {
		t[item.ID] = item.SameKey()
	}
	return t[item.ID]
}

// distinct has, of items with the same text, the first with a label.
func distinct(items []calibration.Item, known texts) []calibration.Item {
	place := map[string]int{}
	var list []calibration.Item
	for i := range items {
		key := known.keyOf(&items[i])
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
	maps.DeleteFunc(item.CannotTell, func(rater string, _ []string) bool {
		_, isRenamed := renamed[rater]
		return isRenamed
	})
	return item
}
