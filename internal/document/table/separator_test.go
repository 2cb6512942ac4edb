package table_test

import (
	"fmt"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/table"
)

func TestTheSeparatorIsThatOfTheHeaderOrOfTheLineForExcel(t *testing.T) {
	for _, test := range []struct{ reason, text, want string }{
		{"commas, without a declaration", "a,b\n1,2\n", "row 1: a | b; row 2: 1 | 2 at 2:1"},
		{"a declaration is no row of the spreadsheet", "sep=;\na;b\n1,5;2\n", "row 1: a | b; row 2: 1,5 | 2 at 3:1"},
		{"after a byte order mark, with Windows line ends", "\uFEFFsep=;\r\na;b\r\n\r\n1;2\r\n", "row 1: a | b; row 3: 1 | 2 at 4:1"},
		{"in capitals", "SEP=|\na|b,c;d\n1|2\n", "row 1: a | b,c;d; row 2: 1 | 2 at 3:1"},
		{"a tab", "sep=\t\na\tb\n1\t2\n", "row 1: a | b; row 2: 1 | 2 at 3:1"},
		{"a letter of another alphabet", "sep=¦\na¦b\n1¦2\n", "row 1: a | b; row 2: 1 | 2 at 3:1"},
		{"in quotes, as LibreOffice writes it", "\"sep=;\"\na;b\n1;2\n", "row 1: a | b; row 2: 1 | 2 at 3:1"},
		{"kept as a row by a program that writes commas", "sep=;,,\na,b,c\n1,2,3\n", "row 1: a | b | c; row 2: 1 | 2 | 3 at 3:1"},
		{"kept as a row with its own separator", "sep=;;;\na;b;c\n1,5;2;3\n", "row 1: a | b | c; row 2: 1,5 | 2 | 3 at 3:1"},
		{"a heading that only looks like it", "sep=ab,c\n1,2\n", "row 1: sep=ab | c; row 2: 1 | 2 at 2:1"},
		{"nothing after it", "sep=;", "1:1 The file is empty: the first row must have the column names."},
		{"separators in the quotes of a heading do not count", "a;\"Good, clear, and short\"\n1;2\n", "row 1: a | Good, clear, and short; row 2: 1 | 2 at 2:1"},
		{"nor do line ends", "a;\"4, 5\nand, 6\"\n1;2\n", "row 1: a | 4, 5\nand, 6; row 2: 1 | 2 at 3:1"},
		{"a quote that is not closed", "sep=;\na;b\n\"1;2\n", "3:1 A quote in this row is not closed. Close it, and double each quote inside quotes. The rows from here on were not read."},
		{"a quote within a cell", "sep=;\na;b\n1;2\"\n", "3:4 A cell with a quote must be in quotes, and the quote inside must be doubled. The rows from here on were not read."},
		{"a row that is too long", "sep=;\na;b\n1;2;3\n", "3:5 Row 2: more cells than the 2 of the header. Put text that contains the separator in quotes."},
	} {
		f := source.NewFile("table.csv", []byte(test.text))
		if got := read(f, 0); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.reason, got, test.want)
		}
	}
}

func TestASeparatorThatTheUserNamesCounts(t *testing.T) {
	f := source.NewFile("table.csv", []byte("sep=;\na,b\n1;5,2\n"))
	if got, want := read(f, ','), "row 1: a | b; row 2: 1;5 | 2 at 3:1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// read describes a table in a line, or the first problem.
func read(f *source.File, separator rune) string {
	t, problems := table.CSV(f, separator, "")
	if len(problems) > 0 {
		at := f.Position(problems[0].Span.Start)
		return fmt.Sprintf("%d:%d %s", at.Line, at.Column, problems[0].Message)
	}
	out := describe(t.Header)
	for _, row := range t.Rows {
		at := f.Position(row.Cells[0].Span.Start)
		out += fmt.Sprintf("; %s at %d:%d", describe(row), at.Line, at.Column)
	}
	return out
}

func describe(row table.Row) string {
	out := fmt.Sprintf("row %d: ", row.Number)
	for i, c := range row.Cells {
		if i > 0 {
			out += " | "
		}
		out += c.Text
	}
	return out
}
