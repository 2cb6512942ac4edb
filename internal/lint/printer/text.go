// Package printer prints the findings of a check, in the formats of rubric-lint, and
// the lint rules themselves.
package printer

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// TextOptions are the options of Text.
type TextOptions struct {
	render.TextOptions
	// Named are the files and folders that the findings are restricted to.
	Named []string
	// Notes shows notes too, which are otherwise only counted.
	Notes bool
}

// Text writes findings for people, each with its place, the line with carets
// under it, related places, and the fix if there is one; then one line that
// counts them.
func Text(w io.Writer, r *lint.Report, opts TextOptions) error {
	t := text{Text: render.Text{Options: opts.TextOptions}, options: opts}
	for i, f := range r.Findings {
		if f.Severity != lint.Note || opts.Notes {
			t.finding(&r.Findings[i])
		}
	}
	for _, e := range r.Exceptions {
		t.Printf("%s: accepted[%s]: %s: %s\n", t.Paint(render.StyleBold, t.Place(e.At)), sanitize.Line(e.Rule), sanitize.Line(accepted(e)), sanitize.Line(e.Reason))
	}
	t.summary(r)
	_, err := io.WriteString(w, t.String())
	return err
}

type text struct {
	render.Text
	options TextOptions
}

// accepted is what an exception is about.
func accepted(e *lint.Exception) string {
	if e.Commit != "" {
		return fmt.Sprintf("%s in commit %.12s", e.ID, e.Commit)
	}
	return e.ID + " " + e.Version
}

func severityStyle(s lint.Severity) string {
	return map[lint.Severity]string{lint.Error: render.StyleError, lint.Warning: render.StyleWarning, lint.Note: render.StyleNote}[s]
}

func (t *text) finding(f *lint.Finding) {
	style := severityStyle(f.Severity)
	t.Printf("%s: %s: %s\n", t.Paint(render.StyleBold, t.Place(f.Location)),
		t.Paint(style, fmt.Sprintf("%s[%s]", f.Severity, f.Rule.ID)), sanitize.Line(f.Message))
	t.Snippet(f.Location, style)
	for _, r := range f.Related {
		t.Printf("%s %s: %s\n", t.Paint(render.StyleDim, "    ="), sanitize.Line(r.Message), t.Place(r.Location))
	}
	if f.Fix != nil {
		t.Printf("%s --fix would %s\n", t.Paint(render.StyleDim, "    ="), sanitize.Line(f.Fix.Message))
	}
}

func (t *text) summary(r *lint.Report) {
	s := r.Summary
	checked := fmt.Sprintf("%s (%s, %s)", render.Count(s.Files, "file"), render.Count(s.Rubrics, "rubric"), render.Count(s.RuleSets, "rule set")) + t.base(r.Base)
	in := " in "
	if len(t.options.Named) > 0 {
		in = " in " + sanitize.Line(strings.Join(t.options.Named, ", ")) + "; the library has "
	}
	var parts []string
	switch {
	case len(r.Findings) == 0:
		parts = append(parts, t.Paint(render.StyleBold, "No findings"))
	case s.Errors+s.Warnings == 0:
		parts = append(parts, t.Paint(render.StyleBold, "No errors or warnings"))
	}
	for _, c := range bySeverity(s) {
		if c.n > 0 {
			parts = append(parts, t.Paint(severityStyle(c.severity), render.Count(c.n, c.severity.String())))
		}
	}
	if s.Notes > 0 && !t.options.Notes {
		parts[len(parts)-1] += " (--show notes lists them)"
	}
	if s.Hidden > 0 {
		parts = append(parts, fmt.Sprintf("%d hidden by the baseline", s.Hidden))
	}
	t.Printf("%s%s%s\n", strings.Join(parts, ", "), in, checked)
}

// base names what the library was compared with.
func (t *text) base(b *lint.Base) string {
	switch {
	case b == nil:
		return ""
	case b.Tip == "":
		return ", compared with nothing: " + sanitize.Line(b.Why)
	}
	return fmt.Sprintf(", compared with %s (%.12s): %s", sanitize.Line(b.Target), b.Tip, sanitize.Line(b.Why))
}

// worstFirst orders findings by severity and keeps the order of their places.
func worstFirst(findings []lint.Finding) []*lint.Finding {
	sorted := make([]*lint.Finding, len(findings))
	for i := range findings {
		sorted[i] = &findings[i]
	}
	slices.SortStableFunc(sorted, func(a, b *lint.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return sorted
}

// changedFirst orders findings like worstFirst, but puts those that the change touches
// first.
func changedFirst(findings []lint.Finding) []*lint.Finding {
	sorted := worstFirst(findings)
	changed, rest := slices.Clone(sorted), sorted
	changed = slices.DeleteFunc(changed, func(f *lint.Finding) bool { return !f.Changed })
	rest = slices.DeleteFunc(rest, func(f *lint.Finding) bool { return f.Changed })
	return append(changed, rest...)
}

// severityCount is the number of findings with a severity.
type severityCount struct {
	severity lint.Severity
	n        int
}

// bySeverity counts the findings, the worst first.
func bySeverity(s lint.Summary) []severityCount {
	return []severityCount{{lint.Error, s.Errors}, {lint.Warning, s.Warnings}, {lint.Note, s.Notes}}
}
