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

// equalTexts counts the items that are left out because of their text.
func (a *asked) equalTexts() int { return len(a.test) - len(a.distinct.Items) }

// of is what counts for a run, or for the labels alone if run is nil.
func (meter *Meter) of(run *calibration.Run) *ofRun {
	if known := meter.runs[run]; known != nil {
		return known
	}
	a := meter.asked(run)
	found, renamed := copies(a.hands, a.recorded, run)
	of := &ofRun{a.counts(renamed), found, scoresOf(run)}
	meter.runs[run] = of
	return of
}

func (meter *Meter) asked(run *calibration.Run) *asked {
	if run != nil && run.Items == 0 {
		run = nil // an earlier program did not record what was labeled
	}
	for _, known := range meter.allAsked {
		if known.run == run || run != nil && known.run != nil && run.AskedLike(known.run) {
			return known
		}
	}
	then := meter.dataset.AsOf(run)
	only := *then.Test()
	a := &asked{run: run, then: then, digest: then.LabelsDigest(), test: only.Items, distinct: &only}
	only.Items = distinct(only.Items, meter.texts)
	a.hands, a.recorded = handsOf(&only, meter.firsts), answersOf(&only)
	meter.allAsked = append(meter.allAsked, a)
	return a
}

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
