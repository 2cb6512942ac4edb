// Package report says what was measured and decided about judges: one view, and from it text,
// Markdown, JSON, sections of the site, and the statistics of a bundle.
package report

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/render"
)

// SchemaVersion is the schema_version of the output of rubric calibrate. It is
// incremented with each incompatible change.
const SchemaVersion = 1

// Output is the output of JSON: reports, or with --split dev, disagreements.
type Output struct {
	SchemaVersion int `json:"schema_version"`
	// Reports has one for each judge of each rubric.
	Reports []*View `json:"reports,omitempty"`
	// Dev is where judges and people disagree on the items for tuning.
	Dev []*measure.Dev `json:"dev,omitempty"`
}

// JSON writes views as one object that conforms to schema/calibration-output.schema.json.
func JSON(w io.Writer, views []*View) error {
	return render.WriteJSON(w, Output{SchemaVersion: SchemaVersion, Reports: views})
}

// Text writes views for a terminal.
func Text(w io.Writer, views []*View, opts render.TextOptions) error {
	var all []string
	for _, v := range views {
		all = append(all, message("text", &struct {
			*View
			render.Text
		}{v, render.Text{Options: opts}}))
	}
	_, err := io.WriteString(w, strings.Join(all, "\n\n")+"\n")
	return err
}

// Markdown writes views for a job summary. Text from files is in code spans, where
// nothing becomes a link, a mention, or a command.
func Markdown(w io.Writer, views []*View) error {
	var all strings.Builder
	for i, v := range views {
		if all.Len() > render.MaxMarkdown {
			fmt.Fprintf(&all, "%s omitted: the summary would be too long.\n", render.Count(len(views)-i, "more report"))
			break
		}
		all.WriteString(message("markdown", v))
	}
	_, err := io.WriteString(w, all.String())
	return err
}

// Words are those for an answer to whether a judge may be used.
func Words(a decide.Answer) string { return answerWords[a] }

var answerWords = map[decide.Answer]string{
	decide.Yes: "yes", decide.LibraryLimits: "yes, by this library's limits", decide.No: "no", decide.NotYet: "not yet", decide.Unclear: "can't tell",
}

// outcomeWords are the outcomes of conditions.
var outcomeWords = map[decide.Outcome]string{
	decide.Met: "met", decide.NotMet: "not met", decide.Undecided: "too few items", decide.CannotTell: "can't tell",
}

// outcomes are those that look like an answer.
var outcomes = map[decide.Answer]decide.Outcome{
	decide.Yes: decide.Met, decide.LibraryLimits: decide.Met, decide.No: decide.NotMet, decide.NotYet: decide.Undecided, decide.Unclear: decide.CannotTell,
}

// styles are those of an outcome.
var styles = map[decide.Outcome]string{
	decide.Met: "1;32", decide.NotMet: render.StyleError, decide.Undecided: render.StyleWarning, decide.CannotTell: render.StyleWarning,
}

// longest is how many characters of a name fit in a table of 80 columns, with any numbers.
const longest = 14

// criteriaRows are a table of the criteria that fits 80 columns.
func criteriaRows(v *View) [][]string {
	rows := [][]string{{"CRITERION", "ITEMS", "CORRELATION", "JUDGE", "PEOPLE", "BIAS", "OUTCOME"}}
	for i := range v.Criteria {
		c := &v.Criteria[i]
		against := &c.AgainstPeople.Correlation
		outcome := outcomeWords[c.Outcomes.Outcome]
		if c.Outcomes.Outcome == decide.Undecided {
			outcome = "too few"
		}
		rows = append(rows, []string{beginning(longest, c.Name), fmt.Sprint(c.Items), c.Spearman.Text(), against.Judge.Text(), against.People.Text(), c.Bias.Value.Signed(), outcome})
	}
	return rows
}

// personRows are a table of the raters that fits 80 columns.
func personRows(v *View) [][]string {
	rows := [][]string{{"PERSON", "CRITERION", "ITEMS", "AGREES", "SEVERITY", "PASSES", "FAILS"}}
	for i := range v.Persons {
		p := &v.Persons[i]
		passes, fails := share(p.Verdict.Passes()), share(p.Verdict.Fails())
		name := p.Rater
		for _, c := range p.Criteria {
			rows = append(rows, []string{beginning(longest-2, name), beginning(longest, c.Criterion), fmt.Sprint(c.Items), c.Correlation.Text(), c.Severity.Value.Signed(), passes, fails})
			name, passes, fails = "", "", ""
		}
	}
	return rows
}

// share is a part of a whole, or says that there is no whole.
func share(s agreement.Share) string {
	if s.Whole == 0 {
		return "none"
	}
	return fmt.Sprintf("%d/%d", s.Part, s.Whole)
}

func percentOf(v agreement.Value) string {
	if !v.Defined() {
		return "–"
	}
	return fmt.Sprintf("%.0f%%", 100*v.Number)
}

// table is a table without a line end.
func table(rows [][]string) (string, error) {
	var b strings.Builder
	err := render.Table(&b, rows)
	return strings.TrimSuffix(b.String(), "\n"), err
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
