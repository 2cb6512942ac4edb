// Package printer prints the output of the commands about bundles, and documents from a
// bundle or a folder.
package printer

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/bundle"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// Built is a bundle that was built, or the reasons not to publish it.
type Built struct {
	File string
	*bundle.Build
	// Digest and Size, in bytes, are those of the file. They are "" and 0 if there are
	// problems and no file was written.
	Digest string
	Size   int
}

// BuiltText writes what was built, or what must be fixed first.
func BuiltText(w io.Writer, b *Built) error {
	var t strings.Builder
	for _, p := range b.Problems {
		fmt.Fprintf(&t, "error: %s%s\n", about(p), sanitize.Line(p.Message))
	}
	for _, p := range b.Notes {
		fmt.Fprintf(&t, "note: %s%s\n", about(p), sanitize.Line(p.Message))
	}
	if len(b.Problems) > 0 {
		fmt.Fprintf(&t, "%s: the bundle can't be published, so %s was not written\n", render.Count(len(b.Problems), "error"), sanitize.Line(b.File))
	} else {
		fmt.Fprintf(&t, "%s: ", sanitize.Line(b.File))
		manifestText(&t, &b.Manifest, bundlefile.Count(b.Index), b.Digest)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// about names the subject of a problem, before its message.
func about(p bundle.Problem) string {
	if name := strings.TrimSpace(p.ID + " " + p.Version); name != "" {
		return sanitize.Line(name) + ": "
	}
	return ""
}

func manifestText(t *strings.Builder, m *bundlefile.Manifest, c bundlefile.Counts, digest string) {
	fmt.Fprintf(t, "library %s, %s (%s, %s) in %s, commit %.12s\n%s\n", m.LibraryVersion,
		render.Count(c.Documents, "document"), render.Count(c.Rubrics, "rubric"), render.Count(c.RuleSets, "rule set"), render.Count(c.Versions, "version"), m.Commit, digest)
	omissions(t, "could not be read", m.Refused)
	omissions(t, "was withdrawn", m.Tombstones)
}

func omissions(t *strings.Builder, what string, list []bundlefile.Omission) {
	for _, o := range list {
		where := ""
		if o.Commit != "" {
			where = fmt.Sprintf(" (commit %.12s)", o.Commit)
		}
		fmt.Fprintf(t, "omitted: %s %s%s: %s\n", strings.TrimSpace(o.ID+" "+o.Version), what, where, sanitize.Line(o.Reason))
	}
}

// Verification is the result of verifying a bundle.
type Verification struct {
	File string
	// Expected is the expected digest, or "".
	Expected string
	// After is the file of the earlier bundle that it was compared with, or "".
	After string
	// Err says why the file can't be trusted: a *bundlefile.FormatError, a
	// *bundlefile.IntegrityError, or a *bundlecheck.ContinuityError. Without it,
	// Manifest and Digest are the bundle's, and Texts is the result of bundlecheck.Texts.
	Err, Texts error
	Manifest   *bundlefile.Manifest
	Digest     string
}

// OK reports whether the bundle can be used.
func (v *Verification) OK() bool { return v.Err == nil && v.Texts == nil }

// VerificationText writes the result of a verification.
func VerificationText(w io.Writer, v *Verification) error {
	var t strings.Builder
	if v.OK() {
		fmt.Fprintf(&t, "%s is complete and unchanged: ", sanitize.Line(v.File))
		manifestText(&t, v.Manifest, v.Manifest.Counts, v.Digest)
		t.WriteString("Its texts are valid: the patterns, the changelog, and no hidden characters.\n")
		if v.After != "" {
			fmt.Fprintf(&t, "It has everything in %s that was not withdrawn.\n", sanitize.Line(v.After))
		}
		if v.Expected == "" {
			t.WriteString("The digest was not compared: use --digest to name the expected bundle.\n")
		}
	} else {
		fmt.Fprintf(&t, "%s must not be used:\n", sanitize.Line(v.File))
		for _, p := range problemsOf(v.Err) {
			fmt.Fprintf(&t, "  %s\n", sanitize.Line(p))
		}
		for _, p := range problemsOf(v.Texts) {
			fmt.Fprintf(&t, "  texts: %s\n", sanitize.Line(p))
		}
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// problemsOf lists what is wrong with a bundle, nothing for nil.
func problemsOf(err error) []string {
	if err == nil {
		return []string{}
	}
	changed := &bundlefile.IntegrityError{}
	if continuity, ok := errors.AsType[*bundlecheck.ContinuityError](err); ok {
		changed.Problems = continuity.Problems
	} else if !errors.As(err, &changed) {
		return []string{err.Error()}
	}
	out := make([]string, 0, len(changed.Problems)+1)
	for _, p := range changed.Problems {
		out = append(out, p.Error())
	}
	if changed.More > 0 {
		out = append(out, fmt.Sprintf("and %d more", changed.More))
	}
	return out
}

// ListText lists documents as a table.
func ListText(w io.Writer, lines []*bundlefile.IndexLine) error {
	rows := [][]string{{"ID", "VERSION", "KIND", "ARTIFACT TYPE", "NAME", ""}}
	for _, l := range lines {
		rows = append(rows, listRow(l))
	}
	return table(w, rows)
}

// SearchText lists the results of a search as a table.
func SearchText(w io.Writer, matches []library.Match) error {
	rows := [][]string{{"ID", "VERSION", "KIND", "ARTIFACT TYPE", "NAME", "", "FOUND IN"}}
	for _, m := range matches {
		rows = append(rows, append(listRow(bundle.LineOf(&m.Entry)), strings.Join(m.Matched, ", ")))
	}
	return table(w, rows)
}

func listRow(l *bundlefile.IndexLine) []string {
	status := ""
	switch {
	case l.Retired:
		status = "retired"
	case l.Deprecated != nil:
		status = "deprecated"
	}
	return []string{l.ID, l.Latest, strings.ReplaceAll(l.Kind, "_", " "), l.ArtifactType, l.Name, status}
}

// table writes a table of documents below the first row.
func table(w io.Writer, rows [][]string) error {
	if len(rows) == 1 {
		rows = [][]string{{"No documents found."}}
	}
	return render.Table(w, rows)
}

// RefsText writes the findings in contracts.
func RefsText(w io.Writer, contracts []bundle.Contract) error {
	var t strings.Builder
	references, errs, warnings := 0, 0, 0
	for _, c := range contracts {
		references += c.References
		for _, f := range c.Findings {
			severity := severityOf(&f)
			if f.Warning {
				warnings++
			} else {
				errs++
			}
			fmt.Fprintf(&t, "%s:%d:%d: %s[%s]: %s\n", sanitize.Line(f.File), f.At.Line, f.At.Column, severity, f.Code, sanitize.Line(f.Message))
		}
	}
	fmt.Fprintf(&t, "%s, %s in %s (%s)\n", render.Count(errs, "error"), render.Count(warnings, "warning"), render.Count(len(contracts), "file"), render.Count(references, "reference"))
	_, err := io.WriteString(w, t.String())
	return err
}

func severityOf(f *bundle.Finding) string {
	if f.Warning {
		return "warning"
	}
	return "error"
}
