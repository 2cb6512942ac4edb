// Package labels carries labels between datasets and tables: it reads the CSV
// files that spreadsheets and other tools write, merges their labels into a
// dataset, and writes the sheets that raters fill in.
//
// It promises that no label is lost, guessed or changed on the way. A file is
// taken as a whole or not at all, and everything that is wrong with it is named
// with its row and column. A sheet shows a rater neither other labels nor the IDs
// of the items, no cell of it is a formula, and what comes back is what went out,
// but for line ends, which are LF.
package labels

import (
	"fmt"
	"regexp"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// The problems of a file of labels.
const (
	CodeEncoding  = "encoding"        // no UTF-8, or no text at all
	CodeCSV       = "csv-syntax"      // no CSV
	CodeColumn    = "column"          // a column that is missing, twice or of no known meaning
	CodeCell      = "cell"            // a cell that can't be what its column says
	CodeDuplicate = "duplicate-label" // two labels of a rater for the same thing
	CodeConflict  = "conflict"        // what the dataset has otherwise
)

// Labels is what a file says.
type Labels struct {
	// Items are in the order in which the file names them first.
	Items []*Item
	// Form is what the sheet that was filled in says of itself, nil for any other
	// file.
	Form *Form
	// Unread are the names of columns that were left aside.
	Unread []string
}

// Item is what a file says of an item.
type Item struct {
	ID string
	// Artifact is "" where the file does not repeat it.
	Artifact string
	Inputs   map[string]string
	// Labels are in the order of the file.
	Labels []Label

	place place // of the ID
	text  place // of the artifact
}

// Label is a label in a file.
type Label struct {
	Rater, Criterion string
	Value            int // 1 to 5

	place place
}

// place is a cell of a file.
type place struct {
	row    int    // as a spreadsheet counts them, from 1
	column string // the name of the column as the file has it
	span   source.Span
}

// expected is the problem of a cell that should hold something else.
func (p place) expected(found, expected string) source.Problem {
	if found == "" {
		return p.problem(CodeCell, "found nothing, expected "+expected+".")
	}
	return p.problem(CodeCell, fmt.Sprintf("found %s, expected %s.", schema.Quote(found), expected))
}

func (p place) problem(code, message string) source.Problem {
	return source.Problem{Code: code, Span: p.span, Message: fmt.Sprintf("Row %d, column %s: %s", p.row, schema.Quote(p.column), message)}
}

// pseudonym is the form of the IDs of items and the names of raters, as the table
// of items has it.
var pseudonym = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

const pseudonymSays = "up to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit"
