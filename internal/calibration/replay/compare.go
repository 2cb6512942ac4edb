package replay

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Of replays the recorded scores of a dataset that joins the head. For each judge, it
// uses the newest run for the wording of the head, or else of the base, or else of any
// wording. It returns an error if a side can't be applied or an item can't be searched.
func Of(base, head *calibration.Subject, d *calibration.Dataset) (*Rubric, error) {
	c, err := newComparison(base.Rubric, head.Rubric, d.Items)
	if err != nil {
		return nil, err
	}
	out := &Rubric{ID: head.Rubric.ID, Dataset: d.Name, Reworded: reworded(base, head)}
	for i := range d.Judges {
		j := &d.Judges[i]
		if run := j.Newest(head.Digest, base.Digest); run != nil {
			rec := Recording{Source: Judge, Name: j.Name, Run: run.Name, Model: run.Model, Indication: oldWords(run, base, head)}
			if err := c.replay(&rec, answered(run)); err != nil {
				return nil, err
			}
			out.Recordings = append(out.Recordings, rec)
		}
	}
	if labels := labeled(d); len(labels) > 0 {
		rec := Recording{Source: Labels, Name: string(d.LabeledBy), Indication: staleLabels(d, labels, head)}
		if err := c.replay(&rec, labels); err != nil {
			return nil, err
		}
		out.Recordings = append(out.Recordings, rec)
	}
	if len(out.Recordings) == 0 {
		out.Missing = fmt.Sprintf("%s/%s has no recorded scores yet", calibration.Root, d.Name)
	}
	return out, nil
}

// comparison has both sides of a change and the hits of their patterns.
type comparison struct {
	base, head *rubric.Rubric
	items      []calibration.Item
	hits       []hits // by item
}

// hits are the first hits of each side's patterns in an item, by negative criterion.
type hits struct{ base, head map[string]place }

func newComparison(base, head *rubric.Rubric, items []calibration.Item) (*comparison, error) {
	before, err := base.Matcher()
	if err != nil {
		return nil, inBase(err)
	}
	after, err := head.Matcher()
	if err != nil {
		return nil, inHead(err)
	}
	c := &comparison{base: base, head: head, items: items, hits: make([]hits, len(items))}
	for i := range items {
		if c.hits[i].base, err = places(before, &items[i]); err != nil {
			return nil, err
		}
		if c.hits[i].head, err = places(after, &items[i]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func inBase(err error) error { return fmt.Errorf("in the base the %w", err) }

func inHead(err error) error { return fmt.Errorf("in the head the %w", err) }

func (c *comparison) replay(rec *Recording, r recorded) error {
	rec.Unscored, rec.Lost = c.unscored(r)
	var passing []Flip
	counts := c.outcomes()
	for i := range c.items {
		scores := r[c.items[i].ID]
		if len(scores) == 0 {
			continue
		}
		rec.Items++
		flip, known, err := c.verdicts(scores, &c.hits[i])
		if err != nil {
			return err
		}
		if known {
			rec.Replayed++
		}
		if flip == nil {
			for j := range counts {
				c.count(&counts[j], scores, &c.hits[i])
			}
			continue
		}
		flip.Item = c.items[i].ID
		if flip.Passes {
			passing = append(passing, *flip)
		} else {
			rec.Flips = append(rec.Flips, *flip)
		}
	}
	rec.Flips = append(rec.Flips, passing...)
	for _, o := range counts {
		if o.ToFail+o.ToPass > 0 {
			rec.Criteria = append(rec.Criteria, o)
		}
	}
	return nil
}

// unscored returns the criteria without any score: those of the head, and those that only
// the base has.
func (c *comparison) unscored(r recorded) (head, base []string) {
	for _, criterion := range c.head.Criteria {
		if !r.has(criterion.Name) {
			head = append(head, criterion.Name)
		}
	}
	for _, criterion := range c.base.Criteria {
		if find(c.head, criterion.Name) == nil && !r.has(criterion.Name) {
			base = append(base, criterion.Name)
		}
	}
	return head, base
}

// verdicts scores an item on both sides. The flip is nil if the verdict is the same, or
// unknown on a side because a score is missing.
func (c *comparison) verdicts(scores map[string]float64, h *hits) (flip *Flip, known bool, err error) {
	before, after := needed(c.base, scores), needed(c.head, scores)
	if before == nil || after == nil {
		return nil, false, nil
	}
	was, err := c.base.Verdict(before, names(h.base))
	if err != nil {
		return nil, false, inBase(err)
	}
	is, err := c.head.Verdict(after, names(h.head))
	if err != nil {
		return nil, false, inHead(err)
	}
	if was.Passed == is.Passed {
		return nil, true, nil
	}
	e := explanation{c, &was, &is, h}
	return &Flip{Passes: is.Passed, Reasons: e.reasons()}, true, nil
}

// needed returns the scores that a side requires, or nil if one is missing.
func needed(r *rubric.Rubric, scores map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for i := range r.Criteria {
		score, ok := scores[r.Criteria[i].Name]
		if !ok {
			return nil
		}
		out[r.Criteria[i].Name] = score
	}
	return out
}

// outcomes returns the outcomes to count: the criteria of the head, its negative
// criteria, and the negative criteria that only the base has.
func (c *comparison) outcomes() []Outcome {
	var list []Outcome
	for i := range c.head.Criteria {
		list = append(list, Outcome{Kind: Criterion, Name: c.head.Criteria[i].Name})
	}
	for _, n := range c.head.NegativeCriteria {
		list = append(list, Outcome{Kind: NegativeCriterion, Name: n.Name})
	}
	for _, n := range c.base.NegativeCriteria {
		if findNegative(c.head, n.Name) == nil {
			list = append(list, Outcome{Kind: NegativeCriterion, Name: n.Name})
		}
	}
	return list
}

// count counts an item if the outcome of a criterion flips.
func (c *comparison) count(o *Outcome, scores map[string]float64, h *hits) {
	before, after := !fails(c.base, h.base, o.Name), !fails(c.head, h.head, o.Name)
	if o.Kind == Criterion {
		score, scored := scores[o.Name]
		was := find(c.base, o.Name)
		if was == nil || !scored {
			return
		}
		before, after = reaches(score, c.base.Minimum(was)), reaches(score, c.head.Minimum(find(c.head, o.Name)))
	}
	switch {
	case before && !after:
		o.ToFail++
	case after && !before:
		o.ToPass++
	}
}

// fails reports whether a hit of a negative criterion fails the rubric.
func fails(r *rubric.Rubric, hit map[string]place, name string) bool {
	_, is := hit[name]
	n := findNegative(r, name)
	return is && n != nil && n.Effect != rubric.EffectReport
}

// reaches compares like pkg/rubric.
func reaches(score, minimum float64) bool { return score >= minimum-rubric.Tolerance }

func find(r *rubric.Rubric, name string) *rubric.Criterion {
	for i := range r.Criteria {
		if r.Criteria[i].Name == name {
			return &r.Criteria[i]
		}
	}
	return nil
}

func findNegative(r *rubric.Rubric, name string) *rubric.NegativeCriterion {
	for i := range r.NegativeCriteria {
		if r.NegativeCriteria[i].Name == name {
			return &r.NegativeCriteria[i]
		}
	}
	return nil
}
