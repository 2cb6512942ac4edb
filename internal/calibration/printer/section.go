package printer

import (
	"cmp"
	_ "embed" // the templates
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

var (
	//go:embed section.html
	section string
	//go:embed pictures.html
	pictures string

	// The templates sanitize every text with line; html/template escapes it.
	templates = sync.OnceValue(func() *template.Template {
		return template.Must(template.New("section").Funcs(template.FuncMap{
			"line": sanitize.Line, "name": reportName, "sentences": sentences, "status": status, "conclusion": conclusion,
			"mark":      func(o calibration.Outcome) string { return outcomeMarks[o] },
			"words":     func(o calibration.Outcome) string { return outcomeWords[o] },
			"next":      func(i int) int { return i + 1 },
			"agreement": agreementChart, "bias": biasChart, "confusion": confusionPicture, "isSquare": isSquare,
			"statistics": statisticsTable, "everyStatistic": everyStatistic,
			"fitted": render.Fitted, "axis": axisNumber, "value": value,
		}).Parse(section + pictures))
	})
)

// executed is the result of a template, whose text html/template escaped.
func executed(name string, data any) (template.HTML, error) {
	var b strings.Builder
	err := templates().ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}

// Section is the part of a page about a report, below a second-level heading. id is the
// prefix of every id in it. It needs no data about single items, so it can be drawn from
// the statistics in a bundle.
func Section(id string, r *calibration.Report) (template.HTML, error) {
	return executed("section", struct {
		*calibration.Tracked
		ID string
	}{&calibration.Tracked{Report: r}, id})
}

func reportName(r *calibration.Report) string {
	name := r.Rubric.ID + " " + r.Rubric.Version
	if r.Judge != nil {
		name += " by " + r.Judge.Name
	}
	return name
}

// htmlTable is a table with a name for each row and each column. An undefined value
// is a dash with a reference to its reason below the table.
type htmlTable struct {
	Caption string
	Head    []string // the first is the heading of the row names
	Rows    []htmlRow
	Reasons []string
}

type htmlRow struct {
	Name  string
	Cells []htmlCell
}

type htmlCell struct {
	Text    string
	Outcome calibration.Outcome // its color; "" for none
	Reason  int                 // the number of the reason, from 1, or 0
}

func (t *htmlTable) row(name string, cells ...htmlCell) {
	t.Rows = append(t.Rows, htmlRow{name, cells})
}

func plainCell(number int) htmlCell { return htmlCell{Text: fmt.Sprint(number)} }

// cell returns a text, with the reason if there is no number.
func (t *htmlTable) cell(text, undefined string) htmlCell {
	if undefined == "" {
		return htmlCell{Text: text}
	}
	at := slices.Index(t.Reasons, undefined)
	if at < 0 {
		at = len(t.Reasons)
		t.Reasons = append(t.Reasons, undefined)
	}
	return htmlCell{Text: text, Reason: at + 1}
}

func (t *htmlTable) value(v agreement.Value) htmlCell   { return t.cell(value(v), v.Undefined) }
func (t *htmlTable) percent(v agreement.Value) htmlCell { return t.cell(percent(v), v.Undefined) }

// interval is an estimate with its interval; the reason is why either is missing.
func (t *htmlTable) interval(e *agreement.Estimate) htmlCell {
	return t.cell(interval(e), cmp.Or(e.Undefined, e.Interval.Undefined))
}

func statisticsTable(r *calibration.Report) *htmlTable {
	t := &htmlTable{
		Caption: "Agreement by criterion, in numbers",
		Head:    []string{"Criterion", "Items", "Spearman", "Equal terms", "Attainable", "Kappa", "Mean error", "Outcome"},
	}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		t.row(c.Name, plainCell(c.Items), t.interval(&c.Spearman), t.cell(equalTerms(c), c.People.EqualTerms.People.Undefined), t.value(c.People.Attainable),
			t.value(c.QuadraticKappa.Value), t.value(c.MeanAbsoluteError.Value), htmlCell{Text: outcomeMarks[c.Outcome] + " " + outcomeWords[c.Outcome], Outcome: c.Outcome})
	}
	return t
}

func everyStatistic(c *calibration.Criterion) *htmlTable {
	t := &htmlTable{Caption: "All statistics of " + c.Name, Head: []string{"Statistic", "Value"}}
	t.row("Labeled items", plainCell(c.Labeled))
	t.row("Items with a label and a score", plainCell(c.Items))
	t.row("Spearman", t.interval(&c.Spearman))
	t.row("Quadratic kappa", t.interval(&c.QuadraticKappa))
	t.row("Mean error (points)", t.interval(&c.MeanAbsoluteError))
	t.row("Bias (points)", t.cell(signedInterval(&c.Bias), cmp.Or(c.Bias.Undefined, c.Bias.Interval.Undefined)))
	t.row("People: raters", plainCell(c.People.Raters))
	t.row("People: Krippendorff’s alpha (ordinal)", t.value(c.People.Alpha))
	t.row("People: mean correlation with the others", t.value(c.People.EqualTerms.People))
	t.row("Judge: correlation with the same others", t.value(c.People.EqualTerms.Judge))
	t.row("Attainable correlation", t.value(c.People.Attainable))
	t.row("Judge’s repeats: equal", t.percent(c.Repeats.Exact))
	t.row("Judge’s repeats: noise, points", t.value(c.Repeats.Spread))
	t.row("Judge’s repeats: alpha", t.value(c.Repeats.Alpha))
	t.row("Baseline (always the most common label): mean error", t.value(c.Baseline.MeanAbsoluteError))
	return t
}
