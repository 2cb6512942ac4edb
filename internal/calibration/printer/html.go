package printer

import (
	_ "embed" // the template and the script of the page
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

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
	calibrationTemplate = template.Must(template.New("calibration").Funcs(template.FuncMap{
		"line": sanitize.Line, "lines": render.Lines,
	}).Parse(pageTemplate))
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
		p.Reports = append(p.Reports, newHTMLReport(fmt.Sprintf("report-%d", i+1), &reports[i]))
	}
	return calibrationTemplate.Execute(w, p)
}

type htmlPage struct {
	Title   string
	Policy  string
	Style   template.CSS
	Script  template.JS
	Reports []*htmlReport
}

// Several reports whether the page needs a summary.
func (p *htmlPage) Several() bool { return len(p.Reports) > 1 }

// Sortable reports whether the page has a table for the script.
func (p *htmlPage) Sortable() bool {
	return slices.ContainsFunc(p.Reports, func(r *htmlReport) bool { return len(r.Worst) > 0 })
}

type htmlReport struct {
	ID         string // unique in the page
	Name       string
	Outcome    htmlOutcome
	Conclusion string
	Sentences  []string
	Facts      []htmlFact
	Minimum    string

	Agreement, Bias      template.HTML
	Statistics, BiasRows *htmlTable
	Length               string // "" if there is nothing to say
	Verdicts             *htmlTable
	Slices               *htmlTable // nil if no slice has enough items
	SmallSlices          string     // a line about the slices that are not in the table, or ""
	History              *htmlTable // nil if no run is recorded
	Criteria             []*htmlCriterion
	Worst                []htmlDisagreement
}

// htmlOutcome is an outcome as a CSS class, a mark, and words.
type htmlOutcome struct{ Class, Mark, Words string }

type htmlFact struct{ Name, Text string }

type htmlDisagreement struct {
	Item, Criterion, Judge, People, Difference string
	Size                                       float64 // the difference without its sign
	Artifact, Reason                           string
	Cut                                        bool
}

func newHTMLReport(id string, r *calibration.Tracked) *htmlReport {
	h := &htmlReport{
		ID: id, Name: reportName(r.Report), Outcome: outcomeOf(r.Outcome), Conclusion: "Not calibrated",
		Sentences: sentences(r), Facts: measured(r.Report), Minimum: value(r.Overall.Minimum),
		Agreement: agreementChart(id+"-agreement", r.Report).draw(), Statistics: statisticsTable(r.Report),
		Bias: biasChart(id+"-bias", r.Report).draw(), BiasRows: biasTable(r.Report),
		Length: lengthLine(r.Report), Verdicts: verdictsTable(r.Report), Slices: slicesTable(r), History: historyTable(r.Report, r.History),
	}
	_, h.SmallSlices = shown(r.Slices)
	if r.Calibrated {
		h.Conclusion = "Calibrated"
	}
	if r.Overall.MinimumOf != "" {
		h.Minimum += " (" + r.Overall.MinimumOf + ")"
	}
	for i := range r.Criteria {
		h.Criteria = append(h.Criteria, newHTMLCriterion(fmt.Sprintf("%s-criterion-%d", id, i+1), &r.Criteria[i]))
	}
	for i := range r.Worst {
		h.Worst = append(h.Worst, newHTMLDisagreement(&r.Worst[i]))
	}
	return h
}

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

func outcomeOf(o calibration.Outcome) htmlOutcome {
	return htmlOutcome{string(o), outcomeMarks[o], outcomeWords[o]}
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

const shownCharacters = 4000

func newHTMLDisagreement(d *calibration.Disagreement) htmlDisagreement {
	text := beginning(d.Artifact, shownCharacters)
	difference := render.Number(rounded2(d.Judge - d.People))
	if d.Judge > d.People {
		difference = "+" + difference
	}
	return htmlDisagreement{
		Item: d.Item, Criterion: d.Criterion, Judge: render.Number(rounded2(d.Judge)), People: render.Number(rounded2(d.People)),
		Difference: difference, Size: math.Abs(d.Judge - d.People), Artifact: text, Reason: d.Reason, Cut: text != d.Artifact,
	}
}
