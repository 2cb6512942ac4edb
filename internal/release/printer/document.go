package printer

import (
	"io"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/render"
	rules "github.com/rubric-library/rubric-library/internal/rulesets/printer"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// DocumentText writes a whole document for people: a header, with a line about each judge of
// the calibration unless it is nil, the criteria or rules as a table, and then the details of each.
// columns is the width of the terminal, or 0.
func DocumentText(w io.Writer, d *library.Document, c *library.Calibration, columns int) error {
	kind, rowsOf, data := &document.Rubric, rubricRows, d.JSON()
	if d.RuleSet != nil {
		kind, rowsOf = &document.RuleSet, ruleSetRows
	}
	details, err := document.Details(kind, data)
	if err != nil {
		return err
	}
	lines, err := document.Outline(kind, data)
	if err != nil {
		return err
	}
	head, rows := rowsOf(d, details)
	var t render.Output
	t.Printf("%s\n%s\n%s\n", d.Reference, head, calibration(c))
	if err := render.Table(&t, rows, columns); err != nil {
		return err
	}
	for _, line := range lines {
		t.Printf("%s\n", sanitize.Line(line))
	}
	return t.Flush(w)
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

func rubricRows(d *library.Document, details []document.Detail) (string, [][]string) {
	r := d.Rubric
	lines := []string{r.Description, WhenPasses(d)}
	rows := [][]string{{"CRITERION", "WEIGHT", "MINIMUM", "QUESTION"}}
	for _, c := range r.Criteria {
		rows = append(rows, []string{
			c.Name, string(c.Weight), render.Number(r.Minimum(&c)), render.FirstSentence(c.Description),
		})
	}
	for _, n := range r.NegativeCriteria {
		rows = append(rows, []string{n.Name, "negative", "", render.FirstSentence(n.Description)})
	}
	title := sanitize.Line(r.Name) + ": a rubric for " + r.ArtifactType
	return header(title, lines, details, (*bundlefile.Deprecation)(r.Deprecated)), rows
}

func ruleSetRows(d *library.Document, details []document.Detail) (string, [][]string) {
	s := d.RuleSet
	lines := []string{s.Description, WhenPasses(d)}
	title := sanitize.Line(s.Name) + ": a rule set for " + s.ArtifactType
	return header(title, lines, details, (*bundlefile.Deprecation)(s.Deprecated)), rules.Rows(s.Rules)
}
