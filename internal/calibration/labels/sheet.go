// Package labels transfers labels between datasets and tables. It reads the CSV files
// that spreadsheets and other tools write, merges their labels into a dataset, and writes
// the sheets that raters fill in. It also reads the scores of judges from such files.
//
// It promises that no label is lost, guessed, or changed. A file is imported completely
// or not at all, and every problem is reported with its row and column. A sheet shows a
// rater neither other labels nor the IDs of the items, and no cell is a formula. Texts
// survive a round trip through a sheet except that line ends become LF.
package labels

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// The codes of the problems of a file of labels.
const (
	CodeColumn    = "column"          // a missing, duplicate, or unknown column
	CodeCell      = "cell"            // an invalid value for its column
	CodeDuplicate = "duplicate-label" // two labels of a rater for the same item and criterion
	CodeConflict  = "conflict"        // contradicts the dataset
)

// Labels is the content of a file of labels.
type Labels struct {
	// Items are in the order of their first appearance in the file.
	Items []*Item
	// Form is the form of a sheet, nil for any other file.
	Form *Form
	// Unread are the names of the columns that were ignored.
	Unread []string
}

// Item is an item in a file of labels.
type Item struct {
	ID string
	// Artifact is "" if the file does not include it.
	Artifact string
	Inputs   map[string]string
	// Split is what the row code of a sheet says, "" if that is nothing.
	Split string
	// Labels are in the order of the file.
	Labels []Label

	place place // of the ID
	text  place // of the artifact
}

// storedForm returns the item as a dataset stores it, without labels.
func (i *Item) storedForm() *calibration.Item {
	return &calibration.Item{ID: i.ID, Artifact: i.Artifact, Inputs: i.Inputs}
}

// Label is a label in a file, or a score of a judge, which has no rater.
type Label struct {
	Rater, Criterion string
	Value            float64 // from 1 to 5, whole if a person gave it, or CannotTell
	// Repeat, from 1, and Reason belong to the score of a judge.
	Repeat int
	Reason string

	place place
}

type place struct {
	row    int    // as in a spreadsheet, from 1
	column string // the heading in the file
	span   source.Span
}

func (p place) problemOf(found, expected string) source.Problem {
	if found == "" {
		return p.problem(CodeCell, "the cell is empty, expected "+expected+".")
	}
	return p.problem(CodeCell, fmt.Sprintf("found %s, expected %s.", schema.Quote(found), expected))
}

func (p place) problem(code, message string) source.Problem {
	return source.Problem{
		Code: code, Span: p.span,
		Message: fmt.Sprintf("Row %d, column %s: %s", p.row, schema.Quote(p.column), message),
	}
}

// pseudonym is the form of item IDs and rater names, the same as in the schema of items.
var pseudonym = lazy.Expr(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

const pseudonymSays = "up to 64 letters, digits, dots, dashes, and underscores, starting with a letter or digit"
