package render

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// TextOptions are the settings of text output.
type TextOptions struct {
	// Color enables terminal colors.
	Color bool
	// Columns is the width of the terminal, or 0 if the output is not for one.
	Columns int
	// Prefix is the path from the working directory to the library. It is put before
	// the names of files, so that they can be opened. Empty or "." adds nothing.
	Prefix string
}

// Output collects the output of a command.
type Output struct{ strings.Builder }

// Printf adds formatted text, which must be sanitized.
func (o *Output) Printf(format string, args ...any) { fmt.Fprintf(o, format, args...) }

// Flush writes the output at once.
func (o *Output) Flush(w io.Writer) error {
	_, err := io.WriteString(w, o.String())
	return err
}

// Text collects the text output of a command.
type Text struct {
	Output
	Options TextOptions
}

// The terminal styles.
const (
	StyleError   = "1;31"
	StyleWarning = "1;33"
	StyleNote    = "1;36"
	StyleDim     = "2"
	StyleBold    = "1"
)

// Paint returns a text in a style if colors are enabled.
func (t *Text) Paint(style, s string) string {
	if !t.Options.Color {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// Table lays out rows for the terminal, without the last line end: see Rows.
func (t *Text) Table(rows [][]string) string {
	return strings.Join(Rows(rows, 0, t.Options.Columns), "\n")
}

// File returns the name of a file of the library with the prefix.
func (t *Text) File(name string) string {
	if t.Options.Prefix == "" {
		return sanitize.Line(name)
	}
	return sanitize.Line(path.Join(t.Options.Prefix, name))
}

// Place returns the name of a file with line, column, and commit, as far as known.
func (t *Text) Place(l source.Location) string {
	place := t.File(l.File)
	if l.Start.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", place, l.Start.Line, l.Start.Column)
	}
	if l.Revision != "" {
		place += fmt.Sprintf(" (commit %.12s)", l.Revision)
	}
	return place
}

// Snippet writes the lines of a location with carets below the relevant part.
func (t *Text) Snippet(l source.Location, style string) {
	if len(l.Excerpt) == 0 {
		return
	}
	gutter := len(fmt.Sprint(l.Excerpt[len(l.Excerpt)-1].Number))
	before, after := columnsBefore, columnsAfter
	room := t.Options.Columns - gutter - len("  | ……")
	if t.Options.Columns > 0 {
		before = min(before, max(room/3, 0))
		after = min(after, max(room-before, 0))
	}
	for _, line := range l.Excerpt {
		shown, carets := underline(l, line, before, after)
		if shown != "" {
			shown = " " + shown
		}
		t.Printf("%s%s\n", t.Paint(StyleDim, fmt.Sprintf(" %*d |", gutter, line.Number)), shown)
		if carets != "" {
			t.Printf("%s %s\n", t.Paint(StyleDim, fmt.Sprintf(" %*s |", gutter, "")), t.Paint(style, carets))
		}
	}
	if more := l.End.Line - l.Excerpt[len(l.Excerpt)-1].Number; more > 0 {
		t.Printf("%s\n", t.Paint(StyleDim, fmt.Sprintf(" %*s | … %d more", gutter, "", more)))
	}
}

// The columns of a line that are shown before and after the start of a finding. An
// escaped character takes several columns.
const (
	columnsBefore = 70
	columnsAfter  = 160
)

// underline returns a line for display, and carets for the part that the location covers:
// at least one on the first line, none below the indentation of the following lines. before
// and after are the columns that are shown around the start.
func underline(l source.Location, line source.ExcerptLine, before, after int) (shown, carets string) {
	first, last := line.Number == l.Start.Line, line.Number == l.End.Line
	end := l.End.Column
	if l.Start == l.End {
		end++ // an empty span is shown by the character after it
	}
	cells := sanitize.Cells(line.Text)
	from, to := window(cells, first, l.Start.Column-line.Column, before, after)
	var show, marks strings.Builder
	if line.Column > 1 || from > 0 {
		show.WriteString("…")
		marks.WriteByte(' ')
	}
	indentation := !first && line.Column == 1
	for i, c := range cells[from:to] {
		column := line.Column + from + i
		indentation = indentation && strings.TrimSpace(c.Show) == ""
		show.WriteString(c.Show)
		mark := " "
		if (!first || column >= l.Start.Column) && (!last || column < end) && !indentation {
			mark = "^"
		}
		marks.WriteString(strings.Repeat(mark, c.Width))
	}
	if line.Cut || to < len(cells) {
		show.WriteString("…")
	}
	carets = strings.TrimRight(marks.String(), " ")
	if first && carets == "" {
		carets = marks.String() + "^" // at the end of the line
	}
	return strings.TrimRight(show.String(), " "), carets
}

// window returns the range of the shown cells: around the cell at on the first line, and
// from the start on the following lines.
func window(cells []sanitize.Cell, first bool, at, before, after int) (from, to int) {
	at = max(0, min(at, len(cells)))
	if !first {
		at = 0
	}
	from, to = at, at
	for width := 0; from > 0 && width+cells[from-1].Width <= before; from-- {
		width += cells[from-1].Width
	}
	for width := 0; to < len(cells) && width+cells[to].Width <= after; to++ {
		width += cells[to].Width
	}
	return from, to
}

// Problems writes the problems of an input file, each with its position and the line with
// carets below it.
func Problems(w io.Writer, f *source.File, problems []source.Problem, opts TextOptions) error {
	t := Text{Options: opts}
	for _, p := range problems {
		at := source.Location{File: f.Path}
		if p.Span.Len() > 0 || p.Span.Start > 0 {
			at = source.Locate(f, p.Span)
		}
		t.Printf("%s: %s: %s\n", t.Paint(StyleBold, t.Place(at)), t.Paint(StyleError, "error"), sanitize.Line(p.Message))
		t.Snippet(at, StyleError)
	}
	return t.Flush(w)
}
