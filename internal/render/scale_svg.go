package render

import (
	"fmt"
	"html/template"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// scoreX maps scores to the middles of five columns of the same width.
var scoreX = scale{rubric.MinScore, rubric.MaxScore, 10, 90, "%"}

// Scale draws the scale of scores from 1 to 5 with the scores that pass from a
// minimum on. It is as wide as the page, and the scores stand over the middles of
// five columns. id is unique in the page; the minimum needs to be on the scale.
func Scale(id string, minimum float64) template.HTML {
	d := newDrawing(id, "Minimum "+number(minimum), fmt.Sprintf("The scale from 1 to 5. Scores from %s on reach the minimum.", number(minimum)),
		"class", "stretch scale", "width", "100%", "height", "46")
	d.line("track", scoreX.at(1), "12", scoreX.at(5), "12")
	d.line("reached", scoreX.at(minimum), "12", scoreX.at(5), "12")
	scoreTicks(d, "12", "38")
	d.shape("minimum", scoreX.at(minimum), "12", diamond)
	return d.html()
}

// scoreTicks draws a point for each whole score, and its number.
func scoreTicks(d *drawing, y, numbers string) {
	for score := 1.0; score <= 5; score++ {
		d.dot("level", scoreX.at(score), y, "3")
		d.text("tick middle", scoreX.at(score), numbers, number(score))
	}
}

// The measures of a picture of minimums in pixels.
const (
	minimumRow  = 48
	minimumFoot = 22
)

// minimumsPicture shows the minimums of the criteria that both versions of a
// rubric have and that moved. It is "" if none did.
func minimumsPicture(id string, before, after *rubric.Rubric) template.HTML {
	moved := movedMinimums(before, after)
	if len(moved) == 0 {
		return ""
	}
	description := "On the scale from 1 to 5."
	for _, m := range moved {
		description += fmt.Sprintf(" %s: from %s to %s.", m.name, number(m.before), number(m.after))
	}
	bottom := minimumRow * len(moved)
	d := newDrawing(id, "Minimums that moved", description, "class", "stretch scale", "width", "100%", "height", place(float64(bottom+minimumFoot)))
	for i, m := range moved {
		m.draw(d, float64(minimumRow*i))
	}
	for score := 1.0; score <= 5; score++ {
		d.text("tick middle", scoreX.at(score), place(float64(bottom+14)), number(score))
	}
	return d.html()
}

// movedMinimum is a criterion whose minimum moved.
type movedMinimum struct {
	name          string
	before, after float64
}

// movedMinimums are in the order that the rubric has after the change.
func movedMinimums(before, after *rubric.Rubric) []movedMinimum {
	old := map[string]float64{}
	for i := range before.Criteria {
		old[before.Criteria[i].Name] = before.Minimum(&before.Criteria[i])
	}
	var moved []movedMinimum
	for i := range after.Criteria {
		name, now := after.Criteria[i].Name, after.Minimum(&after.Criteria[i])
		if then, both := old[name]; both && then != now {
			moved = append(moved, movedMinimum{name, then, now})
		}
	}
	return moved
}

func (m *movedMinimum) draw(d *drawing, top float64) {
	d.shortText("name", "0", place(top+16), m.name, nameColumns)
	d.text("number end", "100%", place(top+16), number(m.before)+" → "+number(m.after))
	y := place(top + 33)
	d.line("track", scoreX.at(1), y, scoreX.at(5), y)
	class := "whisker not_met" // fewer scores reach it
	if m.after < m.before {
		class = "whisker met"
	}
	d.line(class, scoreX.at(m.before), y, scoreX.at(m.after), y)
	d.shape("ceiling", scoreX.at(m.before), y, diamond)
	d.shape("minimum", scoreX.at(m.after), y, diamond)
}
