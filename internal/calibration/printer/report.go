// Package printer prints the results of calibrations, and draws the pictures of them for
// the site.
package printer

import (
	"cmp"
	_ "embed" // the templates
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// SchemaVersion is the schema_version of the output of rubric calibrate. It is
// incremented with each incompatible change.
const SchemaVersion = 1

// JSON writes reports as one object that conforms to
// schema/calibration-output.schema.json.
func JSON(w io.Writer, reports []calibration.Tracked) error {
	return render.WriteJSON(w, struct {
		SchemaVersion int                   `json:"schema_version"`
		Reports       []calibration.Tracked `json:"reports"`
	}{SchemaVersion, reports})
}

// Text writes reports for a terminal.
func Text(w io.Writer, reports []calibration.Tracked, opts render.TextOptions) error {
	var all []string
	for i := range reports {
		all = append(all, message("text", &struct {
			*calibration.Tracked
			render.Text
		}{&reports[i], render.Text{Options: opts}}))
	}
	_, err := io.WriteString(w, strings.Join(all, "\n\n")+"\n")
	return err
}

// Markdown writes reports for a job summary. Text from files is in code spans, where
// nothing becomes a link, a mention, or a command.
func Markdown(w io.Writer, reports []calibration.Tracked) error {
	var all strings.Builder
	for i := range reports {
		if all.Len() > render.MaxMarkdown {
			fmt.Fprintf(&all, "%s omitted: the summary would be too long.\n", render.Count(len(reports)-i, "more report"))
			break
		}
		all.WriteString(message("markdown", &reports[i]))
	}
	_, err := io.WriteString(w, all.String())
	return err
}

// status is whether the judge may gate; in statistics of an earlier program, it is the
// outcome of the run.
func status(r *calibration.Report) calibration.Outcome { return cmp.Or(r.Gate.Outcome, r.Outcome) }

func outcomeStyle(r *calibration.Report) string {
	switch status(r) {
	case calibration.Met, calibration.LibraryLimits:
		return "1;32"
	case calibration.NotMet:
		return render.StyleError
	}
	return render.StyleWarning
}

func calibrationRows(r *calibration.Report) [][]string {
	rows := [][]string{{"CRITERION", "ITEMS", "SPEARMAN", "EQUAL TERMS", "ATTAINABLE", "KAPPA", "MAE", "BIAS", "OUTCOME"}}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		rows = append(rows, []string{
			c.Name, fmt.Sprint(c.Items), interval(&c.Spearman), equalTerms(c), value(c.People.Attainable), value(c.QuadraticKappa.Value),
			value(c.MeanAbsoluteError.Value), signedValue(c.Bias.Value), outcomeWords[c.Outcome],
		})
	}
	return rows
}

var outcomeWords = map[calibration.Outcome]string{
	calibration.Met: "met", calibration.LibraryLimits: "meets this library's limits", calibration.NotMet: "not met", calibration.Undecided: "too few items to tell",
}

// value formats a statistic with two decimals, or as a dash if it is undefined.
func value(v agreement.Value) string {
	if !v.Defined() {
		return "–"
	}
	return strings.Replace(fmt.Sprintf("%.2f", v.Number), "-0.00", "0.00", 1)
}

func signedValue(v agreement.Value) string {
	text := value(v)
	if v.Defined() && v.Number > 0 && text != "0.00" {
		return "+" + text
	}
	return text
}

func percent(v agreement.Value) string {
	if !v.Defined() {
		return "–"
	}
	return fmt.Sprintf("%.0f%%", 100*v.Number)
}

func interval(e *agreement.Estimate) string {
	if !e.Defined() || e.Interval.Undefined != "" {
		return value(e.Value)
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", e.Number, e.Interval.Low, e.Interval.High)
}

// equalTerms has the judge's correlation, and people's, with the same labels.
func equalTerms(c *calibration.Criterion) string {
	terms := c.People.EqualTerms
	if !terms.People.Defined() {
		return "–"
	}
	return fmt.Sprintf("judge %s, people %s", value(terms.Judge), value(terms.People))
}

func conclusion(r *calibration.Report) string {
	switch {
	case r.Calibrated:
		return "Calibrated"
	case r.Gate.Outcome == calibration.LibraryLimits:
		return "Meets this library's limits"
	}
	return "Not calibrated"
}

// sentences are what a person should know.
func sentences(r *calibration.Tracked) []string { return lines(message("sentences", r)) }

// worst are the disagreements that are shown.
func worst(r *calibration.Report) []calibration.Disagreement { return r.Worst[:min(len(r.Worst), 5)] }

// table is the agreement by criterion, without a line end.
func table(r *calibration.Report) (string, error) {
	var b strings.Builder
	err := render.Table(&b, calibrationRows(r))
	return b.String(), err
}

// score formats a score with at most two decimals.
func score(x float64) string { return render.Number(math.Round(100*x) / 100) }

// beginning returns the first characters of a text on one line, with "…" if it is cut.
func beginning(most int, text string) string {
	characters := []rune(render.OneLine(text))
	if len(characters) <= most {
		return string(characters)
	}
	return string(characters[:most]) + "…"
}

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
