// Package render is the only place that prints. Whatever it prints of a library's
// texts is made inert first.
package render

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// TextOptions says how findings are written for people.
type TextOptions struct {
	// Color uses the colours of a terminal.
	Color bool
	// Prefix is the way from the working folder to the library, put before the
	// files' names so that they can be opened. Empty or "." adds nothing.
	Prefix string
	// Named are the files and folders that the findings are restricted to.
	Named []string
}

// Text writes findings for people, each with its place, the line with carets
// under it, other places that explain it, and the fix if there is one; then one
// line that counts them.
func Text(w io.Writer, r *lint.Report, opts TextOptions) error {
	t := text{opts: opts}
	for i := range r.Findings {
		t.finding(&r.Findings[i])
	}
	for _, e := range r.Exceptions {
		t.exception(e)
	}
	t.summary(r)
	_, err := io.WriteString(w, t.out.String())
	return err
}

type text struct {
	out  strings.Builder
	opts TextOptions
}

func (t *text) printf(format string, args ...any) { fmt.Fprintf(&t.out, format, args...) }

// The styles of a terminal, by what they show.
const (
	styleError   = "1;31"
	styleWarning = "1;33"
	styleNote    = "1;36"
	styleDim     = "2"
	styleBold    = "1"
)

func (t *text) paint(style, s string) string {
	if !t.opts.Color {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

func (t *text) file(name string) string {
	if t.opts.Prefix == "" {
		return sanitize.Line(name)
	}
	return sanitize.Line(path.Join(t.opts.Prefix, name))
}

func (t *text) place(l source.Location) string {
	place := t.file(l.File)
	if l.Start.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", place, l.Start.Line, l.Start.Column)
	}
	if l.Revision != "" {
		place += fmt.Sprintf(" (commit %.12s)", l.Revision)
	}
	return place
}

func (t *text) exception(e *lint.Exception) {
	t.printf("%s: accepted[%s]: %s: %s\n", t.paint(styleBold, t.place(e.At)), sanitize.Line(e.Rule), sanitize.Line(accepted(e)), sanitize.Line(e.Reason))
}

// accepted is what an exception is about.
func accepted(e *lint.Exception) string {
	if e.Commit != "" {
		return fmt.Sprintf("%s in commit %.12s", e.ID, e.Commit)
	}
	return e.ID + " " + e.Version
}

func severityStyle(s lint.Severity) string {
	return map[lint.Severity]string{lint.Error: styleError, lint.Warning: styleWarning, lint.Note: styleNote}[s]
}

func (t *text) finding(f *lint.Finding) {
	style := severityStyle(f.Severity)
	t.printf("%s: %s: %s\n", t.paint(styleBold, t.place(f.Location)),
		t.paint(style, fmt.Sprintf("%s[%s]", f.Severity, f.Rule.ID)), sanitize.Line(f.Message))
	t.snippet(f.Location, style)
	for _, r := range f.Related {
		t.printf("%s %s: %s\n", t.paint(styleDim, "    ="), sanitize.Line(r.Message), t.place(r.Location))
	}
	if f.Fix != nil {
		t.printf("%s --fix would %s\n", t.paint(styleDim, "    ="), sanitize.Line(f.Fix.Message))
	}
}

// snippet writes the lines of a finding with carets under what it is about.
func (t *text) snippet(l source.Location, style string) {
	if len(l.Excerpt) == 0 {
		return
	}
	gutter := len(fmt.Sprint(l.Excerpt[len(l.Excerpt)-1].Number))
	for _, line := range l.Excerpt {
		shown, carets := underline(l, line)
		if shown != "" {
			shown = " " + shown
		}
		t.printf("%s%s\n", t.paint(styleDim, fmt.Sprintf(" %*d |", gutter, line.Number)), shown)
		if carets != "" {
			t.printf("%s %s\n", t.paint(styleDim, fmt.Sprintf(" %*s |", gutter, "")), t.paint(style, carets))
		}
	}
	if more := l.End.Line - l.Excerpt[len(l.Excerpt)-1].Number; more > 0 {
		t.printf("%s\n", t.paint(styleDim, fmt.Sprintf(" %*s | … %d more", gutter, "", more)))
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

func (t *text) summary(r *lint.Report) {
	s := r.Summary
	checked := fmt.Sprintf("%s (%s, %s)", count(s.Files, "file"), count(s.Rubrics, "rubric"), count(s.RuleSets, "rule set")) + t.base(r.Base)
	in := " in "
	if len(t.opts.Named) > 0 {
		in = " in " + sanitize.Line(strings.Join(t.opts.Named, ", ")) + "; the library has "
	}
	var parts []string
	if len(r.Findings) == 0 {
		parts = append(parts, t.paint(styleBold, "No findings"))
	}
	for _, c := range bySeverity(s) {
		if c.n > 0 {
			parts = append(parts, t.paint(severityStyle(c.severity), count(c.n, c.severity.String())))
		}
	}
	if s.Hidden > 0 {
		parts = append(parts, hidden(s))
	}
	t.printf("%s%s%s\n", strings.Join(parts, ", "), in, checked)
}

// hidden counts what the baseline hides.
func hidden(s lint.Summary) string { return fmt.Sprintf("%d hidden by the baseline", s.Hidden) }

// base says what the library was compared with.
func (t *text) base(b *lint.Base) string {
	switch {
	case b == nil:
		return ""
	case b.Tip == "":
		return ", compared with nothing: " + sanitize.Line(b.Why)
	}
	return fmt.Sprintf(", compared with %s (%.12s): %s", sanitize.Line(b.Target), b.Tip, sanitize.Line(b.Why))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
