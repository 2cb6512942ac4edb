package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/render"
)

// plot shows how well a judge agreed with people on a criterion over time, oldest run first. The
// template "plot" draws it: horizontally in percent, vertically in pixels, so that its texts keep
// their size on a phone.
type plot struct {
	Criterion, Judge string
	moments          []moment
	from, to         float64 // the time of all plots, in seconds
}

// The lowest and the highest correlation on the axis, and where they are in pixels from the top.
const (
	lowest, highest   = -0.2, 1
	plotBottom, ontop = 132, 22
)

// plots returns one for each criterion and judge of moments that are in this order.
func plots(all []moment) (drawn []*plot) {
	from, to := timeOf(all)
	for _, m := range slices.Backward(all) { // the newest is the first
		last := len(drawn) - 1
		if last < 0 || drawn[last].Criterion != m.Of.Name || drawn[last].Judge != m.Judge.Name {
			drawn = append(drawn, &plot{Criterion: m.Of.Name, Judge: m.Judge.Name, from: from, to: to})
			last++
		}
		drawn[last].moments = append(drawn[last].moments, m)
	}
	slices.Reverse(drawn)
	return drawn
}

// timeOf returns the time from the first to the last moment, in seconds, and at least a day.
func timeOf(all []moment) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, m := range all {
		from, to = min(from, m.seconds()), max(to, m.seconds())
	}
	if missing := day - (to - from); missing > 0 {
		from, to = from-missing/2, to+missing/2
	}
	return from, to
}

// coordinate is the horizontal coordinate of a time. The texts of the axis are before the first one.
func (p *plot) coordinate(seconds float64) string {
	const room = 0.06
	return render.Scale{Low: p.from - float64(room*(p.to-p.from)), High: p.to}.Coordinate(seconds)
}

const day = 24 * 60 * 60

// seconds is the start of the run since 1970; only the day can be known.
func (m moment) seconds() float64 {
	at, err := time.Parse(time.RFC3339, m.Start.Time)
	if err != nil {
		at, _ = time.Parse(time.DateOnly, m.Start.Date) // which the reader of the answers checked
	}
	return float64(at.Unix())
}

// height is the vertical coordinate of a correlation. One below the axis is at its end.
func height(correlation float64) string {
	share := (highest - min(max(correlation, lowest), highest)) / (highest - lowest)
	return strconv.FormatFloat(math.Round(float64(10*(ontop+share*(plotBottom-ontop))))/10, 'f', -1, 64)
}

// spot is a run in a plot. X1 and Y1 are where the run before is, and PeopleY1 its people.
type spot struct {
	moment
	X, X1, Y, Y1       string
	PeopleY, PeopleY1  string // "" where the people's own agreement is unknown
	LowY, HighY, Marks string
}

// Spots are the runs with what changed since the one before: "W" for other words of the rubric, and
// "J" for another judge of the same name.
func (p *plot) Spots() (all []spot) {
	for i, m := range p.moments {
		s := spot{moment: m, X: p.coordinate(m.seconds()), Y: height(m.Of.Spearman.Number), PeopleY: people(m.Of.People)}
		if interval := m.Of.Spearman.Interval; interval.IsDefined() {
			s.LowY, s.HighY = height(interval.Low), height(interval.High)
		}
		if i > 0 {
			before := all[i-1]
			s.X1, s.Y1, s.PeopleY1 = before.X, before.Y, before.PeopleY
			s.Marks = marks(&before.moment, &m)
		}
		all = append(all, s)
	}
	return all
}

func people(v agreement.Value) string {
	if !v.IsDefined() {
		return ""
	}
	return height(v.Number)
}

func marks(before, m *moment) (text string) {
	if m.Since != before.Since {
		text = "W"
	}
	if m.Judge != before.Judge {
		text += "J"
	}
	return text
}

// Target is where the target of the newest run is.
func (p *plot) Target() string { return height(p.newestMoment().Target) }

func (p *plot) newestMoment() *moment { return &p.moments[len(p.moments)-1] }

// level is a line of the axis.
type level struct{ Y, Text string }

// Levels are the lines of the axis.
func (p *plot) Levels() (all []level) {
	for _, x := range []float64{0, 0.5, 1} {
		all = append(all, level{height(x), render.Number(x)})
	}
	return all
}

// tick is a day on the axis of time.
type tick struct{ X, Day, Anchor string }

// Ticks are up to four days, evenly spaced.
func (p *plot) Ticks() (all []tick) {
	const most = 4
	n := min(most, int((p.to-p.from)/day)+1)
	for i := range n {
		anchor := "middle"
		switch i {
		case 0:
			anchor = "start"
		case n - 1:
			anchor = "end"
		}
		at := p.from + float64(i)*(p.to-p.from)/float64(n-1)
		all = append(all, tick{p.coordinate(at), time.Unix(int64(at), 0).UTC().Format(time.DateOnly), anchor})
	}
	return all
}

// Says is the plot in words, for those who can't see it.
func (p *plot) Says() string {
	first, last := &p.moments[0], p.newestMoment()
	text := fmt.Sprintf("Correlation of %s with people on %s: ", p.Judge, p.Criterion)
	if len(p.moments) > 1 {
		text += fmt.Sprintf("%s from %s to %s, first %s, ", render.Count(len(p.moments), "run"), first.Start.Date,
			last.Start.Date, first.Of.Spearman.Text())
	}
	text += fmt.Sprintf("in the run of %s %s; target %s", last.Start.Date, last.Of.Spearman.Text(),
		render.Number(last.Target))
	if last.Of.People.IsDefined() {
		text += "; the people's own agreement " + last.Of.People.Text()
	}
	var changed []string
	for _, s := range p.Spots() {
		if s.Marks != "" {
			changed = append(changed, s.Start.Date+" ("+markWords[s.Marks]+")")
		}
	}
	if len(changed) > 0 {
		text += "; changes: " + strings.Join(changed, ", ")
	}
	return text + "."
}

var markWords = map[string]string{
	"W": "words of the rubric", "J": "the judge", "WJ": "words of the rubric and the judge",
}

// square shows a count of verdicts. Side is its length in pixels, 56 for the largest of the counts.
type square struct {
	Class string
	Count int
	Side  string
	At    string // its left and upper edge
}

func squareOf(class string, n int, v agreement.Verdicts) square {
	most := max(v.BothPass, v.BothFail, v.OnlyJudgePass, v.OnlyPeoplePass, 1)
	side := math.Round(560*math.Sqrt(min(1, float64(max(n, 0))/float64(most)))) / 10
	pixels := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	return square{class, n, pixels(side), pixels(math.Round(5*(56-side)) / 10)}
}
