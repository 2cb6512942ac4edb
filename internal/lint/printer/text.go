// Package printer prints the findings of a check, in the formats of rubric-lint, and
// the lint rules themselves.
package printer

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library"
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
	// NoRepository says that nothing was compared because there is no Git repository.
	NoRepository bool
	// Alone is set if documents outside of a library were checked.
	Alone *Alone
	// End, if it is set, ends the text.
	End *End
}

// Alone is about documents outside of a library.
type Alone struct {
	// Others counts the YAML files that are neither rubrics nor rule sets, and were left alone.
	// Unread counts those that are links or devices.
	Others, Unread int
}

// Text writes findings for people, each with its place, the line with carets
// under it, related places, and the fix if there is one; then one line that
// counts them.
func Text(w io.Writer, r *lint.Report, opts TextOptions) error {
	t := text{Text: render.Text{Options: opts.TextOptions}, options: opts}
	for i, f := range r.Findings {
		if f.Severity != lint.Note || opts.Notes || f.Rule.Listed {
			t.printFinding(&r.Findings[i])
		}
	}
	for _, e := range r.Exceptions {
		t.Printf("%s: accepted[%s]: %s: %s\n", t.Paint(render.StyleBold, t.Place(e.At)), sanitize.Line(e.Rule),
			sanitize.Line(accepted(e)), sanitize.Line(e.Reason))
	}
	t.printDrafts(r.Drafts)
	t.printStatistics(r)
	t.printSummary(r)
	t.printEnd(r)
	return t.Flush(w)
}

type text struct {
	render.Text
	options TextOptions
}

// accepted is what an exception is about.
func accepted(e *holdings.Exception) string {
	name := e.ID
	for _, part := range []string{e.Version, e.Item} {
		if part != "" {
			name += " " + part
		}
	}
	if e.Commit != "" {
		name += fmt.Sprintf(" in commit %.12s", e.Commit)
	}
	return sanitize.Line(name)
}

// withAccepted returns the findings of a report, and notes about what exceptions accept, for
// formats that list nothing but findings.
func withAccepted(r *lint.Report) []lint.Finding {
	all := slices.Clone(r.Findings)
	for _, e := range r.Exceptions {
		sum := sha256.Sum256([]byte(e.Rule + "\x00" + e.ID + "\x00" + e.Version + "\x00" + e.Commit + e.Item))
		all = append(all, lint.Finding{
			Rule: &lint.Rule{ID: e.Rule, Severity: lint.Note}, Severity: lint.Note, Location: e.At, ID: e.ID,
			Message: fmt.Sprintf("Accepted: %s: %s", accepted(e), e.Reason), Fingerprint: hex.EncodeToString(sum[:16]),
		})
	}
	return all
}

// ignored says which files were not checked because Git ignores them. prefix is put before
// their paths.
func ignored(r *lint.Report, prefix string) string {
	var names []string
	noun := "document"
	for _, name := range r.Ignored {
		if !library.IsDocument(name) {
			noun = "file"
		}
		names = append(names, path.Join(prefix, name))
	}
	are := " are"
	if r.Summary.Ignored == 1 {
		are = " is"
	}
	text := render.Count(r.Summary.Ignored, noun) + are + " ignored by Git and not checked: "
	if len(names) > mostNamed {
		names = names[:mostNamed]
	}
	text += strings.Join(names, ", ")
	if more := r.Summary.Ignored - len(names); more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// mostNamed is how many ignored files a sentence names.
const mostNamed = 3

// withIgnored returns the findings of a report and all notes about it, for formats that list
// nothing but findings.
func withIgnored(r *lint.Report, prefix string) []lint.Finding {
	all := withAccepted(r)
	if r.Summary.Ignored > 0 {
		const id = "ignored-by-git"
		all = append(all, lint.Finding{
			Rule: &lint.Rule{ID: id, Severity: lint.Note}, Severity: lint.Note, Location: source.Location{File: r.Ignored[0]},
			Message: ignored(r, prefix) + ".", Fingerprint: id,
		})
	}
	return all
}

func severityStyle(s lint.Severity) string {
	return map[lint.Severity]string{
		lint.Error: render.StyleError, lint.Warning: render.StyleWarning, lint.Note: render.StyleNote,
	}[s]
}

func (t *text) printFinding(f *lint.Finding) {
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

// mostDrafts is how many drafts a line names.
const mostDrafts = 5

// printDrafts names the drafts that keep their versions.
func (t *text) printDrafts(drafts []change.Draft) {
	if len(drafts) == 0 {
		return
	}
	var names []string
	for _, d := range drafts[:min(len(drafts), mostDrafts)] {
		names = append(names, sanitize.Line(d.ID+" "+d.Version))
	}
	more := ""
	if n := len(drafts) - len(names); n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	t.Printf("Not released yet, so the version can stay: %s%s\n", strings.Join(names, ", "), more)
}

func (t *text) printSummary(r *lint.Report) {
	s := r.Summary
	checked := fmt.Sprintf("%s (%s, %s)", render.Count(s.Files, "file"),
		render.Count(s.Rubrics, "rubric"), render.Count(s.RuleSets, "rule set")) + t.base(r.Base)
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
	found := bySeverity(s)
	for _, severity := range severities {
		if n := found[severity]; n > 0 {
			parts = append(parts, t.Paint(severityStyle(severity), render.Count(n, severity.String())))
		}
	}
	isCounted := func(f lint.Finding) bool { return f.Severity == lint.Note && !f.Rule.Listed }
	if slices.ContainsFunc(r.Findings, isCounted) && !t.options.Notes {
		parts[len(parts)-1] += " (--show notes lists them)"
	}
	if s.Hidden > 0 {
		parts = append(parts, fmt.Sprintf("%d hidden by the baseline", s.Hidden))
	}
	t.Printf("%s%s%s\n", strings.Join(parts, ", "), in, checked)
	t.printAlone()
	if s.Ignored > 0 {
		t.Printf("%s\n", sanitize.Line(ignored(r, t.Options.Prefix)))
	}
}

// printAlone says what is not checked outside of a library.
func (t *text) printAlone() {
	a := t.options.Alone
	if a == nil {
		return
	}
	if a.Others > 0 {
		t.Printf("Left alone, because they are neither rubrics nor rule sets: %s\n", render.Count(a.Others, "YAML file"))
	}
	if a.Unread > 0 {
		t.Printf("Not read, because only regular files are: %s\n", render.Count(a.Unread, "YAML file"))
	}
	t.Printf("Not checked outside of a library: the place of a file, what it refers to, changes of versions, labels, and code owners. `rubric init` creates a library.\n")
}

// base names what the library was compared with.
func (t *text) base(b *change.Base) string {
	switch {
	case b == nil && t.options.NoRepository:
		return ". Not checked outside a Git repository: versions, removed documents, and code owners"
	case b == nil:
		return ""
	}
	return ", compared with " + b.Sentence(sanitize.Line)
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
	changed := slices.DeleteFunc(worstFirst(findings), func(f *lint.Finding) bool { return !f.Changed })
	return append(changed, slices.DeleteFunc(worstFirst(findings), func(f *lint.Finding) bool { return f.Changed })...)
}

// severities are in the order in which they are counted.
var severities = []lint.Severity{lint.Error, lint.Warning, lint.Note}

func bySeverity(s lint.Summary) map[lint.Severity]int {
	return map[lint.Severity]int{lint.Error: s.Errors, lint.Warning: s.Warnings, lint.Note: s.Notes}
}

// JUnit writes findings as test cases, one suite per file. A case fails if its finding is
// at least as severe as failing. Other findings are skipped cases with their message,
// because JUnit has no warnings. A run is therefore red exactly if the exit code is 1. A
// library without findings is one passing case, and so are the findings that the baseline
// hides. prefix is the path from the repository's root to the library.
func JUnit(w io.Writer, r *lint.Report, prefix string, failing lint.Severity) error {
	t := text{Text: render.Text{Options: render.TextOptions{Prefix: prefix}}}
	var suites []render.JUnitSuite
	for _, f := range withIgnored(r, prefix) {
		if name := t.File(f.File); len(suites) == 0 || suites[len(suites)-1].Name != name {
			suites = append(suites, render.JUnitSuite{Name: name})
		}
		suites[len(suites)-1].Add(t.findingCase(&f, failing))
	}
	if len(suites) == 0 {
		t.printSummary(r)
		suites = []render.JUnitSuite{{Name: "library"}}
		suites[0].Add(render.JUnitCase{Class: "library", Name: "library", Output: strings.TrimSpace(t.String())})
	}
	if r.Summary.Hidden > 0 {
		suites = append(suites, render.JUnitSuite{Name: "baseline"})
		suites[len(suites)-1].Add(render.JUnitCase{
			Class: "baseline", Name: "baseline",
			Output: render.Count(r.Summary.Hidden, "finding") + " hidden by the baseline",
		})
	}
	return render.WriteJUnit(w, suites)
}

func (t *text) findingCase(f *lint.Finding, failing lint.Severity) render.JUnitCase {
	explained := text{Text: render.Text{Options: t.Options}}
	explained.printFinding(f)
	name := f.Rule.ID
	if f.Start.Line > 0 {
		name = fmt.Sprintf("%s at line %d, column %d", name, f.Start.Line, f.Start.Column)
	}
	c := render.JUnitCase{Class: t.File(f.File), Name: name}
	message := &render.JUnitMessage{
		Message: sanitize.Line(fmt.Sprintf("%s: %s", f.Severity, f.Message)),
		Text:    strings.TrimSpace(explained.String()),
	}
	if f.Severity >= failing {
		c.Failure = message
	} else {
		c.Skipped = message
	}
	return c
}

// Diff prints what fixes would do, as a unified diff.
func Diff(w io.Writer, changes []lint.FileChange, prefix string) error {
	var out render.Output
	for _, c := range changes {
		from, to := path.Join(prefix, c.Path), path.Join(prefix, c.NewPath)
		if from != to {
			out.Printf("rename %s to %s\n", sanitize.Line(from), sanitize.Line(to))
		}
		for line := range strings.Lines(string(diff.Diff(from, c.Before, to, c.After))) {
			text := strings.TrimSuffix(line, "\n") // the rest of a line ending may be the only change, so it must be visible
			out.WriteString(sanitize.Line(text) + line[len(text):])
		}
	}
	return out.Flush(w)
}
