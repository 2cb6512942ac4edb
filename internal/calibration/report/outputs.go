// Package report says what was measured and decided about judges: one view, and from it text,
// Markdown, JSON, sections of the site, and the statistics of a bundle.
package report

import (
	"fmt"
	"io"
	"strings"

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
