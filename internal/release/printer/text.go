// Package printer prints the output of the commands about bundles, and documents from a
// bundle or a folder. It has the one sentence that says when work passes a document.
package printer

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// BuiltText writes what was built, or what must be fixed first. name is the file.
func BuiltText(w io.Writer, b *Built, name string) error {
	var t render.Output
	for _, p := range b.Problems {
		t.Printf("error: %s%s\n", about(p), sanitize.Line(p.Message))
	}
	for _, p := range b.Notes {
		t.Printf("note: %s%s\n", about(p), sanitize.Line(p.Message))
	}
	if !b.OK {
		t.Printf("%s: the bundle can't be published, so %s was not written\n",
			render.Count(len(b.Problems), "error"), sanitize.Line(name))
	} else {
		t.Printf("%s: ", sanitize.Line(name))
		m := &bundlefile.Manifest{
			LibraryVersion: b.LibraryVersion, Commit: b.Commit,
			Refused: b.Refused, Tombstones: b.Tombstones, Counts: b.Counts,
		}
		manifestText(&t, m, *b.Digest)
		if b.TagCommand != "" {
			t.Printf("To release it, create its tag:\n%s\n", sanitize.Line(b.TagCommand))
		}
	}
	return t.Flush(w)
}

// about names the subject of a problem, before its message.
func about(p release.VersionProblem) string {
	if name := strings.TrimSpace(p.ID + " " + p.Version); name != "" {
		return sanitize.Line(name) + ": "
	}
	return ""
}

func manifestText(t *render.Output, m *bundlefile.Manifest, digest string) {
	c := m.Counts
	t.Printf("library %s, %s (%s, %s) in %s, commit %.12s\n%s\n", m.LibraryVersion,
		render.Count(c.Documents, "document"), render.Count(c.Rubrics, "rubric"),
		render.Count(c.RuleSets, "rule set"), render.Count(c.Versions, "version"), m.Commit, digest)
	omissions(t, "can't be released", m.Refused)
	omissions(t, "was withdrawn", m.Tombstones)
}

func omissions(t *render.Output, what string, list []bundlefile.Omission) {
	for _, o := range list {
		where := ""
		if o.Commit != "" {
			where = fmt.Sprintf(" (commit %.12s)", o.Commit)
		}
		t.Printf("omitted: %s %s%s: %s\n", strings.TrimSpace(o.ID+" "+o.Version), what, where, sanitize.Line(o.Reason))
	}
}

// VerificationText writes the result of a verification.
func VerificationText(w io.Writer, v *Verification) error {
	var t render.Output
	if v.OK {
		t.Printf("%s is complete and unchanged: ", sanitize.Line(v.File))
		manifestText(&t, v.Manifest, *v.Digest)
		t.WriteString("Its texts are valid: the patterns, the changelog, and no hidden characters.\n")
		if v.After != "" {
			t.Printf("It has everything in %s that was not withdrawn.\n", sanitize.Line(v.After))
		}
		if v.Expected == "" {
			t.WriteString("The digest was not compared: use --digest or --release to name the expected bundle.\n")
		}
		if v.Release != nil {
			releaseText(&t, v)
		}
	} else {
		t.Printf("%s must not be used:\n", sanitize.Line(v.File))
		for _, p := range v.Problems {
			t.Printf("  %s\n", sanitize.Line(p))
		}
		if v.Texts != nil {
			for _, p := range v.Texts.Problems {
				t.Printf("  texts: %s\n", sanitize.Line(p))
			}
		}
	}
	if v.Texts != nil {
		for _, p := range v.Texts.Notes {
			t.Printf("note: %s\n", sanitize.Line(p))
		}
	}
	return t.Flush(w)
}

// releaseText says what the record of a release shows in addition: not who wrote it.
func releaseText(t *render.Output, v *Verification) {
	r := v.Release
	t.Printf("It is the bundle of %s, commit %.12s, as the record of the release says.\n",
		sanitize.Line(r.Tag), sanitize.Line(r.Commit))
	switch {
	case r.Attested == nil:
		t.WriteString("The record does not say whether the release is attested.\n")
	case *r.Attested:
		t.WriteString("The release is attested, which was not verified: `gh attestation verify` shows who built it.\n")
	default:
		t.WriteString("Nothing in the release is attested, so this does not show who built it: build the commit yourself, and compare the digest.\n")
	}
}

// Problems lists what an error says is wrong with a bundle, nothing for nil.
func Problems(err error) []string {
	if err == nil {
		return []string{}
	}
	if continuity, ok := errors.AsType[*bundlecheck.ContinuityError](err); ok {
		return messages(continuity.Problems)
	}
	if integrity, ok := errors.AsType[*bundlefile.IntegrityError](err); ok {
		return messages(integrity.Problems)
	}
	return []string{err.Error()}
}

func messages(problems []bundlefile.BundleProblem) []string {
	out := make([]string, len(problems))
	for i, p := range problems {
		out[i] = p.Error()
	}
	return out
}

// ListText lists documents as a table. columns is the width of the terminal, or 0.
func ListText(w io.Writer, d *Documents[*library.Entry], columns int) error {
	rows := [][]string{{"ID", "VERSION", "KIND", "ARTIFACT TYPE", "NAME", ""}}
	for _, e := range d.Documents {
		rows = append(rows, listRow(e))
	}
	return table(w, rows, columns)
}

// SearchText lists the results of a search as ListText does.
func SearchText(w io.Writer, d *Documents[library.Match], columns int) error {
	if len(d.Documents) > 0 && d.Documents[0].Partial {
		if _, err := fmt.Fprintln(w, "No document has all the words. These have the most:"); err != nil {
			return err
		}
	}
	rows := [][]string{{"ID", "VERSION", "KIND", "ARTIFACT TYPE", "NAME", "", "FOUND IN"}}
	for _, m := range d.Documents {
		rows = append(rows, append(listRow(&m.Entry), strings.Join(m.Matched, ", ")))
	}
	return table(w, rows, columns)
}

func listRow(e *library.Entry) []string {
	status := ""
	switch {
	case e.Retired != nil:
		status = "retired"
	case e.Deprecated != nil:
		status = "deprecated"
	}
	return []string{e.ID, e.Latest, strings.ReplaceAll(string(e.Kind), "_", " "), e.ArtifactType, e.Name, status}
}

func table(w io.Writer, rows [][]string, columns int) error {
	if len(rows) == 1 {
		rows = [][]string{{"No documents found."}}
	}
	return render.Table(w, rows, columns)
}

// RefsText writes the findings in contracts.
func RefsText(w io.Writer, c *Contracts) error {
	var t render.Output
	for _, f := range c.Findings {
		t.Printf("%s:%d:%d: %s[%s]: %s\n", sanitize.Line(f.File), f.Line, f.Column, f.Severity, f.Code,
			sanitize.Line(f.Message))
	}
	n := c.Summary
	t.Printf("%s, %s in %s (%s)\n", render.Count(n.Errors, "error"), render.Count(n.Warnings, "warning"),
		render.Count(n.Files, "file"), render.Count(n.References, "reference"))
	return t.Flush(w)
}
