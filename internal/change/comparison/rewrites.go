package comparison

import (
	"reflect"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// findRewrites compares the datasets at the merge bases with those of the head.
func (c *Comparison) findRewrites() error {
	if c.Head.Packed {
		return nil
	}
	for _, base := range c.Bases {
		names, err := base.Datasets()
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := c.findRewritesOf(base, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// findRewritesOf compares a dataset at a merge base with that of the head.
func (c *Comparison) findRewritesOf(base *holdings.Library, name string) error {
	same, err := base.SameDataset(c.Head, name)
	if same || err != nil {
		return err
	}
	before, err := base.Dataset(name)
	if before == nil || err != nil { // lint reports what else has its name
		return err
	}
	tip, err := c.Tip.Dataset(name)
	if err != nil {
		return err
	}
	now, err := c.Head.Dataset(name)
	if err != nil {
		return err
	}
	gone := map[string]bool{}
	for _, id := range before.AppliesTo {
		if now != nil && slices.Contains(now.AppliesTo, id) {
			continue
		}
		rubric, err := c.Head.Find(id)
		if safefile.IsPointer(err) {
			continue // lint reports it
		}
		if err != nil {
			return err
		}
		gone[id] = rubric == nil || c.Ledger.Find(id) != nil
	}
	c.Rewrites = append(c.Rewrites, calibration.Rewrites(before, tip, now, gone)...)
	return nil
}

// measure compares what the evidence says with the first merge base, for people. What a
// bundle says of it was computed by other rules.
func (c *Comparison) measure() error {
	if !c.keep || len(c.Bases) == 0 || c.Bases[0].Packed != c.Head.Packed {
		return nil
	}
	base := c.Bases[0]
	names, err := base.Datasets()
	if err != nil {
		return err
	}
	now, err := c.Head.Datasets()
	if err != nil {
		return err
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(append(names, now...)))) {
		if err := c.measureDataset(base, name); err != nil {
			return err
		}
	}
	return nil
}

func (c *Comparison) measureDataset(base *holdings.Library, name string) error {
	same, err := base.SameDataset(c.Head, name)
	if same || err != nil {
		return err
	}
	one := report.NumbersChange{Dataset: name}
	if one.Before, err = base.Numbers(name); err != nil {
		return err
	}
	if one.After, err = c.Head.Numbers(name); err != nil {
		return err
	}
	if !reflect.DeepEqual(one.Before, one.After) {
		c.Measured = append(c.Measured, one)
	}
	return nil
}
