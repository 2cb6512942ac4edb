package printer

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/render"
)

// intervalChart shows a statistic of each criterion with its interval, one row for
// each criterion, on a common axis. The template "intervals" draws it.
type intervalChart struct {
	ID, Title, Description string
	render.Scale
	Ticks []float64
	// Mark is the number that the rows are compared with, and MarkName its name.
	Mark     float64
	MarkName string
	Rows     []intervalRow
}

type intervalRow struct {
	Name     string
	Shown    string // the number in words
	Estimate *agreement.Estimate
	Ceiling  agreement.Value     // what is attainable, drawn as a diamond if it is defined
	Outcome  calibration.Outcome // its color; "" for none
}

// Tone is the end of the names of classes.
func (r *intervalRow) Tone() string { return strings.TrimRight(" "+string(r.Outcome), " ") }

// The measures of an intervalChart in pixels.
const (
	chartHead = 26
	chartRow  = 48
)

// Top is the upper end of a row, and Below a distance below the last row.
func (c *intervalChart) Top(row int) int        { return chartHead + chartRow*row }
func (c *intervalChart) Below(distance int) int { return c.Top(len(c.Rows)) + distance }

// Anchor is the text anchor that keeps the name of the mark inside the picture.
func (c *intervalChart) Anchor() string {
	switch percent := c.Raw(c.Mark); {
	case percent < 20:
		return "start"
	case percent > 80:
		return "end"
	}
	return "middle"
}

// chartScale is an axis in a chart.
func chartScale(low, high float64) render.Scale {
	return render.Scale{Low: low, High: high, From: 3, To: 97, Unit: "%"}
}

// axisNumber formats a number at an axis, with a true minus sign.
func axisNumber(x float64) string {
	if x < 0 {
		return "−" + render.Number(-x)
	}
	return render.Number(x)
}

func agreementChart(id string, r *calibration.Report) *intervalChart {
	c := &intervalChart{
		ID: id, Title: "Agreement by criterion",
		Scale: chartScale(-0.2, 1), Ticks: []float64{-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1},
		Mark: r.Settings.Target, MarkName: "target " + render.Number(r.Settings.Target),
	}
	c.Description = fmt.Sprintf("Spearman correlation of judge and people with its interval, on an axis from −0.2 to 1. The target is %s.", render.Number(r.Settings.Target))
	for i := range r.Criteria {
		one := &r.Criteria[i]
		c.Rows = append(c.Rows, intervalRow{one.Name, outcomeMarks[one.Outcome] + " " + value(one.Spearman.Value), &one.Spearman, one.People.Attainable, one.Outcome})
		c.Description += fmt.Sprintf(" %s: %s, %s.", one.Name, interval(&one.Spearman), outcomeWords[one.Outcome])
	}
	return c
}

// outcomeMarks accompany words and numbers: color is never the only signal.
var outcomeMarks = map[calibration.Outcome]string{
	calibration.Met: "✓", calibration.LibraryLimits: "✓", calibration.NotMet: "✕", calibration.Undecided: "?",
}

func biasChart(id string, r *calibration.Report) *intervalChart {
	half := biasAxis(r.Criteria)
	c := &intervalChart{
		ID: id, Title: "Bias by criterion", Mark: 0, MarkName: "same as people",
		Scale: chartScale(-half, half), Ticks: []float64{-half, -half / 2, 0, half / 2, half},
	}
	c.Description = "Mean of the judge's score minus people's, in points, with its interval. Above 0, the judge scores higher."
	for i := range r.Criteria {
		one := &r.Criteria[i]
		c.Rows = append(c.Rows, intervalRow{one.Name, signedValue(one.Bias.Value), &one.Bias, noCeiling, ""})
		c.Description += fmt.Sprintf(" %s: %s.", one.Name, signedInterval(&one.Bias))
	}
	return c
}

var noCeiling = agreement.Value{Undefined: "a bias has no ceiling"}

// biasAxis is where an axis ends on both sides that is wide enough for all intervals.
func biasAxis(criteria []calibration.Criterion) float64 {
	end := 1.0
	for i := range criteria {
		b := &criteria[i].Bias
		if !b.Defined() {
			continue
		}
		widest := max(b.Number, -b.Number)
		if b.Interval.Defined() {
			widest = max(widest, b.Interval.High, -b.Interval.Low)
		}
		for end < min(widest, 4) { // no bias is larger
			end *= 2
		}
	}
	return end
}

func signedInterval(e *agreement.Estimate) string {
	text := signedValue(e.Value)
	if e.Defined() && e.Interval.Defined() {
		text += fmt.Sprintf(" (%s to %s)", signedValue(agreement.Value{Number: e.Interval.Low}), signedValue(agreement.Value{Number: e.Interval.High}))
	}
	return text
}

// counts is the picture of confusion counts. The judge's levels increase to the right,
// people's upward. The template "counts" draws it.
type counts struct {
	ID, Name, Text string
	// Cells have the number of items of each pair of levels, and Levels the levels on the
	// diagonal.
	Cells, Levels []countCell
}

// countCell is a number with the center of its cell, in pixels.
type countCell struct{ X, Y, Count, Shade int }

func confusionPicture(id string, c *calibration.Criterion) *counts {
	p := &counts{ID: id, Name: c.Name, Text: confusionText(c)}
	most := slices.Max(slices.Concat(c.Confusion...))
	for i, row := range c.Confusion {
		for j, n := range row {
			cell := countCell{58 + 40*j, 186 - 40*i, n, shade(n, most)}
			p.Cells = append(p.Cells, cell)
			if cell.Count = i + 1; i == j {
				p.Levels = append(p.Levels, cell)
			}
		}
	}
	return p
}

func confusionText(c *calibration.Criterion) string {
	same, all := 0, 0
	for i, row := range c.Confusion {
		for j, n := range row {
			all += n
			if i == j {
				same += n
			}
		}
	}
	return fmt.Sprintf("One row for each level of people and one column for each level of the judge, from 1 to 5. %d of %s are on the diagonal, where both levels are the same.", same, render.Count(all, "item"))
}

// shade returns how dark a count is shown, from 0 to 5. Only a count of 0 has shade 0.
func shade(n, most int) int {
	if n <= 0 || most <= 0 {
		return 0
	}
	return 1 + min(4, (n*5-1)/most)
}

// isSquare reports whether there is a count for each pair of levels, which a bundle
// made by another program does not guarantee.
func isSquare(counts [][]int) bool {
	const levels = 5
	return len(counts) == levels && !slices.ContainsFunc(counts, func(row []int) bool { return len(row) != levels })
}

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
