package printer

import (
	"cmp"
	_ "embed" // the templates
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
			"line": sanitize.Line, "prose": render.Prose, "sentences": sentences, "status": status, "conclusion": conclusion,
			"mark":      func(o calibration.Outcome) string { return outcomeMarks[o] },
			"words":     func(o calibration.Outcome) string { return outcomeWords[o] },
			"next":      func(i int) int { return i + 1 },
			"agreement": agreementChart, "bias": biasChart, "confusion": confusionPicture, "isSquare": isSquare,
			"footnotes": func() *footnotes { return &footnotes{} },
			"fitted":    render.Fitted, "axis": axisNumber, "value": value,
		}).Parse(section + pictures))
	})
)

// filled is the result of a template, whose text html/template escaped.
func filled(name string, data any) (template.HTML, error) {
	var b strings.Builder
	err := templates().ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}

// Section is the part of a page about a report, below a second-level heading. id is the
// prefix of every id in it. It needs no data about single items, so it can be drawn from
// the statistics in a bundle.
func Section(id string, r *calibration.Report) (template.HTML, error) {
	return filled("section", struct {
		*calibration.Tracked
		ID string
	}{&calibration.Tracked{Report: r}, id})
}

// footnotes writes the cells of a table. An undefined value is a dash with the number of its
// reason below the table.
type footnotes struct{ Reasons []string }

// cell is a text, and the number of a reason, or 0.
type cell struct {
	Text   string
	Reason int
}

// Cell is a cell with a text, and the reason if there is no number.
func (f *footnotes) Cell(text, undefined string) cell {
	if undefined == "" {
		return cell{Text: text}
	}
	at := slices.Index(f.Reasons, undefined)
	if at < 0 {
		at = len(f.Reasons)
		f.Reasons = append(f.Reasons, undefined)
	}
	return cell{text, at + 1}
}

// Value and Percent are a statistic in two forms.
func (f *footnotes) Value(v agreement.Value) cell   { return f.Cell(value(v), v.Undefined) }
func (f *footnotes) Percent(v agreement.Value) cell { return f.Cell(percent(v), v.Undefined) }

// Interval is an estimate with its interval, and Signed the same with a sign; the reason is
// why either is missing.
func (f *footnotes) Interval(e agreement.Estimate) cell {
	return f.Cell(interval(&e), cmp.Or(e.Undefined, e.Interval.Undefined))
}
func (f *footnotes) Signed(e agreement.Estimate) cell {
	return f.Cell(signedInterval(&e), cmp.Or(e.Undefined, e.Interval.Undefined))
}

// EqualTerms compares the judge with people.
func (f *footnotes) EqualTerms(c calibration.Criterion) cell {
	return f.Cell(equalTerms(&c), c.People.EqualTerms.People.Undefined)
}
