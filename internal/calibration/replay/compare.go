package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

type side struct {
	*calibration.Subject
	criteria  map[string]*rubric.Criterion
	negatives map[string]*rubric.NegativeCriterion
	hits      []map[string]hit // by item and negative criterion
}

// hit is where a pattern hits an artifact first.
type hit struct {
	rubric.Hit
	artifact string
}

func (h hit) String() string {
	text := []rune(rubric.Normalize(h.artifact))
	line := 1 + strings.Count(string(text[:h.Start]), "\n")
	return fmt.Sprintf("%s in line %d", schema.Quote(string(text[h.Start:h.End])), line)
}

// newSide searches the items. name is the name of the side in messages.
func newSide(name string, of *calibration.Subject, items []calibration.Item) (*side, error) {
	r := of.Rubric
	m, err := r.Matcher()
	if err != nil {
		return nil, fmt.Errorf("in the %s the %w", name, err)
	}
	s := &side{
		of, map[string]*rubric.Criterion{}, map[string]*rubric.NegativeCriterion{},
		make([]map[string]hit, len(items)),
	}
	for i := range r.Criteria {
		s.criteria[r.Criteria[i].Name] = &r.Criteria[i]
	}
	for i := range r.NegativeCriteria {
		s.negatives[r.NegativeCriteria[i].Name] = &r.NegativeCriteria[i]
	}
	for i, item := range items {
		hits, err := m.Hits(item.Artifact)
		if err != nil {
			return nil, fmt.Errorf("item %s: %w", item.ID, err)
		}
		s.hits[i] = map[string]hit{}
		for _, h := range hits {
			if first, ok := s.hits[i][h.Name]; !ok || h.Start < first.Start {
				s.hits[i][h.Name] = hit{h, item.Artifact}
			}
		}
	}
	return s, nil
}

// verdict scores an item. known is false if a score is missing.
func (s *side) verdict(item int, scores map[string]float64) (v rubric.Verdict, known bool) {
	asked := maps.Clone(scores)
	maps.DeleteFunc(asked, func(name string, _ float64) bool { return s.criteria[name] == nil })
	v, err := s.Rubric.Verdict(asked, slices.Collect(maps.Keys(s.hits[item])))
	return v, err == nil
}

// outcome reports whether a part of the rubric lets an item pass. known is false if the side
// or the scores do not have the criterion.
func (s *side) outcome(o *Outcome, item int, scores map[string]float64) (passes, known bool) {
	if o.Kind == NegativeCriterion {
		_, hit := s.hits[item][o.Name]
		return !hit || s.negatives[o.Name].Effect == rubric.EffectReport, true
	}
	c, score := s.criteria[o.Name], scores[o.Name]
	return c != nil && reaches(score, s.Rubric.Minimum(c)), c != nil && score > 0
}

// reaches compares like pkg/rubric.
func reaches(score, minimum float64) bool { return score >= minimum-rubric.Tolerance }

type comparison struct{ base, head *side }

// replay adds the effects of the change on the scores of items to a recording.
func (c *comparison) replay(rec *Recording, items []calibration.Item, r recorded) {
	rec.Unscored = c.head.Names(func(name string) bool { return !r.has(name) })
	rec.Lost = c.base.Names(func(name string) bool { return c.head.criteria[name] == nil && !r.has(name) })
	var passing []Flip
	rec.Criteria = c.outcomes()
	for i := range items {
		scores := r.meansOf(items[i].ID)
		if len(scores) == 0 {
			continue
		}
		rec.Items++
		was, before := c.base.verdict(i, scores)
		is, after := c.head.verdict(i, scores)
		if before && after {
			rec.Replayed++
		}
		switch {
		case !before || !after || was.Passed == is.Passed:
			for j := range rec.Criteria {
				c.count(&rec.Criteria[j], i, scores)
			}
		case is.Passed:
			passing = append(passing, Flip{items[i].ID, ToPass, c.reasons(&was, &is, i)})
		default:
			rec.Flips = append(rec.Flips, Flip{items[i].ID, ToFail, c.reasons(&was, &is, i)})
		}
	}
	rec.Flips = append(rec.Flips, passing...)
	rec.Criteria = slices.DeleteFunc(rec.Criteria, func(o Outcome) bool { return o.ToFail+o.ToPass == 0 })
}

// outcomes returns the outcomes to count: the criteria of the head, its negative
// criteria, and the negative criteria that only the base has.
func (c *comparison) outcomes() []Outcome {
	var list []Outcome
	for i := range c.head.Rubric.Criteria {
		list = append(list, Outcome{Kind: Criterion, Name: c.head.Rubric.Criteria[i].Name})
	}
	own := len(c.head.Rubric.NegativeCriteria)
	for i, n := range slices.Concat(c.head.Rubric.NegativeCriteria, c.base.Rubric.NegativeCriteria) {
		if i < own || c.head.negatives[n.Name] == nil {
			list = append(list, Outcome{Kind: NegativeCriterion, Name: n.Name})
		}
	}
	return list
}

func (c *comparison) count(o *Outcome, item int, scores map[string]float64) {
	before, inBase := c.base.outcome(o, item, scores)
	after, inHead := c.head.outcome(o, item, scores)
	switch {
	case !inBase || !inHead || before == after:
	case before:
		o.ToFail++
	default:
		o.ToPass++
	}
}
