package printer

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/render"
)

// intervalChart shows a statistic of each criterion with its interval, one row for
// each criterion, on a common axis.
type intervalChart struct {
	id, title, description string
	scale                  render.Scale
	ticks                  []float64
	// mark is the number that the rows are compared with, and markName its name.
	mark     float64
	markName string
	rows     []intervalRow
}

type intervalRow struct {
	name     string
	shown    string // the number in words
	estimate *agreement.Estimate
	ceiling  agreement.Value     // what is attainable, drawn as a diamond if it is defined
	outcome  calibration.Outcome // its color; "" for none
}

func (r *intervalRow) class(name string) string {
	return strings.TrimSpace(name + " " + string(r.outcome))
}

// The measures of an intervalChart in pixels.
const (
	chartHead = 26
	chartRow  = 48
	chartFoot = 24
)

// chartScale is an axis in a chart.
func chartScale(low, high float64) render.Scale {
	return render.Scale{Low: low, High: high, From: 3, To: 97, Unit: "%"}
}

func (c *intervalChart) draw() template.HTML {
	s, bottom := c.scale, float64(chartHead+chartRow*len(c.rows))
	d := render.NewDrawing(c.id, c.title, c.description, "class", "stretch", "width", "100%", "height", render.Coordinate(bottom+chartFoot))
	for _, tick := range c.ticks {
		d.Line("grid", s.At(tick), render.Coordinate(chartHead), s.At(tick), render.Coordinate(bottom))
		d.Text("tick middle", s.At(tick), render.Coordinate(bottom+16), axisNumber(tick))
	}
	d.Line("mark", s.At(c.mark), render.Coordinate(chartHead-6), s.At(c.mark), render.Coordinate(bottom))
	d.Text("mark-name "+anchor(s.Raw(c.mark)), s.At(c.mark), render.Coordinate(chartHead-11), c.markName)
	for i := range c.rows {
		c.row(d, &c.rows[i], float64(chartHead+chartRow*i))
	}
	return d.HTML()
}

// anchor returns the text anchor that keeps a text at a position, in percent of the
// width, inside the picture.
func anchor(percent float64) string {
	switch {
	case percent < 20:
		return "start"
	case percent > 80:
		return "end"
	}
	return "middle"
}

func (c *intervalChart) row(d *render.Drawing, r *intervalRow, top float64) {
	d.ShortText("name", "0", render.Coordinate(top+16), r.name, render.NameColumns)
	d.Text("number end", "100%", render.Coordinate(top+16), r.shown)
	s, y := c.scale, render.Coordinate(top+33)
	if !r.estimate.Defined() {
		d.ShortText("reason", "0", render.Coordinate(top+37), r.estimate.Undefined, 46)
		return
	}
	d.Line("track", s.At(s.Low), y, s.At(s.High), y)
	if i := r.estimate.Interval; i.Defined() {
		d.Line(r.class("whisker"), s.At(i.Low), y, s.At(i.High), y)
		if i.Low < s.Low {
			d.Shape(r.class("beyond"), s.At(s.Low), y, render.PointsLeft)
		}
		if i.High > s.High {
			d.Shape(r.class("beyond"), s.At(s.High), y, render.PointsRight)
		}
	}
	if r.ceiling.Defined() {
		d.Shape("ceiling", s.At(r.ceiling.Number), y, render.Diamond)
	}
	switch x := r.estimate.Number; {
	case x < s.Low:
		d.Shape(r.class("point"), s.At(x), y, render.PointsLeft)
	case x > s.High:
		d.Shape(r.class("point"), s.At(x), y, render.PointsRight)
	default:
		d.Dot(r.class("point"), s.At(x), y, "5.5")
	}
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
		id: id, title: "Agreement by criterion",
		scale: chartScale(-0.2, 1), ticks: []float64{-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1},
		mark: r.Settings.Target, markName: "target " + render.Number(r.Settings.Target),
	}
	c.description = fmt.Sprintf("Spearman correlation of judge and people with its interval, on an axis from −0.2 to 1. The target is %s.", render.Number(r.Settings.Target))
	for i := range r.Criteria {
		one := &r.Criteria[i]
		c.rows = append(c.rows, intervalRow{one.Name, outcomeMarks[one.Outcome] + " " + value(one.Spearman.Value), &one.Spearman, one.People.Attainable, one.Outcome})
		c.description += fmt.Sprintf(" %s: %s, %s.", one.Name, interval(&one.Spearman), outcomeWords[one.Outcome])
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
		id: id, title: "Bias by criterion", mark: 0, markName: "same as people",
		scale: chartScale(-half, half), ticks: []float64{-half, -half / 2, 0, half / 2, half},
	}
	c.description = "Mean of the judge's score minus people's, in points, with its interval. Above 0, the judge scores higher."
	for i := range r.Criteria {
		one := &r.Criteria[i]
		c.rows = append(c.rows, intervalRow{one.Name, signedValue(one.Bias.Value), &one.Bias, noCeiling, ""})
		c.description += fmt.Sprintf(" %s: %s.", one.Name, signedInterval(&one.Bias))
	}
	return c
}

var noCeiling = agreement.Value{Undefined: "a bias has no ceiling"}

// biasAxis is where an axis ends on both sides that is wide enough for all intervals.
func biasAxis(criteria []calibration.Criterion) float64 {
	widest := 0.0
	for i := range criteria {
		if b := &criteria[i].Bias; b.Defined() {
			widest = max(widest, b.Number, -b.Number)
			if b.Interval.Defined() {
				widest = max(widest, b.Interval.High, -b.Interval.Low)
			}
		}
	}
	switch {
	case widest <= 1:
		return 1
	case widest <= 2:
		return 2
	}
	return 4
}

func signedInterval(e *agreement.Estimate) string {
	text := signedValue(e.Value)
	if e.Defined() && e.Interval.Defined() {
		text += fmt.Sprintf(" (%s to %s)", signedValue(agreement.Value{Number: e.Interval.Low}), signedValue(agreement.Value{Number: e.Interval.High}))
	}
	return text
}

// The measures, in pixels, of the picture of confusion counts. The judge's levels
// increase to the right, people's upward.
const (
	squareLeft   = 38
	squareTop    = 6
	squareCell   = 40
	squareLevels = 5
	squareSide   = squareCell * squareLevels
	squareWidth  = squareLeft + squareSide + 6
	squareHeight = squareTop + squareSide + 40
)

// levelX and levelY map levels to the centers of the cells.
var (
	levelX = render.Scale{Low: 1, High: squareLevels, From: squareLeft + squareCell/2, To: squareLeft + squareSide - squareCell/2}
	levelY = render.Scale{Low: 1, High: squareLevels, From: squareTop + squareSide - squareCell/2, To: squareTop + squareCell/2}
)

func confusionPicture(id string, c *calibration.Criterion) template.HTML {
	d := render.NewDrawing(id, "Counts of each pair of levels: "+c.Name, confusionText(c), "class", "square", "width", render.Coordinate(squareWidth), "height", render.Coordinate(squareHeight),
		"viewBox", fmt.Sprintf("0 0 %d %d", squareWidth, squareHeight))
	for level := 1; level <= squareLevels; level++ {
		d.Text("tick middle", levelX.At(float64(level)), render.Coordinate(squareTop+squareSide+16), fmt.Sprint(level))
		d.Text("tick end central", render.Coordinate(squareLeft-7), levelY.At(float64(level)), fmt.Sprint(level))
	}
	d.Text("axis middle", levelX.At(3), render.Coordinate(squareHeight-5), "judge →")
	d.Element("text", "people →", "class", "axis middle", "x", "0", "y", "0",
		"transform", fmt.Sprintf("translate(11 %d) rotate(-90)", squareTop+squareSide/2))
	square := func(class string, judge, people int) {
		x, y := levelX.Raw(float64(judge))-squareCell/2+1, levelY.Raw(float64(people))-squareCell/2+1
		d.Element("rect", "", "class", class, "x", render.Coordinate(x), "y", render.Coordinate(y), "width", render.Coordinate(squareCell-2), "height", render.Coordinate(squareCell-2))
	}
	most := slices.Max(slices.Concat(c.Confusion...))
	for i, row := range c.Confusion {
		for j, n := range row {
			square(fmt.Sprintf("cell shade-%d", shade(n, most)), j+1, i+1)
			if n > 0 {
				d.Text("count middle central", levelX.At(float64(j+1)), levelY.At(float64(i+1)), fmt.Sprint(n))
			}
		}
	}
	for level := 1; level <= squareLevels; level++ {
		square("diagonal", level, level)
	}
	return d.HTML()
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
	return len(counts) == squareLevels && !slices.ContainsFunc(counts, func(row []int) bool { return len(row) != squareLevels })
}
