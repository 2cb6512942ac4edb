package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
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
	for _, count := range []struct {
		of string
		n  int
	}{
		{"New items without labels", m.Unlabeled}, {"Answers that the item does not let the rater tell", m.CannotTell},
		{"Replaced labels", m.Replaced}, {"Unchanged labels", m.Unchanged},
	} {
		if count.n > 0 {
			fmt.Fprintf(&b, "%s: %d.\n", count.of, count.n)
		}
	}
	unread(&b, i.Unread)
	if !i.IsNamed {
		fmt.Fprintf(&b, "The rubric %s does not name this dataset yet. Add to the rubric: calibration_dataset: %q\n", sanitize.Line(i.Rubric), i.Dataset+"/dataset.yaml")
	}
	return endImport(w, &b, i.DryRun)
}

// ImportedScores is the result of an import of a judge's scores, or of its dry run.
type ImportedScores struct {
	// File is the file of the judge's answers, relative to the library.
	File, Run string
	DryRun    bool
	// Added counts new answers, and Unchanged those that the run already had. Items are
	// those of the dataset, and Missing those without a readable answer.
	Added, Unchanged, Items, Missing int
	// Unread are the names of the columns that were ignored.
	Unread []string
}

// ScoresImported prints the result of an import of a judge's scores.
func ScoresImported(w io.Writer, i ImportedScores) error {
	var b strings.Builder
	verb := map[bool]string{false: "added", true: "would add"}[i.DryRun]
	fmt.Fprintf(&b, "%s: %s %s to run %s.\n", sanitize.Line(i.File), verb, render.Count(i.Added, "answer"), sanitize.Line(i.Run))
	if i.Unchanged > 0 {
		fmt.Fprintf(&b, "Unchanged answers: %d.\n", i.Unchanged)
	}
	if i.Missing > 0 {
		fmt.Fprintf(&b, "Items without an answer: %d of %d.\n", i.Missing, i.Items)
	}
	unread(&b, i.Unread)
	return endImport(w, &b, i.DryRun)
}

func unread(b *strings.Builder, columns []string) {
	if len(columns) > 0 {
		fmt.Fprintf(b, "Ignored columns: %s.\n", sanitize.Line(strings.Join(columns, ", ")))
	}
}

// endImport writes the result of an import, and says whether nothing was imported.
func endImport(w io.Writer, b *strings.Builder, dryRun bool) error {
	if dryRun {
		b.WriteString("Nothing was written.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Sheet is a sheet that was written.
type Sheet struct {
	File   string
	Choice labels.Choice
	// By says who labeled the other items.
	By calibration.Labeler
	// Items counts its items, and Done those that the rater has already labeled.
	Items, Done int
	// TooLong lists items whose texts spreadsheets truncate.
	TooLong string
	// Needed says how many items a decision will take, or is "".
	Needed string
}

// SheetMade reports which sheet was written.
func SheetMade(w io.Writer, s Sheet) error {
	var b strings.Builder
	rater := sanitize.Line(s.Choice.Rater)
	fmt.Fprintf(&b, "%s: %s for %s to label. When the sheet is filled in, import it with `rubric calibrate import`.\n", sanitize.Line(s.File), render.Count(s.Items, "item"), rater)
	if s.Choice.Count > 0 {
		fmt.Fprintf(&b, "The items were chosen at random with seed %d.\n", s.Choice.Seed)
	}
	if s.Done > 0 {
		fmt.Fprintf(&b, "Items that %s has already labeled, left out: %d.\n", rater, s.Done)
	}
	if line := s.By.Demonstration(); line != "" {
		fmt.Fprintf(&b, "%s Labels that are added to it are, too.\n", line)
	} else if s.Needed != "" {
		fmt.Fprintln(&b, sanitize.Line(s.Needed))
	}
	if s.TooLong != "" {
		fmt.Fprintf(&b, "Spreadsheets truncate text after %d characters. Items with longer text: %s.\n", labels.MostCharacters, sanitize.Line(s.TooLong))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// PassRate writes what the pass rate of a judge on other data means.
func PassRate(w io.Writer, r *calibration.Report, passed agreement.Share, corrected agreement.Estimate) error {
	tenths := func(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }
	demonstration := r.Dataset.LabeledBy.Demonstration()
	if demonstration != "" {
		demonstration += "\n"
	}
	_, err := fmt.Fprintf(w, `%s
%sThe judge passed %d of %d items: %s.
People would pass about %s (%s to %s).
Right passes %s, right fails %s, on %d labeled items. The estimate assumes that both rates
are the same on the new items.
`, sanitize.Line(subjectLine(r)), demonstration, passed.Part, passed.Whole, tenths(passed.Value().Number),
		tenths(corrected.Number), tenths(corrected.Interval.Low), tenths(corrected.Interval.High),
		interval(&r.Verdict.RightPasses), interval(&r.Verdict.RightFails), r.Verdict.Items())
	return err
}
