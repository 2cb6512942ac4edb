// Package report says what was measured and decided about judges: one view, and from it text,
// Markdown, JSON, sections of the site, and the statistics of a bundle.
package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/render"
)

// SchemaVersion is the schema_version of the output of rubric calibrate. It is
// incremented with each incompatible change.
const SchemaVersion = 1

// JSON writes reports as one object that conforms to
// schema/calibration-output.schema.json.
func JSON(w io.Writer, reports []Tracked) error {
	return render.WriteJSON(w, struct {
		SchemaVersion int       `json:"schema_version"`
		Reports       []Tracked `json:"reports"`
	}{SchemaVersion, reports})
}

// Text writes reports for a terminal.
func Text(w io.Writer, reports []Tracked, opts render.TextOptions) error {
	var all []string
	for i := range reports {
		all = append(all, message("text", &struct {
			*Tracked
			render.Text
		}{&reports[i], render.Text{Options: opts}}))
	}
	_, err := io.WriteString(w, strings.Join(all, "\n\n")+"\n")
	return err
}

// Markdown writes reports for a job summary. Text from files is in code spans, where
// nothing becomes a link, a mention, or a command.
func Markdown(w io.Writer, reports []Tracked) error {
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
func status(r *View) decide.Outcome { return cmp.Or(r.Gate.Outcome, r.Outcome) }

// styles are those of a status.
var styles = map[decide.Outcome]string{
	decide.Met: "1;32", decide.LibraryLimits: "1;32", decide.NotMet: render.StyleError, decide.Undecided: render.StyleWarning,
}

func calibrationRows(r *View) [][]string {
	rows := [][]string{{"CRITERION", "ITEMS", "SPEARMAN", "EQUAL TERMS", "ATTAINABLE", "KAPPA", "MAE", "BIAS", "OUTCOME"}}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		rows = append(rows, []string{
			c.Name, fmt.Sprint(c.Items), c.Spearman.Text(), equalTerms(c.People.EqualTerms), c.People.Attainable.Text(), c.QuadraticKappa.Value.Text(),
			c.MeanAbsoluteError.Value.Text(), c.Bias.Value.Signed(), outcomeWords[c.Outcome],
		})
	}
	return rows
}

var outcomeWords = map[decide.Outcome]string{
	decide.Met: "met", decide.LibraryLimits: "meets this library's limits", decide.NotMet: "not met", decide.Undecided: "too few items to tell",
}

func percent(v agreement.Value) string {
	if !v.Defined() {
		return "–"
	}
	return fmt.Sprintf("%.0f%%", 100*v.Number)
}

// equalTerms has the judge's correlation, and people's, with the same labels.
func equalTerms(terms agreement.Terms) string {
	if !terms.People.Defined() {
		return "–"
	}
	return fmt.Sprintf("judge %s, people %s", terms.Judge.Text(), terms.People.Text())
}

func conclusion(r *View) string {
	switch {
	case r.Calibrated:
		return "Calibrated"
	case r.Gate.Outcome == decide.LibraryLimits:
		return "Meets this library's limits"
	}
	return "Not calibrated"
}

// sentences are what a person should know.
func sentences(r *Tracked) []string { return lines(message("sentences", r)) }

// table is the agreement by criterion, without a line end.
func table(r *View) (string, error) {
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
