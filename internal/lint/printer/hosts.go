package printer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// maxAnnotations is how many annotations of a severity GitHub shows per step.
const maxAnnotations = 10

// GitHub writes findings as workflow commands, which GitHub shows as annotations: findings
// in files that the change touches first, then by severity, and of each severity as many
// as GitHub shows. The others are printed as plain text. The last line counts all
// findings, and an end follows it on a host that reads no such commands. prefix is the path from
// the repository's root to the library.
func GitHub(w io.Writer, r *lint.Report, prefix string, end *End) error {
	t := text{Text: render.Text{Options: render.TextOptions{Prefix: prefix}}, options: TextOptions{Notes: true, End: end}}
	written := map[lint.Severity]int{}
	var rest []*lint.Finding
	for _, f := range changedFirst(withAccepted(r)) {
		if written[f.Severity] < maxAnnotations {
			t.printAnnotation(f)
			written[f.Severity]++
		} else {
			rest = append(rest, f)
		}
	}
	for _, f := range rest {
		t.Printf("%s: %s[%s]: %s\n", t.Place(f.Location), f.Severity, f.Rule.ID, sanitize.Line(t.withRelated(f)))
	}
	var more []string
	found := bySeverity(r.Summary)
	for _, s := range severities {
		if n := found[s] - written[s]; n > 0 {
			more = append(more, render.Count(n, "more "+s.String()))
		}
	}
	if len(more) > 0 {
		rest := "All others are above"
		if r.Summary.Unlisted > 0 {
			rest = "The lines above list or count the others"
		}
		t.Printf("%s: GitHub shows at most %d annotations per severity. %s.\n", strings.Join(more, ", "), maxAnnotations, rest)
	}
	t.printStatistics(r)
	t.printSummary(r)
	t.printEnd(r)
	return t.Flush(w)
}

// printAnnotation writes a finding as one workflow command. The message repeats the place,
// because the log shows nothing else of a command.
func (t *text) printAnnotation(f *lint.Finding) {
	command := map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Note: "notice"}[f.Severity]
	lines := []string{t.Place(f.Location) + ": " + sanitize.Line(f.Message)}
	for _, r := range f.Related {
		lines = append(lines, sanitize.Line(r.Message)+": "+t.Place(r.Location))
	}
	if f.Fix != nil {
		lines = append(lines, "--fix would "+sanitize.Line(f.Fix.Message))
	}
	t.Printf("::%s %stitle=%s::%s\n", command, t.annotationOf(f.Location), propertyEscapes.Replace(f.Rule.ID),
		dataEscapes.Replace(strings.Join(lines, "\n")))
}

// annotationOf returns the properties that put an annotation at a place. A place in another
// commit has none, because the file may have changed. GitHub accepts no columns for a
// place of several lines.
func (t *text) annotationOf(l source.Location) string {
	if l.Revision != "" {
		return ""
	}
	properties := fmt.Sprintf("file=%s,line=%d,", propertyEscapes.Replace(t.File(l.File)), placeOf(l).Line)
	switch {
	case l.Start.Line == 0:
		return properties
	case l.Start.Line != l.End.Line:
		return properties + fmt.Sprintf("endLine=%d,", l.End.Line)
	}
	return properties + fmt.Sprintf("col=%d,endLine=%d,endColumn=%d,", l.Start.Column, l.End.Line, l.End.Column)
}

// Escapes for the characters that are special in a workflow command, and in its
// properties.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// roomForMore is the size in bytes of the row that counts the omitted rows.
const roomForMore = 100

// Markdown writes findings for a job summary as rows of a table, worst first, as many as
// fit in room bytes. rest is the output that has the others, or "". prefix is the path from the
// repository's root to the library.
func Markdown(w io.Writer, r *lint.Report, prefix, rest string, room int) error {
	t := text{Text: render.Text{Options: render.TextOptions{Prefix: prefix}}, options: TextOptions{Notes: true}}
	t.printSummary(r)
	m := markdown{}
	m.Printf("### Lint\n\n%s\n", render.Plain(strings.TrimSuffix(t.String(), "\n")))
	m.printStatistics(r)
	if rest != "" {
		rest = ": " + render.Plain(rest) + " has all"
	}
	var rows []string
	for _, f := range worstFirst(r.Findings) {
		severity := f.Severity.String()
		if f.Severity == lint.Error {
			severity = "**error**"
		}
		rows = append(rows,
			"| "+severity+" | "+render.Cell(t.Place(f.Location))+" | "+render.Cell(f.Rule.ID)+" | "+
				render.Plain(t.withRelated(f))+" |\n")
	}
	m.printRows(room, "| severity | place | lint rule | finding |\n|---|---|---|---|\n", rest, rows)
	rows = nil
	for _, e := range r.Exceptions {
		rows = append(rows,
			"| "+render.Cell(e.Rule)+" | "+render.Cell(t.Place(e.At))+" | "+render.Cell(accepted(e))+
				" | "+render.Plain(e.Reason)+" |\n")
	}
	m.printRows(room, "| accepted | place | document | reason |\n|---|---|---|---|\n", "", rows)
	return m.Flush(w)
}

type markdown struct{ render.Markdown }

// printRows writes a table with as many rows as fit in room bytes, and then how many more there
// are.
func (m *markdown) printRows(room int, head, rest string, rows []string) {
	if len(rows) == 0 {
		return
	}
	m.Printf("\n%s", head)
	for i, row := range rows {
		if m.Len()+len(row)+len(rest)+roomForMore > room {
			m.Printf("| %d more%s | | | |\n", len(rows)-i, rest)
			return
		}
		m.WriteString(row)
	}
}

// withRelated returns the message of a finding with its related places and its fix, on one
// line.
func (t *text) withRelated(f *lint.Finding) string {
	message := f.Message
	for _, r := range f.Related {
		message += " (" + r.Message + ": " + t.Place(r.Location) + ")"
	}
	if f.Fix != nil {
		message += " (--fix would " + f.Fix.Message + ")"
	}
	return message
}

var gitlabSeverities = map[lint.Severity]string{lint.Error: "major", lint.Warning: "minor", lint.Note: "info"}

// GitLab writes findings as a Code Quality report, with the properties that GitLab requires
// (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format). GitLab
// merges the reports of a pipeline and matches findings by fingerprint, so that of two
// libraries in one repository differ. prefix is the path from the repository's root to the
// library.
func GitLab(w io.Writer, r *lint.Report, prefix string) error {
	out := []object{}
	for _, f := range withIgnored(r, prefix) {
		sum := sha256.Sum256([]byte(prefix + "\x00" + f.Fingerprint))
		out = append(out, object{
			"description": inHistory(f.Message, f.Revision), "check_name": f.Rule.ID, "severity": gitlabSeverities[f.Severity],
			"fingerprint": hex.EncodeToString(sum[:16]),
			"location":    object{"path": path.Join(prefix, f.File), "lines": object{"begin": placeOf(f.Location).Line}},
		})
	}
	return render.WriteJSON(w, out)
}
