package printer

import (
	_ "embed" // the messages
	"fmt"
	"io"
	"strings"
	"sync"
	"text/template"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

var (
	//go:embed messages.txt
	messages string

	messageTemplate = sync.OnceValue(func() *template.Template {
		t := template.New("")
		return template.Must(t.Funcs(template.FuncMap{
			"line": sanitize.Line, "list": func(words []string) string { return sanitize.Line(strings.Join(words, ", ")) },
			"count": render.Count, "number": render.Number, "value": value, "percent": percent,
			"interval": func(e agreement.Estimate) string { return interval(&e) },
			"tenths":   func(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) },
			"most":     func() int { return labels.MostCharacters },
			"code":     render.Code, "cell": render.Cell, "plain": render.Plain,
			"lines":   lines,
			"message": func(name string, data any) string { return executed(t, name, data) },
			"table":   table, "rows": calibrationRows, "style": outcomeStyle, "conclusion": conclusion,
			"sentences": func(r *calibration.Tracked) []string { return lines(executed(t, "sentences", r)) },
			"words":     func(o calibration.Outcome) string { return outcomeWords[o] },
			"worst":     worst, "score": score, "beginning": beginning,
		}).Parse(messages))
	})
)

// message is a message without a line end.
func message(name string, data any) string { return executed(messageTemplate(), name, data) }

func lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}

func executed(t *template.Template, name string, data any) string {
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // the template does not fit the data
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func say(w io.Writer, name string, data any) error {
	_, err := io.WriteString(w, message(name, data)+"\n")
	return err
}

// Import is the result of an import of labels, or of its dry run.
type Import struct {
	// Dataset is the folder of the dataset, relative to the library.
	Dataset string
	// Rubric is the ID of the rubric; IsNamed reports whether it names the dataset.
	Rubric  string
	IsNamed bool
	DryRun  bool
	*labels.Merged
	// Unread are the names of the columns that were ignored.
	Unread []string
}

// Imported prints the result of an import.
func Imported(w io.Writer, i Import) error { return say(w, "import", i) }

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
func ScoresImported(w io.Writer, i ImportedScores) error { return say(w, "scores", i) }

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
func SheetMade(w io.Writer, s Sheet) error { return say(w, "sheet", s) }

// PassRate writes what the pass rate of a judge on other data means.
func PassRate(w io.Writer, r *calibration.Report, passed agreement.Share, corrected agreement.Estimate) error {
	return say(w, "rate", struct {
		*calibration.Report
		Passed    agreement.Share
		Corrected agreement.Estimate
	}{r, passed, corrected})
}
