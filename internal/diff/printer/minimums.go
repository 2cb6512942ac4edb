package printer

import (
	"fmt"
	"html/template"

	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// The sizes in a picture of minimums, in pixels.
const (
	minimumRow  = 48
	minimumFoot = 22
)

// minimumsPicture shows the minimums that differ between two versions of a rubric, or
// is "" if none do.
func minimumsPicture(id string, before, after *rubric.Rubric) template.HTML {
	moved := movedMinimums(before, after)
	if len(moved) == 0 {
		return ""
	}
	description := "On the scale from 1 to 5."
	for _, m := range moved {
		description += fmt.Sprintf(" %s: from %s to %s.", m.name, render.Number(m.before), render.Number(m.after))
	}
	bottom := minimumRow * len(moved)
	d := render.NewDrawing(id, "Changed minimums", description, "class", "stretch scale", "width", "100%", "height", render.Coordinate(float64(bottom+minimumFoot)))
	for i, m := range moved {
		m.draw(d, float64(minimumRow*i))
	}
	for score := 1.0; score <= 5; score++ {
		d.Text("tick middle", render.Scores.At(score), render.Coordinate(float64(bottom+14)), render.Number(score))
	}
	return d.HTML()
}

// movedMinimum is a criterion whose minimum changed.
type movedMinimum struct {
	name          string
	before, after float64
}

// movedMinimums are in the order of the rubric after the change.
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

func (m *movedMinimum) draw(d *render.Drawing, top float64) {
	d.ShortText("name", "0", render.Coordinate(top+16), m.name, render.NameColumns)
	d.Text("number end", "100%", render.Coordinate(top+16), render.Number(m.before)+" → "+render.Number(m.after))
	y := render.Coordinate(top + 33)
	d.Line("track", render.Scores.At(1), y, render.Scores.At(5), y)
	class := "whisker not_met" // fewer scores reach it
	if m.after < m.before {
		class = "whisker met"
	}
	d.Line(class, render.Scores.At(m.before), y, render.Scores.At(m.after), y)
	d.Shape("ceiling", render.Scores.At(m.before), y, render.Diamond)
	d.Shape("minimum", render.Scores.At(m.after), y, render.Diamond)
}
