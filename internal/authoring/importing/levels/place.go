package levels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// positions are the anchors of the levels of other scales, by their number. For other numbers,
// any choice would change what a level means.
var positions = map[int][]int{2: {1, 5}, 3: {1, 3, 5}, 5: {1, 2, 3, 4, 5}}

// Place maps the levels of all criteria of a document to anchors. It stops if the file does not
// say which end of the scale is best.
func Place(ladders []Ladder, d Declared, o Options) (Placement, error) {
	p := Placement{}
	for _, l := range ladders {
		p.Ladders = append(p.Ladders, p.place(l, d))
	}
	return p, nil
}

// place maps one ladder. Levels of a scale from 1 to 5 keep their scores. Those of another scale
// are mapped in order, if their number and texts allow that.
func (p *Placement) place(ladder Ladder, d Declared) Placed {
	placed := Placed{Scores: make([]int, len(ladder.Levels))}
	for i, l := range ladder.Levels {
		if placed.Order = append(placed.Order, i); l.IsNamed() {
			p.Dropped = append(p.Dropped, Remark{ladder.Place, "A level without a number is only in a comment."})
		}
	}
	placed.Order = slices.DeleteFunc(placed.Order, func(i int) bool { return ladder.Levels[i].IsNamed() })
	slices.SortStableFunc(placed.Order, func(a, b int) int { return cmp.Compare(ladder.Levels[a].Low, ladder.Levels[b].Low) })
	sorted := make([]Level, len(placed.Order))
	for i, at := range placed.Order {
		sorted[i] = ladder.Levels[at]
	}
	own := d.IsKnown && d.Low == 1 && d.High == 5 || isOwnScale(sorted)
	scores, why := positions[len(sorted)], ""
	if own {
		scores = nil
	} else if scores == nil {
		why = "only 2, 3, or 5 levels have an evident place on the scale from 1 to 5"
	}
	names := make([]string, len(sorted))
	for i, l := range sorted {
		names[i] = l.String()
		if !own && i > 0 && l.Low <= sorted[i-1].High {
			why = "the levels overlap"
		} else if scores != nil {
			if _, found := wording.Scale(wording.Read(l.Text), scores[i]); found {
				why = "a text names a score of the other scale"
			}
		}
	}
	for i, l := range sorted {
		at := l.Low
		if !own && why == "" {
			at = float64(scores[i])
		}
		if why == "" && (!own || l.Low == l.High) && slices.Contains([]float64{1, 2, 3, 4, 5}, at) && !slices.Contains(placed.Scores, int(at)) {
			placed.Scores[placed.Order[i]] = int(at)
			continue
		}
		p.Dropped = append(p.Dropped, Remark{ladder.Place, "Levels are only in comments: " + cmp.Or(why, "they have no score from 1 to 5 of their own") + "."})
	}
	if !own && why == "" && len(sorted) > 0 {
		p.Derived = append(p.Derived, Remark{ladder.Place, fmt.Sprintf("The levels %s became the anchors %s, in order.", schema.Or(names, "and"), strings.ReplaceAll(strings.Trim(fmt.Sprint(scores), "[]"), " ", ", "))})
	}
	return placed
}

// isOwnScale reports whether levels have scores from 1 to 5. Those of another scale rarely end
// at 5.
func isOwnScale(levels []Level) bool {
	return len(levels) > 0 && levels[len(levels)-1].High == 5 && !slices.ContainsFunc(levels, func(l Level) bool {
		return l.Low != l.High || l.Low != float64(int(l.Low)) || l.Low < 1
	})
}

// IsOwn reports whether the levels of a ladder are those from 1 to 5.
func (l Ladder) IsOwn() bool {
	sorted := slices.Clone(l.Levels)
	slices.SortFunc(sorted, func(a, b Level) int { return cmp.Compare(a.Low, b.Low) })
	return len(sorted) == 5 && isOwnScale(sorted)
}
