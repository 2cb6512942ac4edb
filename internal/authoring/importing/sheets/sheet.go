package sheets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/table"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// sheet is a table of a spreadsheet, with what its columns have.
type sheet struct {
	*intake.Reader
	table   *table.Table
	columns []column
	// Titles are the texts above the header.
	Titles []string
	layout string
	Unit   string // what the number of a row counts, or "" for rows
	// names are those of groups.
	names []string
}

// column is a column of a sheet.
type column struct {
	heading string // as in the file, on one line
	field   string // one of the fields below, or ""
	level   *levels.Level
	// part is what a column has of the level with the number, in a sheet with several columns
	// for each level: its name, text, or score.
	part   string
	number int
	// anchor is the score from 1 to 5 that the texts of a column deserve, or sample is the label of
	// their level, if they are examples.
	anchor int
	sample string
	read   bool
}

// textsOf are the texts of a row.
func textsOf(row table.Row) (texts []string) {
	for _, c := range row.Cells {
		if text := strings.TrimSpace(intake.Lines(table.Arm(c.Text))); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

func (s *sheet) place(row table.Row) string {
	return fmt.Sprintf("%s %d", cmp.Or(s.Unit, "row"), row.Number)
}

// text is the text of a cell, without white space around it.
func (s *sheet) text(row table.Row, i int) string {
	if i < 0 || i >= len(s.columns) {
		return ""
	}
	s.columns[i].read = true
	return strings.TrimSpace(intake.Lines(table.Arm(row.Cell(i).Text)))
}

// field is the text of the cell in the column with a field.
func (s *sheet) field(row table.Row, field string) string { return s.text(row, s.columnOf(field)) }

var (
	// decimalComma matches a number as spreadsheets write it in some languages. With three
	// digits, the comma could separate thousands.
	decimalComma = lazy.Expr(`^([0-9]+),([0-9]{1,2})$`)
	// outOf is what is before the points of a form that people fill in, such as "__/20".
	outOf = lazy.Expr(`^[_\s]*/\s*`)
)

// word is the text of a cell as a number or a word: a spreadsheet may have capitalized words and
// written decimal commas.
func (s *sheet) word(row table.Row, field string) string {
	text := outOf().ReplaceAllString(strings.ToLower(s.field(row, field)), "")
	return decimalComma().ReplaceAllString(text, "$1.$2")
}

// columnOf is the column with a field, or -1.
func (s *sheet) columnOf(field string) int {
	return slices.IndexFunc(s.columns, func(c column) bool { return c.field == field })
}

func (s *sheet) has(field string) bool { return s.columnOf(field) >= 0 }

// hasLevels reports whether there are columns of several levels.
func (s *sheet) hasLevels() bool {
	return len(s.levelColumns()) > 1 || slices.ContainsFunc(s.columns, func(c column) bool { return c.part != "" })
}

// levelColumns are the columns of levels, in the order of the file.
func (s *sheet) levelColumns() (at []int) {
	for i, c := range s.columns {
		if c.level != nil {
			at = append(at, i)
		}
	}
	return at
}
