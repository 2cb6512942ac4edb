package measure

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// asked is a dataset as runs asked about it. Those that found the same labels share it, with all
// that follows from the labels alone.
type asked struct {
	run *calibration.Run // one of the runs, nil for the labels of today
	// then is the whole dataset, and digest identifies it.
	then   *calibration.Dataset
	digest string
	// test are its test items, and distinct the dataset with one of those with the same text.
	test     []calibration.Item
	distinct *calibration.Dataset
	hands    []*hand
	recorded []recorded
	counted  []*counted
}

// counted is a dataset as it counts in every statistic: one item of those with the same text, and
// one rater of those with the same labels, without raters whose labels are a judge's.
type counted struct {
	*calibration.Dataset
	asked   *asked
	renamed map[string]string

	raters     []string
	byCriteria map[string]*labels
	opinions   [][]agreement.Opinion // of people among themselves, nil before the first use
	passes     []passes              // by item: by the mean of the labels, nil before the first use
	similar    *int                  // texts, nil before the first use
}

// ofRun is what counts for a run, and what it answered.
type ofRun struct {
	*counted
	copies Copies
	scores map[string]byItem // by criterion
}

// passes is whether an item passes, if that is known.
type passes struct{ passed, known bool }

// equalTexts counts the items that are left out because of their text.
func (a *asked) equalTexts() int { return len(a.test) - len(a.distinct.Items) }

// counts is what counts if raters are renamed.
func (a *asked) counts(renamed map[string]string) *counted {
	for _, known := range a.counted {
		if maps.Equal(known.renamed, renamed) {
			return known
		}
	}
	c := &counted{Dataset: a.distinct, asked: a, renamed: renamed, byCriteria: map[string]*labels{}}
	if len(renamed) > 0 {
		only := *a.distinct
		only.Items = slices.Clone(only.Items)
		for i := range only.Items {
			only.Items[i] = rename(only.Items[i], renamed)
		}
		c.Dataset = &only
	}
	c.raters = c.Raters()
	a.counted = append(a.counted, c)
	return c
}

// labels are those of a criterion.
func (c *counted) labels(criterion string) *labels {
	if c.byCriteria[criterion] == nil {
		c.byCriteria[criterion] = labelsOf(c.Dataset, criterion)
	}
	return c.byCriteria[criterion]
}
