// Package table reads tables with their places: CSV files, and the columns of any table by
// their headings.
package table

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// ByteOrderMark starts the UTF-8 files of spreadsheets.
const ByteOrderMark = "\uFEFF"

// The codes of problems of CSV files.
const (
	CodeEncoding = "encoding"   // not UTF-8 text
	CodeCSV      = "csv-syntax" // not valid CSV
)

// Table is a table with a header.
type Table struct {
	Header Row
	Rows   []Row // without blank rows
}

// Row is a row of a table.
type Row struct {
	Number int // as in a spreadsheet, from 1
	Cells  []Cell
}

// Cell is a cell of a row.
type Cell struct {
	Text string // line ends are LF, or CR alone
	Span source.Span
}

// Cell returns the cell in a column. Missing cells at the end of a row are blank.
func (r Row) Cell(column int) Cell {
	if column >= 0 && column < len(r.Cells) {
		return r.Cells[column]
	}
	end := source.Span{}
	if len(r.Cells) > 0 {
		end.Start = r.Cells[len(r.Cells)-1].Span.End
		end.End = end.Start
	}
	return Cell{Span: end}
}

// CSV reads a CSV file whose first row is the header. A separator of 0 is detected. If there are
// problems, the table has the rows before the first one, or is nil if the file has no table.
// advice is the end of the message about a row with more cells than the header.
func CSV(f *source.File, separator rune, advice string) (*Table, []source.Problem) {
	t, problems := Rows(f, separator)
	if len(problems) > 0 {
		return t, problems
	}
	return t, t.TooLong(advice)
}

// Rows reads a CSV file as CSV does, with rows of any length.
func Rows(f *source.File, separator rune) (*Table, []source.Problem) {
	if p := checkText(f.Data); p != nil {
		return nil, []source.Problem{*p}
	}
	start, declared := begin(f.Data)
	rest := f.Data[start:]
	if separator == 0 {
		separator = cmp.Or(declared, separatorOf(rest))
	}
	r := reader{
		file: f, start: start, before: bytes.Count(f.Data[:start], []byte("\n")),
		csv: csv.NewReader(bytes.NewReader(rest)),
	}
	r.csv.Comma, r.csv.FieldsPerRecord = separator, -1
	t := &Table{}
	for {
		next, err := r.next()
		switch {
		case err == io.EOF && t.Header.Number == 0:
			return nil, []source.Problem{{
				Code: CodeCSV, Message: "The file is empty: the first row must have the column names.",
			}}
		case err == io.EOF:
			return t, nil
		case err != nil:
			return t, []source.Problem{r.explain(err)}
		case t.Header.Number == 0:
			t.Header = next
		case !next.isBlank():
			t.Rows = append(t.Rows, next)
		}
	}
}

// TooLong reports text after the columns of the header.
func (t *Table) TooLong(advice string) (problems []source.Problem) {
	for _, row := range t.Rows {
		problems = append(problems, row.tooLong(len(t.Header.Cells), advice)...)
	}
	return problems
}

// mostNames is how many headings a message names.
const mostNames = 20

// Names are the headings, for messages.
func (t *Table) Names() string {
	var names []string
	for _, c := range t.Header.Cells {
		if name := strings.TrimSpace(c.Text); name != "" {
			names = append(names, schema.Quote(name))
		}
	}
	if len(names) > mostNames {
		names = append(names[:mostNames], fmt.Sprintf("%d more", len(names)-mostNames))
	}
	return schema.Or(names, "and")
}

func (r Row) tooLong(columns int, advice string) []source.Problem {
	for i := columns; i < len(r.Cells); i++ {
		if c := r.Cells[i]; strings.TrimSpace(c.Text) != "" {
			return []source.Problem{{Code: CodeCSV, Span: c.Span, Message: fmt.Sprintf(
				"Row %d: more cells than the %d of the header. Put text that contains the separator in quotes%s.", r.Number, columns, advice)}}
		}
	}
	return nil
}

func (r Row) isBlank() bool {
	return !slices.ContainsFunc(r.Cells, func(c Cell) bool { return strings.TrimSpace(c.Text) != "" })
}

func checkText(data []byte) *source.Problem {
	for i, size := 0, 0; i < len(data); i += size {
		var r rune
		if r, size = utf8.DecodeRune(data[i:]); r == 0 || r == utf8.RuneError && size == 1 {
			return &source.Problem{Code: CodeEncoding, Span: source.Span{Start: i, End: i + 1}, Message: fmt.Sprintf(
				`Byte 0x%02X is not UTF-8 text: the file is a workbook or has another encoding. Save it as "CSV UTF-8".`, data[i])}
		}
	}
	return nil
}

type reader struct {
	file   *source.File
	start  int // the offset of the table
	before int // the number of lines before the table
	csv    *csv.Reader
	row    int // the number of the last row
	line   int // the line of the table after it
}

// next returns the next row. encoding/csv skips empty lines, which spreadsheets count as
// rows.
func (r *reader) next() (Row, error) {
	fields, err := r.csv.Read()
	if err != nil {
		return Row{}, err
	}
	first, _ := r.csv.FieldPos(0)
	r.row += 1 + first - max(r.line, 1)
	r.line = r.file.Position(r.start+int(r.csv.InputOffset())).Line - r.before
	out := Row{Number: r.row, Cells: make([]Cell, len(fields))}
	for i, text := range fields {
		out.Cells[i] = Cell{text, r.span(i, len(fields))}
	}
	return out, nil
}

// span returns the span, with quotes, of field i of the n fields in the last row.
func (r *reader) span(i, n int) source.Span {
	start := r.offset(r.csv.FieldPos(i))
	if i+1 < n {
		return source.Span{Start: start, End: r.offset(r.csv.FieldPos(i+1)) - 1} // without the separator
	}
	row := r.file.Data[start : r.start+int(r.csv.InputOffset())]
	return source.Span{Start: start, End: start + len(bytes.TrimRight(row, "\r\n"))}
}

// offset converts a position of encoding/csv to an offset in the file.
func (r *reader) offset(line, column int) int {
	start := r.start
	if line > 1 {
		start = r.file.LineSpan(r.before + line).Start
	}
	offset := start + column - 1
	return min(max(offset, 0), len(r.file.Data))
}

func (r *reader) explain(err error) source.Problem {
	var syntax *csv.ParseError
	if !errors.As(err, &syntax) {
		return source.Problem{Code: CodeCSV, Message: err.Error()}
	}
	at := r.offset(syntax.Line, syntax.Column)
	if at >= len(r.file.Data) {
		return source.Problem{
			Code: CodeCSV, Span: r.file.LineSpan(r.before + syntax.StartLine),
			Message: "A quote in this row is not closed. Close it, and double each quote inside quotes. The rows from here on were not read.",
		}
	}
	return source.Problem{
		Code: CodeCSV, Span: source.Span{Start: at, End: at + 1},
		Message: "A cell with a quote must be in quotes, and the quote inside must be doubled. The rows from here on were not read.",
	}
}

// Fold normalizes case, white space, and underscores of a heading.
func Fold(heading string) string {
	words := strings.FieldsFunc(strings.ToLower(strings.TrimPrefix(heading, ByteOrderMark)), func(r rune) bool {
		return r == '_' || strings.ContainsRune(" \t\r\n\u00a0", r)
	})
	return strings.Join(words, "_")
}

// Columns returns the first column with each meaning, and the columns whose meaning is "". The
// problems, with a code, are second columns with a meaning, which of precedes in messages.
func (t *Table) Columns(
	code, of string, meaning func(heading string) string,
) (at map[string]int, unread []int, problems []source.Problem) {
	at = map[string]int{}
	name := func(c Cell) string { return schema.Quote(strings.TrimSpace(c.Text)) }
	for i, c := range t.Header.Cells {
		m := meaning(c.Text)
		first, twice := at[m]
		switch {
		case m == "":
			unread = append(unread, i)
		case twice:
			other := t.Header.Cells[first]
			problems = append(problems, source.Problem{
				Code: code, Span: c.Span,
				Message: fmt.Sprintf("The columns %s and %s both have the %s%s. Remove one of them.", name(other), name(c), of, m),
				Related: []source.Related{{Span: other.Span, Message: "the other column"}},
			})
		default:
			at[m] = i
		}
	}
	return at, unread, problems
}

// Defuse prefixes an apostrophe to a text that a spreadsheet could interpret as a
// formula. Arm is its inverse: Arm(Defuse(text)) == text.
func Defuse(text string) string {
	if isArmed(text) {
		return "'" + text
	}
	return text
}

// Arm removes the apostrophe that Defuse added, unless a spreadsheet removed it.
func Arm(text string) string {
	if strings.HasPrefix(text, "'") && isArmed(text) {
		return text[1:]
	}
	return text
}

// isArmed reports whether a spreadsheet could interpret a text as a formula. It ignores
// leading apostrophes, so that Arm removes only the one that Defuse added.
func isArmed(text string) bool {
	text = strings.TrimLeft(text, "'")
	if text != "" && strings.IndexByte("\t\r\n", text[0]) >= 0 {
		return true
	}
	text = strings.TrimLeftFunc(text, showsNothing)
	for _, sign := range []string{"=", "+", "-", "@", "＝", "＋", "－", "＠"} {
		if strings.HasPrefix(text, sign) {
			return true
		}
	}
	return false
}

// showsNothing reports whether a spreadsheet may drop a character from the start of a
// cell: white space, control characters, and format characters such as byte order marks.
func showsNothing(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.Z, unicode.Cc, unicode.Cf)
}
