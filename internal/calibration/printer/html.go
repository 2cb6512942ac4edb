package printer

import (
	_ "embed" // the template and the script of the page
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

var (
	//go:embed calibration.html
	pageTemplate string
	// sortScript makes the columns of a table sortable; without it, the table is as sorted.
	//
	//go:embed sort.js
	sortScript string

	// The template sanitizes every text with line or lines; html/template escapes it.
	calibrationTemplate = sync.OnceValue(func() *template.Template {
		return template.Must(template.New("calibration").Funcs(template.FuncMap{
			"line": sanitize.Line, "lines": render.Lines, "beginning": beginning, "score": score, "value": value,
			"name": reportName, "sentences": sentences, "facts": measured, "length": lengthLine,
			"mark":      func(o calibration.Outcome) string { return outcomeMarks[o] },
			"words":     func(o calibration.Outcome) string { return outcomeWords[o] },
			"next":      func(i int) int { return i + 1 },
			"agreement": func(id string, r *calibration.Report) template.HTML { return agreementChart(id, r).draw() },
			"bias":      func(id string, r *calibration.Report) template.HTML { return biasChart(id, r).draw() },
			"confusion": confusionPicture, "isSquare": isSquare,
			"statistics": statisticsTable, "biasTable": biasTable, "verdicts": verdictsTable, "slices": slicesTable, "history": historyTable,
			"everyStatistic": everyStatistic, "confusionTable": confusionTable,
			"smallSlices": func(r *calibration.Tracked) string { _, rest := shown(r.Slices); return rest },
			"difference":  func(d calibration.Disagreement) string { return signedScore(d.Judge - d.People) },
			"size":        func(d calibration.Disagreement) float64 { return math.Abs(d.Judge - d.People) },
		}).Parse(pageTemplate))
	})
)

// HTML writes reports as one self-contained page that makes no requests. Its content
// security policy allows only its own style sheet and the script that sorts a table.
func HTML(w io.Writer, reports []calibration.Tracked) error {
	p := &htmlPage{Style: template.CSS(render.PageStyle), Policy: render.ContentPolicy(render.PageStyle, sortScript), Script: template.JS(sortScript)}
	p.Title = "Calibration of " + render.Count(len(reports), "judge")
	if len(reports) == 1 {
		p.Title = "Calibration of " + reportName(reports[0].Report)
	}
	for i := range reports {
		p.Reports = append(p.Reports, htmlReport{&reports[i], fmt.Sprintf("report-%d", i+1)})
	}
	return calibrationTemplate().Execute(w, p)
}

// Section is the part of a page about a report, below a second-level heading. id is the
// prefix of every id in it. It needs no data about single items, so it can be drawn from
// the statistics in a bundle.
func Section(id string, r *calibration.Report) (template.HTML, error) {
	var b strings.Builder
	err := calibrationTemplate().ExecuteTemplate(&b, "section", htmlReport{&calibration.Tracked{Report: r}, id})
	return template.HTML(b.String()), err // html/template escaped its text
}

type htmlPage struct {
	Title   string
	Policy  string
	Style   template.CSS
	Script  template.JS
	Reports []htmlReport
}

// Sortable reports whether the page has a table for the script.
func (p *htmlPage) Sortable() bool {
	return slices.ContainsFunc(p.Reports, func(r htmlReport) bool { return len(r.Worst) > 0 })
}

type htmlReport struct {
	*calibration.Tracked
	ID string // unique in the page
}

type htmlFact struct{ Name, Text string }

// reportName returns the rubric's reference and the judge's name.
func reportName(r *calibration.Report) string {
	name := r.Rubric.ID + " " + r.Rubric.Version
	if r.Judge != nil {
		name += " by " + r.Judge.Name
	}
	return name
}

// runName returns the name of a run and its date, unless both are the same.
func runName(j *calibration.JudgeReference) string {
	if j.Run == j.Date {
		return j.Run
	}
	return j.Run + " on " + j.Date
}

// measured returns the facts about the measurement: its subject, data, and settings.
func measured(r *calibration.Report) []htmlFact {
	list := []htmlFact{{"Rubric", r.Rubric.ID + " " + r.Rubric.Version}}
	if j := r.Judge; j == nil {
		list = append(list, htmlFact{"Judge", "no recorded run"})
	} else {
		run := runName(j)
		if !j.Fresh {
			run += ", for a different wording of the rubric"
		}
		list = append(
			list, htmlFact{"Judge", j.Name}, htmlFact{"Model", j.Model}, htmlFact{"Run", run},
			htmlFact{"Answers", fmt.Sprintf("%d, %d unreadable; %.0f%% of the items have a readable answer", r.Coverage.Answers, r.Coverage.Unreadable, 100*r.Coverage.Share)},
		)
	}
	return append(
		list, htmlFact{"Dataset", fmt.Sprintf("%s, %s", r.Dataset.Name, render.Count(r.Dataset.Items, "item"))},
		htmlFact{"Labeled by", labeledBy(&r.Dataset)},
		htmlFact{"Overall", strings.TrimPrefix(overallLine(r), "Overall: ")},
		htmlFact{"Intervals", fmt.Sprintf("95%%, %d resamples of the items, seed %d", r.Settings.Resamples, r.Settings.Seed)},
	)
}
