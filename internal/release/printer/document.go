package printer

import (
	"fmt"
	"io"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/render"
	rules "github.com/rubric-library/rubric-library/internal/rulesets/printer"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// Document is a version of a document.
type Document struct {
	*library.Document
	// Calibration is that of the latest version. It is called only if this is the latest
	// version, by DocumentText; nil otherwise.
	Calibration func() (*library.Calibration, error)
}

// DocumentReference writes the reference to store with a score.
func DocumentReference(w io.Writer, d *Document) error {
	_, err := fmt.Fprintln(w, d.Reference)
	return err
}

// DocumentJSON writes a document as it is in the bundle.
func DocumentJSON(w io.Writer, d *Document) error {
	_, err := w.Write(append(sanitize.JSON(d.JSON()), '\n'))
	return err
}

// DocumentText writes a whole document for people: a header, its criteria or rules as a
// table, and then the details of each.
func DocumentText(w io.Writer, d *Document) error {
	kind, rowsOf, data := &document.Rubric, d.rubricRows, d.JSON()
	if d.RuleSet != nil {
		kind, rowsOf = &document.RuleSet, d.ruleSetRows
	}
	details, err := document.Details(kind, data)
	if err != nil {
		return err
	}
	head, rows := rowsOf(details)
	calibration, err := d.calibration()
	if err != nil {
		return err
	}
	lines, err := document.Outline(kind, data)
	if err != nil {
		return err
	}
	var t render.Output
	t.Printf("%s\n%s\n%s\n", d.Reference, head, calibration)
	if err := render.Table(&t, rows); err != nil {
		return err
	}
	for _, line := range lines {
		t.Printf("%s\n", sanitize.Line(line))
	}
	return t.Flush(w)
}

// calibration is a line about the calibration of the latest version, or "".
func (d *Document) calibration() (string, error) {
	if d.Calibration == nil {
		return "", nil
	}
	c, err := d.Calibration()
	switch {
	case c == nil:
		return "", err
	case c.Gate == bundlefile.Met, c.Gate == "" && c.Correlation != nil:
		return fmt.Sprintf("Calibrated: a judge and people correlate with %.2f or more on each criterion.\n", *c.Correlation), nil
	case c.Gate == bundlefile.LibraryLimits:
		return fmt.Sprintf("Meets this library's limits, which are looser than the defaults: a judge and people correlate with %.2f or more on each criterion.\n", *c.Correlation), nil
	}
	words := "Not calibrated: "
	if c.Rank == bundlefile.Met || c.Rank == bundlefile.LibraryLimits {
		words = "Not calibrated, but a judge may rank: "
	}
	return words + sanitize.Line(render.OneLine(c.Reason)) + "\n", nil
}

// header is the beginning of both kinds. lines are its description and when it passes.
func header(title string, lines []string, details []document.Detail, deprecated *bundlefile.Deprecation) string {
	text := title
	for _, line := range lines {
		if line = render.OneLine(line); line != "" {
			text += "\n" + sanitize.Line(line)
		}
	}
	for _, d := range details {
		text += "\n" + d.Name + ": " + sanitize.Line(render.OneLine(d.Text))
	}
	if deprecated != nil {
		reason := deprecated.Reason
		if deprecated.ReplacedBy != "" {
			reason += " Use " + deprecated.ReplacedBy + " instead."
		}
		text += "\nDeprecated: " + sanitize.Line(reason)
	}
	return text
}

func (d *Document) rubricRows(details []document.Detail) (string, [][]string) {
	r := d.Rubric
	lines := []string{r.Description}
	if r.Scoring.PassThreshold > 0 {
		lines = append(lines, fmt.Sprintf("Passes from an overall score of %s.", render.Number(r.Scoring.PassThreshold)))
	}
	if r.Scoring.EssentialMinimum > 0 {
		lines = append(lines, fmt.Sprintf("Each essential criterion needs %s or more.", render.Number(r.Scoring.EssentialMinimum)))
	}
	rows := [][]string{{"CRITERION", "WEIGHT", "MINIMUM", "QUESTION"}}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		rows = append(rows, []string{c.Name, string(c.Weight), render.Number(r.Minimum(c)), render.FirstSentence(c.Description)})
	}
	for _, n := range r.NegativeCriteria {
		rows = append(rows, []string{n.Name, "negative", "", render.FirstSentence(n.Description)})
	}
	title := sanitize.Line(r.Name) + ": a rubric for " + r.ArtifactType
	return header(title, lines, details, (*bundlefile.Deprecation)(r.Deprecated)), rows
}

func (d *Document) ruleSetRows(details []document.Detail) (string, [][]string) {
	s := d.RuleSet
	lines := []string{s.Description, fmt.Sprintf("Passes from a score of %s.", render.Number(s.Scoring.PassThreshold))}
	title := sanitize.Line(s.Name) + ": a rule set for " + s.ArtifactType
	return header(title, lines, details, (*bundlefile.Deprecation)(s.Deprecated)), rules.Rows(s.Rules)
}
