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

// timeline is the correlation of a judge's recorded runs on a criterion over time. The template
// "timeline" draws it.
type timeline struct {
	ID, Criterion, Judge string
	Ticks                []float64
	Target               float64 // of the newest run
	Points               []*timelinePoint
	Ends                 []*timelinePoint // the first, and the last if it has another date
	y                    render.Scale
}

type timelinePoint struct {
	*calibration.Record
	Of        *calibration.RecordedCriterion
	X, Y      string
	Low, High string         // of the interval, "" if there is none
	Before    *timelinePoint // nil for the first
	// NewVersion is the version of the rubric if it is another than before.
	NewVersion string
	day        float64 // in seconds
}

// Interval is the correlation with its interval.
func (p *timelinePoint) Interval() string { return interval(&p.Of.Spearman) }

// Height is where a correlation is.
func (t *timeline) Height(correlation float64) string { return t.y.At(correlation) }

// Timeline draws the correlations of recorded runs over time: for each criterion and judge a
// picture with its intervals and the target, and a table of all numbers. It is "" if no run has
// a correlation. id is the prefix of every id in it.
func Timeline(id string, records []calibration.Record) (template.HTML, error) {
	var all []*timeline
	var criteria []string
	for i := range records {
		r := &records[i]
		for j := range r.Criteria {
			of := &r.Criteria[j]
			day, err := time.Parse(time.DateOnly, r.Date)
			if err != nil || !of.Spearman.Defined() {
				continue
			}
			at := slices.IndexFunc(all, func(t *timeline) bool { return t.Criterion == of.Name && t.Judge == r.Judge.Name })
			if at < 0 {
				at = len(all)
				criteria = append(criteria, of.Name)
				all = append(all, &timeline{ID: fmt.Sprintf("%s-%d", id, at+1), Criterion: of.Name, Judge: r.Judge.Name, Ticks: []float64{0, 0.5, 1}})
			}
			all[at].Points = append(all[at].Points, &timelinePoint{Record: r, Of: of, day: float64(day.Unix())})
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	slices.SortStableFunc(all, func(a, b *timeline) int { // the judges of a criterion side by side
		return cmp.Compare(slices.Index(criteria, a.Criterion), slices.Index(criteria, b.Criterion))
	})
	for _, t := range all {
		t.place()
	}
	return filled("timelines", all)
}

// place sets where the points are.
func (t *timeline) place() {
	slices.SortStableFunc(t.Points, func(a, b *timelinePoint) int { return cmp.Compare(a.day, b.day) })
	first, last := t.Points[0], t.Points[len(t.Points)-1]
	t.Target = last.Settings.Target
	if t.Ends = []*timelinePoint{first}; last.Date != first.Date {
		t.Ends = append(t.Ends, last)
	}
	x := render.Scale{Low: first.day, High: max(last.day, first.day+1), From: 8, To: 92, Unit: "%"}
	t.y = render.Scale{High: 1, From: 130, To: 30}
	for _, p := range t.Points {
		t.y.Low = min(t.y.Low, p.Of.Spearman.Number)
		if p.Of.Spearman.Interval.Defined() {
			t.y.Low = min(t.y.Low, p.Of.Spearman.Interval.Low)
		}
	}
	var before *timelinePoint
	for _, p := range t.Points {
		p.X, p.Y, p.Before = x.At(p.day), t.y.At(p.Of.Spearman.Number), before
		if between := p.Of.Spearman.Interval; between.Defined() {
			p.Low, p.High = t.y.At(between.Low), t.y.At(between.High)
		}
		if before == nil || before.Rubric.Version != p.Rubric.Version {
			p.NewVersion = p.Rubric.Version
		}
		before = p
	}
}
