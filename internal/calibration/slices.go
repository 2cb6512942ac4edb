package calibration

import (
	"cmp"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// Slice is the agreement on the items with a tag. Slices show where judge and people
// disagree; they never decide whether the judge is calibrated.
type Slice struct {
	Tag string `json:"tag"`
	// Items counts the items with a label and a score on any criterion.
	Items int `json:"items"`
	// Verdict is the share of the items on which judge and people agree whether they
	// pass, of those that have every label and score, with its Wilson interval.
	Verdict agreement.Estimate `json:"verdict_agreement"`
	// Criteria are in the rubric's order.
	Criteria []SliceCriterion `json:"criteria"`
}

// SliceCriterion is the mean of judge less people on a criterion. A correlation would
// mislead: it falls where items are alike, however well the judge scores them.
type SliceCriterion struct {
	Name  string             `json:"name"`
	Items int                `json:"items"`
	Bias  agreement.Estimate `json:"bias"`
}

// TooFew reports whether nothing could be computed.
func (s *Slice) TooFew() bool {
	return !s.Verdict.Defined() && !slices.ContainsFunc(s.Criteria, func(c SliceCriterion) bool { return c.Bias.Defined() })
}

// sliced are the scores, labels, and verdicts of the items with a tag.
type sliced struct {
	items         map[string]bool
	judge, people [][]float64 // by criterion
	verdicts      agreement.Share
}

func (r *Report) slice(d *Dataset, o Options) []Slice {
	all := map[string]*sliced{}
	for i := range d.Items {
		for _, tag := range d.Items[i].Tags {
			all[tag] = &sliced{items: map[string]bool{}, judge: make([][]float64, len(r.Criteria)), people: make([][]float64, len(r.Criteria))}
		}
	}
	each := func(items []*Item, add func(s *sliced, i int)) {
		for i, item := range items {
			for j, tag := range item.Tags {
				if !slices.Contains(item.Tags[:j], tag) { // a repeated tag counts once
					add(all[tag], i)
				}
			}
		}
	}
	for c := range r.Criteria {
		p := r.Criteria[c].pairs
		each(p.items, func(s *sliced, i int) {
			s.items[p.items[i].ID] = true
			s.judge[c], s.people[c] = append(s.judge[c], p.judge[i]), append(s.people[c], p.people[i])
		})
	}
	each(r.verdicts.items, func(s *sliced, i int) {
		s.verdicts.Whole++
		if r.verdicts.judge[i] == r.verdicts.people[i] {
			s.verdicts.Part++
		}
	})
	var out []Slice
	for _, tag := range slices.Sorted(maps.Keys(all)) {
		out = append(out, r.newSlice(tag, all[tag], o.MinimumItems))
	}
	slices.SortStableFunc(out, func(a, b Slice) int { return cmp.Compare(a.order(), b.order()) })
	return out
}

func (r *Report) newSlice(tag string, of *sliced, minimum int) Slice {
	s := Slice{Tag: tag, Items: len(of.items), Verdict: agreement.Value{}.AtLeast(of.verdicts.Whole, minimum).NoEstimate()}
	if of.verdicts.Whole >= minimum {
		s.Verdict = of.verdicts.Estimate()
	}
	for c := range r.Criteria {
		one := SliceCriterion{r.Criteria[c].Name, len(of.judge[c]), agreement.Value{}.AtLeast(len(of.judge[c]), minimum).NoEstimate()}
		if one.Items >= minimum {
			one.Bias = agreement.BiasEstimate(of.judge[c], of.people[c])
		}
		s.Criteria = append(s.Criteria, one)
	}
	return s
}

// order sorts by the agreement of the verdicts, those without one last.
func (s *Slice) order() float64 {
	switch {
	case s.Verdict.Defined():
		return s.Verdict.Number
	case s.TooFew():
		return 3
	}
	return 2
}

// lengths computes whether the judge scores longer texts differently from people.
func (r *Report) lengths(o Options) {
	for i := range r.Criteria {
		c := &r.Criteria[i]
		e := agreement.Value{}.AtLeast(c.Items, o.MinimumItems).NoEstimate()
		if c.Items >= o.MinimumItems {
			characters := make([]float64, c.Items)
			for j, item := range c.pairs.items {
				characters[j] = float64(utf8.RuneCountInString(item.Artifact))
			}
			e = agreement.LengthEffect(c.pairs.judge, c.pairs.people, characters, o.Seed, Resamples)
		}
		c.Length = &e
	}
}
