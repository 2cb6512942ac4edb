package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
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
	kind, data := &document.Rubric, d.JSON()
	rowsOf := func(details []document.Detail) (string, [][]string) { return rubricRows(d.Rubric, details) }
	if d.RuleSet != nil {
		kind = &document.RuleSet
		rowsOf = func(details []document.Detail) (string, [][]string) { return ruleSetRows(d.RuleSet, details) }
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
	if _, err := fmt.Fprintf(w, "%s\n%s\n%s\n", d.Reference, head, calibration); err != nil {
		return err
	}
	if err := render.Table(w, rows); err != nil {
		return err
	}
	lines, err := document.Outline(kind, data)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, sanitize.Line(line)); err != nil {
			return err
		}
	}
	return nil
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

// header is the beginning of both kinds.
type header struct {
	name, artifactType, description string
	deprecated                      *bundlefile.Deprecation
	passes                          []string
	details                         []document.Detail
}

func (h *header) text(kind string) string {
	var t strings.Builder
	fmt.Fprintf(&t, "%s: a %s for %s", h.name, kind, h.artifactType)
	for _, text := range append([]string{h.description}, h.passes...) {
		if text = render.OneLine(text); text != "" {
			t.WriteString("\n" + sanitize.Line(text))
		}
	}
	for _, d := range h.details {
		t.WriteString("\n" + d.Name + ": " + sanitize.Line(render.OneLine(d.Text)))
	}
	if d := h.deprecated; d != nil {
		t.WriteString("\nDeprecated: " + sanitize.Line(d.Reason+insteadOf(d.ReplacedBy)))
	}
	return t.String()
}

func insteadOf(id string) string {
	if id == "" {
		return ""
	}
	return " Use " + id + " instead."
}

func rubricRows(r *rubric.Rubric, details []document.Detail) (string, [][]string) {
	h := header{sanitize.Line(r.Name), r.ArtifactType, r.Description, (*bundlefile.Deprecation)(r.Deprecated), nil, details}
	if r.Scoring.PassThreshold > 0 {
		h.passes = append(h.passes, fmt.Sprintf("Passes from an overall score of %s.", render.Number(r.Scoring.PassThreshold)))
	}
	if r.Scoring.EssentialMinimum > 0 {
		h.passes = append(h.passes, fmt.Sprintf("Each essential criterion needs %s or more.", render.Number(r.Scoring.EssentialMinimum)))
	}
	rows := [][]string{{"CRITERION", "WEIGHT", "MINIMUM", "QUESTION"}}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		rows = append(rows, []string{c.Name, string(c.Weight), render.Number(r.Minimum(c)), render.FirstSentence(c.Description)})
	}
	for _, n := range r.NegativeCriteria {
		rows = append(rows, []string{n.Name, "negative", "", render.FirstSentence(n.Description)})
	}
	return h.text("rubric"), rows
}

func ruleSetRows(s *ruleset.RuleSet, details []document.Detail) (string, [][]string) {
	h := header{sanitize.Line(s.Name), s.ArtifactType, s.Description, (*bundlefile.Deprecation)(s.Deprecated), nil, details}
	h.passes = []string{fmt.Sprintf("Passes from a score of %s.", render.Number(s.Scoring.PassThreshold))}
	rows := [][]string{{"RULE", "SEVERITY", "WEIGHT", "DESCRIPTION"}}
	for _, r := range s.Rules {
		rows = append(rows, []string{r.ID, string(r.Severity), render.Number(r.Weight), render.FirstSentence(r.Description)})
	}
	return h.text("rule set"), rows
}
