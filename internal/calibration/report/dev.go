package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/render"
)

// Dev is what every output says about disagreements on the items for tuning.
type Dev struct {
	*measure.Dev
	render.Text
}

// shownDisagreements is how many disagreements a person sees at once.
const shownDisagreements = 10

// ShownDisagreements returns the largest disagreements.
func (d *Dev) ShownDisagreements() []measure.Disagreement {
	return d.Disagreements[:min(len(d.Disagreements), shownDisagreements)]
}

// Scores are what people and each judge gave, such as "people 4.5 (r1 4, r2 5)" and "j 2".
func (d *Dev) Scores(one measure.Disagreement) (said []string) {
	people := "people " + score(one.People)
	if len(one.Labels) > 1 {
		var each []string
		for _, rater := range slices.Sorted(maps.Keys(one.Labels)) {
			each = append(each, rater+" "+score(one.Labels[rater]))
		}
		people += fmt.Sprintf(" (%s)", strings.Join(each, ", "))
	}
	said = append(said, people)
	for i, of := range one.Judges {
		if of.Score == nil {
			said = append(said, d.Judges[i].Name+" no score")
		} else {
			said = append(said, d.Judges[i].Name+" "+score(*of.Score))
		}
	}
	return said
}

// Rows count the disagreements by criterion, a column for each judge.
func (d *Dev) Rows() [][]string {
	rows := [][]string{{"CRITERION"}}
	for _, j := range d.Judges {
		rows[0] = append(rows[0], j.Name)
	}
	for _, c := range d.Criteria {
		row := []string{c.Name}
		for _, count := range c.Judges {
			row = append(row, fmt.Sprintf("%d of %d", count.Apart, count.Items))
		}
		rows = append(rows, row)
	}
	return rows
}

// DevJSON writes disagreements as one object that conforms to
// schema/calibration-output.schema.json.
func DevJSON(w io.Writer, devs []*measure.Dev) error {
	return render.WriteJSON(w, Output{SchemaVersion: SchemaVersion, Dev: devs})
}

// DevText writes disagreements for a terminal.
func DevText(w io.Writer, all []*measure.Dev, opts render.TextOptions) error {
	return writeDev(w, "dev text", "\n\n", all, render.Text{Options: opts})
}

// DevMarkdown writes disagreements for a comment or a summary.
func DevMarkdown(w io.Writer, all []*measure.Dev) error {
	return writeDev(w, "dev markdown", "\n", all, render.Text{})
}

func writeDev(w io.Writer, name, between string, all []*measure.Dev, t render.Text) error {
	var texts []string
	for _, one := range all {
		texts = append(texts, message(name, &Dev{one, t}))
	}
	_, err := io.WriteString(w, strings.Join(texts, between)+"\n")
	return err
}
