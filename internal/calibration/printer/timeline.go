package printer

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/render"
)

// Timeline draws the lowest correlation of recorded runs over time, with the version of the
// rubric where it changes. It is "" if no run has a correlation. id is the prefix of every
// id in it.
func Timeline(id string, records []calibration.Record) template.HTML {
	type point struct {
		*calibration.Record
		day float64 // in seconds
	}
	var points []point
	description, low := "The lowest Spearman correlation of the criteria in each run.", 0.0
	for i := range records {
		day, err := time.Parse(time.DateOnly, records[i].Date)
		if err == nil && records[i].Minimum.Defined() {
			points = append(points, point{&records[i], float64(day.Unix())})
		}
	}
	if len(points) == 0 {
		return ""
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.day, b.day) })
	for _, p := range points {
		low = min(low, p.Minimum.Number)
		description += fmt.Sprintf(" %s on %s, version %s: %s.", p.Judge.Name, p.Date, p.Rubric.Version, value(p.Minimum))
	}
	first, last := points[0], points[len(points)-1]
	x := render.Scale{Low: first.day, High: max(last.day, first.day+1), From: 8, To: 92, Unit: "%"}
	y := render.Scale{Low: low, High: 1, From: 130, To: 30}
	d := render.NewDrawing(id, "Agreement over time", description, "class", "stretch", "width", "100%", "height", "156")
	for _, tick := range []float64{0, 0.5, 1} {
		d.Line("grid", "0", y.At(tick), "100%", y.At(tick))
		d.Text("tick", "0", render.Coordinate(y.Raw(tick)-4), axisNumber(tick))
	}
	before := map[string]point{} // by judge
	version := ""
	for _, p := range points {
		if b, ok := before[p.Judge.Name]; ok {
			d.Line("whisker", x.At(b.day), y.At(b.Minimum.Number), x.At(p.day), y.At(p.Minimum.Number))
		}
		if before[p.Judge.Name] = p; p.Rubric.Version != version {
			version = p.Rubric.Version
			d.Text("tick middle", x.At(p.day), "14", version)
		}
	}
	for _, p := range points {
		d.Dot("point "+string(p.Outcome), x.At(p.day), y.At(p.Minimum.Number), "5.5")
	}
	d.Text("tick middle", x.At(first.day), "150", first.Date)
	if last.Date != first.Date {
		d.Text("tick middle", x.At(last.day), "150", last.Date)
	}
	return d.HTML()
}
