package render

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// shownRecords is how many recorded runs the pictures show: the newest.
const shownRecords = 60

// manyRecords is from when on points would touch each other.
const manyRecords = 25

// The measures of a picture of the history in pixels.
const (
	historyTop    = 18
	historyBottom = 118
	historyHeight = historyBottom + 22
)

var historyY = scale{-0.2, 1, historyBottom, historyTop, ""}

// historyPicture shows one criterion over the recorded runs.
func historyPicture(id, criterion string, target float64, records []calibration.Record) template.HTML {
	d := newDrawing(id, "Agreement over time: "+criterion, historyText(criterion, target, records),
		"class", "stretch", "width", "100%", "height", place(historyHeight))
	for _, tick := range []float64{0, 0.5, 1} {
		d.line("grid", historyLeft, historyY.at(tick), "100%", historyY.at(tick))
		d.text("tick central", "0", historyY.at(tick), axisNumber(tick))
	}
	d.line("mark", historyLeft, historyY.at(target), "100%", historyY.at(target))
	x := historyX(len(records))
	historyDates(d, x, records)
	historyLine(d, x, criterion, records)
	return d.html()
}

const historyLeft = "11%"

// historyX is where the runs stand: evenly, one alone in the middle.
func historyX(records int) scale {
	if records < 2 {
		return scale{-1, 1, 15, 96, "%"}
	}
	return scale{0, float64(records - 1), 15, 96, "%"}
}

func historyDates(d *drawing, x scale, records []calibration.Record) {
	last := len(records) - 1
	y := place(historyHeight - 4)
	if last == 0 {
		d.shortText("tick middle", x.at(0), y, records[0].Date, 10)
		return
	}
	d.shortText("tick", historyLeft, y, records[0].Date, 10)
	d.shortText("tick end", "100%", y, records[last].Date, 10)
}

// historyLine draws the points of a criterion, joined where they are of the same
// words, and what happened between them.
func historyLine(d *drawing, x scale, criterion string, records []calibration.Record) {
	radius := "3.5"
	if len(records) > manyRecords {
		radius = "2"
	}
	var before *calibration.Estimate
	for i := range records {
		r := &records[i]
		here := x.at(float64(i))
		if i > 0 && otherWords(&records[i-1], r) {
			between := place((x.raw(float64(i-1))+x.raw(float64(i)))/2) + "%"
			d.line("words", between, place(historyTop), between, place(historyBottom))
			before = nil
		}
		if drifted(r, criterion) {
			d.shape("drift", here, place(historyTop-9), pointsDown)
		}
		now := recordedEstimate(r, criterion)
		if now.Defined() {
			historyPoint(d, here, now, radius)
		}
		if before != nil && before.Defined() && now.Defined() {
			d.line("course", x.at(float64(i-1)), historyY.at(before.Number), here, historyY.at(now.Number))
		}
		before = now
	}
}

func historyPoint(d *drawing, x string, e *calibration.Estimate, radius string) {
	if e.Interval.Defined() {
		d.line("whisker thin", x, historyY.at(e.Interval.Low), x, historyY.at(e.Interval.High))
	}
	d.dot("run", x, historyY.at(e.Number), radius)
}

// drifted tells whether a record says that the criterion drifted: its reasons
// begin with the criterion that they are about.
func drifted(r *calibration.Record, criterion string) bool {
	return r.Drift != nil && r.Drift.Drifted && slices.ContainsFunc(r.Drift.Reasons, func(reason string) bool {
		return strings.HasPrefix(reason, criterion+":")
	})
}

// otherWords tells whether two records are about other words or labels, so that
// their numbers can't be compared.
func otherWords(before, after *calibration.Record) bool {
	return before.Rubric.JudgeDigest != after.Rubric.JudgeDigest || before.LabelsDigest != after.LabelsDigest
}

// recordedEstimate is the correlation of a criterion in a record.
func recordedEstimate(r *calibration.Record, criterion string) *calibration.Estimate {
	for i := range r.Criteria {
		if r.Criteria[i].Name == criterion {
			return &r.Criteria[i].Spearman
		}
	}
	return &calibration.Estimate{Value: agreement.Value{Undefined: "the run has no such criterion"}}
}

func historyText(criterion string, target float64, records []calibration.Record) string {
	last := recordedEstimate(&records[len(records)-1], criterion)
	return fmt.Sprintf("Spearman correlation of judge and people in %s, with the target %s as a line. The last is %s.",
		count(len(records), "recorded run"), number(target), interval(last))
}
