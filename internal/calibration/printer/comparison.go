package printer

import (
	"fmt"
	"io"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// ComparisonJSON writes a comparison of two runs as one object.
func ComparisonJSON(w io.Writer, c *calibration.Comparison) error {
	return render.WriteJSON(w, struct {
		SchemaVersion int `json:"schema_version"`
		*calibration.Comparison
	}{SchemaVersion, c})
}

// ComparisonText writes a comparison of two runs for a terminal.
func ComparisonText(w io.Writer, c *calibration.Comparison, opts render.TextOptions) error {
	t := render.Text{Options: opts}
	t.Printf("%s\n\n", t.Paint(render.StyleBold, sanitize.Line(comparedRuns(c))))
	if err := render.Table(&t, comparisonRows(c)); err != nil {
		return err
	}
	t.Printf("\n")
	for _, line := range comparisonLines(c) {
		t.Printf("- %s\n", sanitize.Line(line))
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// ComparisonMarkdown writes a comparison of two runs for a job summary.
func ComparisonMarkdown(w io.Writer, c *calibration.Comparison) error {
	m := render.Markdown{}
	m.Printf("### %s\n\n", render.Code(comparedRuns(c)))
	rows := comparisonRows(c)
	markdownTable(&m, rows, len(rows[0]))
	m.Printf("\n")
	for _, line := range comparisonLines(c) {
		m.Printf("- %s\n", render.Plain(line))
	}
	_, err := io.WriteString(w, m.String())
	return err
}

func comparedRuns(c *calibration.Comparison) string {
	return fmt.Sprintf("Before: %s (%s, run %s); after: %s (%s, run %s)", c.Before.Name, c.Before.Model, c.Before.Run, c.After.Name, c.After.Model, c.After.Run)
}

func comparisonRows(c *calibration.Comparison) [][]string {
	rows := [][]string{{"CRITERION", "ITEMS", "BEFORE", "AFTER", "DIFFERENCE", "NOISE", "SHIFT", "NOISE", "CHANGED"}}
	for i := range c.Criteria {
		one := &c.Criteria[i]
		changed := "no"
		if one.Changed {
			changed = "yes"
		}
		rows = append(rows, []string{
			one.Name, fmt.Sprint(one.Items), value(one.Before), value(one.After),
			difference(&one.Correlation), value(one.Correlation.Noise), difference(&one.Shift), value(one.Shift.Noise), changed,
		})
	}
	return rows
}

func difference(d *calibration.Difference) string {
	text := signedValue(d.Value)
	if d.Defined() && d.Interval.Undefined == "" {
		text += fmt.Sprintf(" (%.2f to %.2f)", d.Interval.Low, d.Interval.High)
	}
	return text
}

// comparisonLines returns the messages of the comparison, then the reason of each criterion.
func comparisonLines(c *calibration.Comparison) []string {
	lines := append([]string{}, c.Messages...)
	for _, one := range c.Criteria {
		lines = append(lines, one.Reason)
	}
	return lines
}
