package printer

import (
	"cmp"
	"html/template"
	"slices"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/render"
)

// timeline is the lowest correlation of recorded runs over time. The template "timeline"
// draws it.
type timeline struct {
	ID     string
	Ticks  []float64
	Points []*timelinePoint
	Ends   []*timelinePoint // the first, and the last if it has another date
	y      render.Scale
}

type timelinePoint struct {
	*calibration.Record
	X, Y   string
	Before *timelinePoint // of the same judge
	// NewVersion is the version of the rubric if it is another than before.
	NewVersion string
	day        float64 // in seconds
}

// Height is where a correlation is.
func (t *timeline) Height(correlation float64) string { return t.y.At(correlation) }

// Timeline draws the lowest correlation of recorded runs over time, with the version of the
// rubric where it changes. It is "" if no run has a correlation. id is the prefix of every
// id in it.
func Timeline(id string, records []calibration.Record) (template.HTML, error) {
	t := timeline{ID: id, Ticks: []float64{0, 0.5, 1}, y: render.Scale{High: 1, From: 130, To: 30}}
	for i := range records {
		day, err := time.Parse(time.DateOnly, records[i].Date)
		if err == nil && records[i].Minimum.Defined() {
			t.Points = append(t.Points, &timelinePoint{Record: &records[i], day: float64(day.Unix())})
			t.y.Low = min(t.y.Low, records[i].Minimum.Number)
		}
	}
	if len(t.Points) == 0 {
		return "", nil
	}
	slices.SortStableFunc(t.Points, func(a, b *timelinePoint) int { return cmp.Compare(a.day, b.day) })
	first, last := t.Points[0], t.Points[len(t.Points)-1]
	if t.Ends = []*timelinePoint{first}; last.Date != first.Date {
		t.Ends = append(t.Ends, last)
	}
	x := render.Scale{Low: first.day, High: max(last.day, first.day+1), From: 8, To: 92, Unit: "%"}
	before, version := map[string]*timelinePoint{}, "" // by judge
	for _, p := range t.Points {
		p.X, p.Y, p.Before = x.At(p.day), t.y.At(p.Minimum.Number), before[p.Judge.Name]
		if before[p.Judge.Name] = p; p.Rubric.Version != version {
			version, p.NewVersion = p.Rubric.Version, p.Rubric.Version
		}
	}
	return filled("timeline", &t)
}
