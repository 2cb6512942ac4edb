package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Import is the result of an import of labels, or of its dry run.
type Import struct {
	// Dataset is the folder of the dataset, relative to the library.
	Dataset string
	// Rubric is the ID of the rubric; IsNamed reports whether it names the dataset.
	Rubric  string
	IsNamed bool
	IsNew   bool
	DryRun  bool
	Merged  *labels.Merged
	// Unread are the names of the columns that were ignored.
	Unread []string
}

// Imported prints the result of an import.
func Imported(w io.Writer, i Import) error {
	var b strings.Builder
	m := i.Merged
	verb := map[bool]string{false: "added", true: "would add"}[i.DryRun]
	fmt.Fprintf(&b, "%s: %s %s and %s", sanitize.Line(i.Dataset), verb, render.Count(m.NewItems, "item"), render.Count(m.NewLabels, "label"))
	if len(m.Raters) > 0 {
		fmt.Fprintf(&b, " by %s", sanitize.Line(strings.Join(m.Raters, ", ")))
	}
	b.WriteString(".\n")
	if m.Unlabeled > 0 {
		fmt.Fprintf(&b, "New items without labels: %d.\n", m.Unlabeled)
	}
	if m.Replaced > 0 {
		fmt.Fprintf(&b, "Replaced labels: %d.\n", m.Replaced)
	}
	if m.Unchanged > 0 {
		fmt.Fprintf(&b, "Unchanged labels: %d.\n", m.Unchanged)
	}
	if len(i.Unread) > 0 {
		fmt.Fprintf(&b, "Ignored columns: %s.\n", sanitize.Line(strings.Join(i.Unread, ", ")))
	}
	if !i.IsNamed {
		fmt.Fprintf(&b, "The rubric %s does not name this dataset yet. Add to the rubric: calibration_dataset: %q\n", sanitize.Line(i.Rubric), i.Dataset+"/dataset.yaml")
	}
	if i.DryRun {
		b.WriteString("Nothing was written.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// usualItems is how many items decide about most good judges; the simulations of
// docs/calibration-power.md are its source.
const usualItems = 100

// SheetMade reports which sheet was written. done counts the items that the rater has
// already labeled, and by says who labeled the others; tooLong lists items whose texts spreadsheets truncate.
func SheetMade(w io.Writer, file, rater string, by calibration.Labeler, items, done int, tooLong string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s for %s to label. When the sheet is filled in, import it with `rubric calibrate import`.\n", sanitize.Line(file), render.Count(items, "item"), sanitize.Line(rater))
	if done > 0 {
		fmt.Fprintf(&b, "Items that %s has already labeled, left out: %d.\n", sanitize.Line(rater), done)
	}
	if line := by.Demonstration(); line != "" {
		fmt.Fprintf(&b, "%s Labels that are added to it are, too.\n", line)
	} else if items+done < usualItems {
		fmt.Fprintf(&b, "To calibrate a judge usually takes %d to %d labeled items: docs/calibration-power.md\n", usualItems, 3*usualItems)
	}
	if tooLong != "" {
		fmt.Fprintf(&b, "Spreadsheets truncate text after %d characters. Items with longer text: %s.\n", labels.MostCharacters, sanitize.Line(tooLong))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
