package labels

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// byteOrderMark starts the UTF-8 files of spreadsheets.
const byteOrderMark = "\uFEFF"

type table struct {
	file   *source.File
	header row
	rows   []row // without blank rows
}

type row struct {
	number int // as in a spreadsheet, from 1
	cells  []cell
}

type cell struct {
	text string // line ends are LF, or CR alone
	span source.Span
}

// cell returns the cell in a column. Missing cells at the end of a row are blank.
func (r row) cell(column int) cell {
	if column >= 0 && column < len(r.cells) {
		return r.cells[column]
	}
	end := source.Span{}
	if len(r.cells) > 0 {
		end.Start = r.cells[len(r.cells)-1].span.End
		end.End = end.Start
	}
	return cell{span: end}
}

func (t *table) place(r row, column int) place {
	return place{row: r.number, column: strings.TrimSpace(t.header.cell(column).text), span: r.cell(column).span}
}

// ReadCells reads a CSV file with any columns, as Write writes one: the header and the
// rows that are not blank, each with as many cells as the header.
func ReadCells(f *source.File) (rows [][]string, problems []source.Problem) {
	t, problems := readRows(f, 0)
	if len(problems) == 0 {
		problems = t.tooLong("")
	}
	if len(problems) > 0 {
		return nil, problems
	}
	for _, r := range append([]row{t.header}, t.rows...) {
		texts := make([]string, len(t.header.cells))
		for i := range texts {
			texts[i] = arm(r.cell(i).text)
		}
		rows = append(rows, texts)
	}
	return rows, nil
}

// readTable is readRows for a table of labels or scores.
func readTable(f *source.File, separator rune) (*table, []source.Problem) {
	t, problems := readRows(f, separator)
	if len(problems) == 0 {
		problems = t.tooLong(", or set the separator with --separator")
	}
	return t, problems
}

// readRows reads a CSV file. A separator of 0 is detected. If there are problems, the
// table has the rows before the first one, or is nil if there are none.
func readRows(f *source.File, separator rune) (*table, []source.Problem) {
	if p := checkText(f.Data); p != nil {
		return nil, []source.Problem{*p}
	}
	mark := 0
	if bytes.HasPrefix(f.Data, []byte(byteOrderMark)) {
		mark = len(byteOrderMark)
	}
	if separator == 0 {
		separator = separatorOf(f.Data[mark:])
	}
	r := reader{file: f, mark: mark, csv: csv.NewReader(bytes.NewReader(f.Data[mark:]))}
	r.csv.Comma, r.csv.FieldsPerRecord = separator, -1
	t := &table{file: f}
	for {
		next, err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return t, []source.Problem{r.explain(err)}
		}
		switch {
		case t.header.number == 0:
			t.header = next
		case !next.isBlank():
			t.rows = append(t.rows, next)
		}
	}
	if t.header.number == 0 {
		return nil, []source.Problem{{Code: CodeCSV, Message: "The file is empty: the first row must have the column names."}}
	}
	return t, nil
}

// tooLong reports the rows that have more cells than the header. advice is the end of its
// messages.
func (t *table) tooLong(advice string) []source.Problem {
	var problems []source.Problem
	for _, r := range t.rows {
		for i := len(t.header.cells); i < len(r.cells); i++ {
			if c := r.cells[i]; strings.TrimSpace(c.text) != "" {
				problems = append(problems, source.Problem{Code: CodeCSV, Span: c.span, Message: fmt.Sprintf(
					"Row %d: more cells than the %d of the header. Put text that contains the separator in quotes%s.", r.number, len(t.header.cells), advice)})
				break
			}
		}
	}
	return problems
}

func (r row) isBlank() bool {
	for _, c := range r.cells {
		if strings.TrimSpace(c.text) != "" {
			return false
		}
	}
	return true
}

// checkText returns a problem if a file is not UTF-8 text.
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

// separatorOf returns the separator of the header: the most frequent of comma, semicolon,
// and tab.
func separatorOf(data []byte) rune {
	header, _, _ := bytes.Cut(bytes.TrimLeft(data, "\r\n"), []byte("\n"))
	best := ","
	for _, separator := range []string{";", "\t"} {
		if bytes.Count(header, []byte(separator)) > bytes.Count(header, []byte(best)) {
			best = separator
		}
	}
	return rune(best[0])
}

type reader struct {
	file *source.File
	mark int // the length of the byte order mark
	csv  *csv.Reader
	row  int // the number of the last row
	line int // the line after it
}

// next returns the next row. encoding/csv skips empty lines, which spreadsheets count as
// rows.
func (r *reader) next() (row, error) {
	fields, err := r.csv.Read()
	if err != nil {
		return row{}, err
	}
	first, _ := r.csv.FieldPos(0)
	r.row += 1 + first - max(r.line, 1)
	r.line = r.file.Position(r.mark + int(r.csv.InputOffset())).Line
	out := row{number: r.row, cells: make([]cell, len(fields))}
	for i, text := range fields {
		out.cells[i] = cell{text, r.span(i, len(fields))}
	}
	return out, nil
}

// span returns the span, with quotes, of field i of the n fields in the last row.
func (r *reader) span(i, n int) source.Span {
	start := r.offset(r.csv.FieldPos(i))
	if i+1 < n {
		return source.Span{Start: start, End: r.offset(r.csv.FieldPos(i+1)) - 1} // without the separator
	}
	row := r.file.Data[start : r.mark+int(r.csv.InputOffset())]
	return source.Span{Start: start, End: start + len(bytes.TrimRight(row, "\r\n"))}
}

// offset converts a position of encoding/csv to an offset in the file.
func (r *reader) offset(line, column int) int {
	offset := r.file.LineSpan(line).Start + column - 1
	if line == 1 {
		offset += r.mark
	}
	return min(max(offset, 0), len(r.file.Data))
}

func (r *reader) explain(err error) source.Problem {
	var syntax *csv.ParseError
	if !errors.As(err, &syntax) {
		return source.Problem{Code: CodeCSV, Message: err.Error()}
	}
	at := r.offset(syntax.Line, syntax.Column)
	if at >= len(r.file.Data) {
		return source.Problem{Code: CodeCSV, Span: r.file.LineSpan(syntax.StartLine), Message: "A quote in this row is not closed. Close it, and double each quote inside quotes. The rows from here on were not read."}
	}
	return source.Problem{Code: CodeCSV, Span: source.Span{Start: at, End: at + 1}, Message: "A cell with a quote must be in quotes, and the quote inside must be doubled. The rows from here on were not read."}
}
