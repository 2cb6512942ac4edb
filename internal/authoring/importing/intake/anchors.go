package intake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// anchored is what a draft has of the levels and examples of a criterion.
type anchored struct {
	texts    [5]string
	examples [3]string // for the scores 1, 3, and 5
	notes    []string
	placed   levels.Placed
}

// ladders are the levels of the criteria of a draft, with what the file says of their scale.
func (d *Draft) ladders() []levels.Ladder {
	ladders := make([]levels.Ladder, len(d.Criteria))
	for i, c := range d.Criteria {
		ladders[i] = levels.Ladder{
			Levels: c.Levels, Scale: c.Scale, Criterion: cmp.Or(c.Key, c.Description),
			Question: c.Description, Place: c.Place,
		}
		if points, ok := Quantity(c.Points); ok {
			ladders[i].Points = points
		}
		if !c.Scale.IsKnown {
			ladders[i].Scale = levels.InDescription(c.Description)
			ladders[i].Scale.Direction = cmp.Or(c.Scale.Direction, ladders[i].Scale.Direction)
		}
	}
	return ladders
}

// place makes anchors of the levels of all criteria of a draft. Finish calls agree once, then place for
// each draft, and then checkLevels, which refuses what place noted in stops.
func (r *Reader) place(d *Draft) []anchored {
	all := make([]anchored, len(d.Criteria))
	d.Scale.IsCertain = d.Reference != "" // an export of a library
	placement, err := levels.Place(d.ladders(), d.Scale, r.Levels)
	if err != nil {
		r.stops = append(r.stops, strings.TrimPrefix(d.Place+": ", ": ")+err.Error())
		for i, c := range d.Criteria {
			all[i].placed.Scores = make([]int, len(c.Levels))
		}
		return all
	}
	for _, remark := range placement.Derived {
		r.AddDerived(remark.Place, remark.Text)
	}
	for _, remark := range placement.Dropped {
		r.AddDropped(remark.Place, remark.Text)
	}
	for i, c := range d.Criteria {
		placed := placement.Ladders[i]
		all[i].placed = placed
		for j, l := range c.Levels {
			if score := placed.Scores[j]; score > 0 {
				all[i].texts[score-1] = l.Anchor()
			} else {
				all[i].notes = append(all[i].notes, fmt.Sprintf("Level %s in the imported file: %s", l.ScoreAndName(), l.Text))
			}
		}
		r.placeExamples(&all[i], c, placed)
	}
	return all
}

// agree measures how much the words of all drafts agree with the numbers of their levels.
func (r *Reader) agree() {
	for _, d := range r.Drafts {
		r.Levels.Whole += levels.Agreement(d.ladders(), d.Scale) / float64(len(r.Drafts))
	}
}

// checkLevels refuses drafts of which the best level is unknown, and levels of the options that
// no criterion has.
func (r *Reader) checkLevels() {
	const shown = 3
	for i, stop := range r.stops {
		if i == shown {
			r.Refuse("There are %d more rubrics like these.", len(r.stops)-shown)
			break
		}
		r.Refuse("%s", stop)
	}
	for _, a := range r.Levels.Scores {
		found := slices.ContainsFunc(r.Drafts, func(d Draft) bool {
			return slices.ContainsFunc(d.Criteria, func(c Criterion) bool { return slices.ContainsFunc(c.Levels, a.Matches) })
		})
		if !found {
			r.Refuse("--levels: the file has no level %s. Use the labels of the levels in the file.",
				schema.Quote(a.Level.ScoreAndName()))
		}
	}
}

// placeExamples sets the examples of the scores 1, 3, and 5.
func (r *Reader) placeExamples(a *anchored, c Criterion, placed levels.Placed) {
	for _, e := range c.Examples {
		score := e.Anchor
		if score == 0 {
			score = scoreOf(e.Level, c.Levels, placed)
		}
		at := slices.Index([]int{1, 3, 5}, score)
		if e.Text == "" || at < 0 || a.examples[at] != "" {
			r.AddDropped(c.Place, "An example is dropped: it needs a text, and the score of the lowest, the middle, or the highest level.")
			continue
		}
		a.examples[at] = e.Text
	}
}

// scoreOf is the score of the level that a label names, or of its place among levels that have no
// anchor. It is 0 for another one.
func scoreOf(label string, all []levels.Level, placed levels.Placed) int {
	named := levels.Label(label)
	i := slices.IndexFunc(all, func(l levels.Level) bool {
		return l.Low == named.Low || l.IsNamed() && l.Name == named.Name
	})
	if i < 0 {
		return 0
	}
	if placed.Scores[i] > 0 {
		return placed.Scores[i]
	}
	switch rank, last := slices.Index(placed.Order, i), len(placed.Order)-1; {
	case rank == 0:
		return 1
	case rank == last:
		return 5
	case 2*rank == last:
		return 3
	}
	return 0
}
