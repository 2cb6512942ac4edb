package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Import is what an import of labels did, or would do.
type Import struct {
	// Dataset is the folder of the dataset, relative to the library.
	Dataset string
	// Rubric is the ID of the rubric, and IsNamed that it names the dataset.
	Rubric  string
	IsNamed bool
	IsNew   bool
	DryRun  bool
	Merged  *labels.Merged
	// Unread are the columns that were left aside.
	Unread []string
}

// Imported says what was added to a dataset.
func Imported(w io.Writer, i Import) error {
	var b strings.Builder
	m := i.Merged
	verb := map[bool]string{false: "added", true: "would add"}[i.DryRun]
	fmt.Fprintf(&b, "%s: %s %s and %s", sanitize.Line(i.Dataset), verb, render.Count(m.NewItems, "item"), render.Count(m.NewLabels, "label"))
	if len(m.Raters) > 0 {
		fmt.Fprintf(&b, " by %s", sanitize.Line(strings.Join(m.Raters, ", ")))
	}
	b.WriteString(".\n")
	if m.Unlabelled > 0 {
		fmt.Fprintf(&b, "New items without any label: %d.\n", m.Unlabelled)
	}
	if m.Replaced > 0 {
		fmt.Fprintf(&b, "Labels with another value than before: %d.\n", m.Replaced)
	}
	if m.Unchanged > 0 {
		fmt.Fprintf(&b, "Labels that were there already: %d.\n", m.Unchanged)
	}
	if len(i.Unread) > 0 {
		fmt.Fprintf(&b, "Columns that were not read: %s.\n", sanitize.Line(strings.Join(i.Unread, ", ")))
	}
	if !i.IsNamed {
		fmt.Fprintf(&b, "The rubric %s does not name this dataset yet. Write into it: calibration_dataset: %q\n", sanitize.Line(i.Rubric), i.Dataset+"/dataset.yaml")
	}
	if i.DryRun {
		b.WriteString("Nothing was written.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// SheetMade says which sheet was written. done counts items that the rater has
// labelled, and tooLong names those that spreadsheets cut off.
func SheetMade(w io.Writer, file, rater string, items, done int, tooLong string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s for %s to label. `rubric calibrate import` takes the file when it is filled in.\n", sanitize.Line(file), render.Count(items, "item"), sanitize.Line(rater))
	if done > 0 {
		fmt.Fprintf(&b, "Left out, because %s has labelled them: %d.\n", sanitize.Line(rater), done)
	}
	if tooLong != "" {
		fmt.Fprintf(&b, "Spreadsheets cut texts after %d characters. Longer are: %s.\n", labels.MostCharacters, sanitize.Line(tooLong))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
