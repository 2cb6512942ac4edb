package render

import (
	"fmt"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// TextOptions says how text is written for people.
type TextOptions struct {
	// Color uses the colors of a terminal.
	Color bool
	// Prefix is the way from the working folder to the library, put before the
	// files' names so that they can be opened. Empty or "." adds nothing.
	Prefix string
}

// Text collects what a command prints for people.
type Text struct {
	strings.Builder
	Options TextOptions
}

// Printf adds formatted text, which has to be safe to print.
func (t *Text) Printf(format string, args ...any) { fmt.Fprintf(t, format, args...) }

// The styles of a terminal, by what they show.
const (
	StyleError   = "1;31"
	StyleWarning = "1;33"
	StyleNote    = "1;36"
	StyleDim     = "2"
	StyleBold    = "1"
)

// Paint is a text in a style if colors are used.
func (t *Text) Paint(style, s string) string {
	if !t.Options.Color {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// File is the name of a file of the library as it can be opened.
func (t *Text) File(name string) string {
	if t.Options.Prefix == "" {
		return sanitize.Line(name)
	}
	return sanitize.Line(path.Join(t.Options.Prefix, name))
}

// Place is the name of a file with line, column, and commit, as far as they are known.
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

// Snippet writes the lines of a place with carets under what it is about.
func (t *Text) Snippet(l source.Location, style string) {
	if len(l.Excerpt) == 0 {
		return
	}
	gutter := len(fmt.Sprint(l.Excerpt[len(l.Excerpt)-1].Number))
	for _, line := range l.Excerpt {
		shown, carets := underline(l, line)
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

// The columns of a line that are shown before and from the place of a finding
// on. An escaped character takes many.
const (
	columnsBefore = 70
	columnsAfter  = 160
)

// underline returns a line as it is shown, and the carets under the part of it
// that the location covers: at least one on the first line, none under the
// indentation of the following ones.
func underline(l source.Location, line source.ExcerptLine) (shown, carets string) {
	first, last := line.Number == l.Start.Line, line.Number == l.End.Line
	end := l.End.Column
	if l.Start == l.End {
		end++ // an empty place is shown by the character after it
	}
	cells := sanitize.Cells(line.Text)
	from, to := window(cells, first, l.Start.Column-line.Column)
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

// window is the range of the cells that are shown, around the cell at of the
// first line and from the beginning of the following ones.
func window(cells []sanitize.Cell, first bool, at int) (from, to int) {
	at = max(0, min(at, len(cells)))
	if !first {
		at = 0
	}
	from, to = at, at
	for width := 0; from > 0 && width+cells[from-1].Width <= columnsBefore; from-- {
		width += cells[from-1].Width
	}
	for width := 0; to < len(cells) && width+cells[to].Width <= columnsAfter; to++ {
		width += cells[to].Width
	}
	return from, to
}
