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

// byteOrderMark is how spreadsheets begin a file in UTF-8.
const byteOrderMark = "\uFEFF"

// table is the cells of a CSV file.
type table struct {
	file   *source.File
	header row
	rows   []row // without blank ones
}

type row struct {
	number int // as a spreadsheet counts them, from 1
	cells  []cell
}

type cell struct {
	text string // line ends are LF, or CR alone
	span source.Span
}

// cell is the cell in a column; what a spreadsheet cut off is blank.
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

// place is the place of a cell.
func (t *table) place(r row, column int) place {
	return place{row: r.number, column: strings.TrimSpace(t.header.cell(column).text), span: r.cell(column).span}
}

// readTable reads a CSV file. A separator of 0 is found out. With problems, the
// table has what stands before them, and is nil where that is nothing.
func readTable(f *source.File, separator rune) (*table, []source.Problem) {
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
		return nil, []source.Problem{{Code: CodeCSV, Message: "The file is empty. Its first row has the names of the columns."}}
	}
	return t, t.tooLong()
}

// tooLong reports the rows that have more cells than the header.
func (t *table) tooLong() []source.Problem {
	var problems []source.Problem
	for _, r := range t.rows {
		for i := len(t.header.cells); i < len(r.cells); i++ {
			if c := r.cells[i]; strings.TrimSpace(c.text) != "" {
				problems = append(problems, source.Problem{Code: CodeCSV, Span: c.span, Message: fmt.Sprintf(
					"Row %d: found a cell more than the header's %d. Put a text that holds the separator in quotes, or name the separator with --separator.", r.number, len(t.header.cells))})
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

// checkText says what keeps a file from being read as text.
func checkText(data []byte) *source.Problem {
	const advice = ` Save it as "CSV UTF-8".`
	refuse := func(at int, message string) *source.Problem {
		return &source.Problem{Code: CodeEncoding, Span: source.Span{Start: at, End: min(at+1, len(data))}, Message: message + advice}
	}
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return refuse(0, "This is a workbook, not a CSV file.")
	case bytes.HasPrefix(data, []byte("\xFF\xFE")), bytes.HasPrefix(data, []byte("\xFE\xFF")), bytes.IndexByte(data, 0) >= 0:
		return refuse(0, `This is UTF-16, which spreadsheets call "Unicode text", or no text.`)
	case bytes.IndexByte(data, '\r') >= 0 && bytes.IndexByte(data, '\n') < 0:
		return refuse(bytes.IndexByte(data, '\r'), "The lines end with CR alone, as on old Macintosh computers.")
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return refuse(i, fmt.Sprintf(`Byte 0x%02X is no UTF-8: the file is probably Windows-1252, which spreadsheets write as plain "CSV".`, data[i]))
		}
		i += size
	}
	return nil
}

// separatorOf is the separator of the header: the one of comma, semicolon and
// tab that is there most often outside quotes.
func separatorOf(data []byte) rune {
	counts := map[byte]int{}
	quoted := false
	for _, b := range data {
		switch {
		case b == '"':
			quoted = !quoted
		case b == '\n' && !quoted && len(counts) > 0:
			return most(counts)
		case !quoted && strings.IndexByte(",;\t", b) >= 0:
			counts[b]++
		}
	}
	return most(counts)
}

func most(counts map[byte]int) rune {
	best := byte(',')
	for _, b := range []byte(",;\t") {
		if counts[b] > counts[best] {
			best = b
		}
	}
	return rune(best)
}

// reader reads rows with their places.
type reader struct {
	file *source.File
	mark int // the bytes before the CSV begins
	csv  *csv.Reader
	row  int // the number of the last row
	line int // the line behind it
}

// next is the next row. encoding/csv skips empty lines, which are rows to a
// spreadsheet.
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
		out.cells[i] = cell{text, r.span(i)}
	}
	return out, nil
}

// span is the span of field i of the last row, with its quotes.
func (r *reader) span(i int) source.Span {
	line, column := r.csv.FieldPos(i)
	start := r.offset(line, column)
	end := start
	data := r.file.Data
	if end >= len(data) || data[end] != '"' {
		for end < len(data) && data[end] != '\n' && data[end] != '\r' && rune(data[end]) != r.csv.Comma {
			end++
		}
		return source.Span{Start: start, End: end}
	}
	for end++; end < len(data); end++ {
		if data[end] != '"' {
			continue
		}
		if end+1 >= len(data) || data[end+1] != '"' {
			return source.Span{Start: start, End: end + 1}
		}
		end++
	}
	return source.Span{Start: start, End: end}
}

// offset is where a position of encoding/csv is in the file.
func (r *reader) offset(line, column int) int {
	offset := r.file.LineSpan(line).Start + column - 1
	if line == 1 {
		offset += r.mark
	}
	return min(max(offset, 0), len(r.file.Data))
}

// explain is why the file can't be read on.
func (r *reader) explain(err error) source.Problem {
	var syntax *csv.ParseError
	if !errors.As(err, &syntax) {
		return source.Problem{Code: CodeCSV, Message: err.Error()}
	}
	at := r.offset(syntax.Line, syntax.Column)
	if at >= len(r.file.Data) {
		return source.Problem{Code: CodeCSV, Span: r.file.LineSpan(syntax.StartLine), Message: "A quote that is opened in this row is not closed. Close it; a quote within quotes is doubled. The rows from here on were not read."}
	}
	return source.Problem{Code: CodeCSV, Span: source.Span{Start: at, End: at + 1}, Message: "A cell that holds a quote stands in quotes, and the quote within is doubled. The rows from here on were not read."}
}
