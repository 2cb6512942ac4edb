package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// maxAnnotations is how many annotations of a severity GitHub shows per step.
const maxAnnotations = 10

// GitHub writes findings as workflow commands, which GitHub shows as annotations: findings
// on lines that the change touches first, then by severity, and of each severity as many
// as GitHub shows. The others are printed as plain text. The last line counts all
// findings. prefix is the path from the repository's root to the library.
func GitHub(w io.Writer, r *lint.Report, prefix string) error {
	t := text{Text: render.Text{Options: render.TextOptions{Prefix: prefix}}, options: TextOptions{Notes: true}}
	written := map[lint.Severity]int{}
	var rest []*lint.Finding
	for _, f := range changedFirst(r.Findings) {
		if written[f.Severity] < maxAnnotations {
			t.annotation(f)
			written[f.Severity]++
		} else {
			rest = append(rest, f)
		}
	}
	for _, f := range rest {
		t.Printf("%s: %s[%s]: %s\n", t.Place(f.Location), f.Severity, f.Rule.ID, sanitize.Line(t.withRelated(f)))
	}
	var more []string
	for _, s := range bySeverity(r.Summary) {
		if n := s.n - written[s.severity]; n > 0 {
			more = append(more, render.Count(n, "more "+s.severity.String()))
		}
	}
	if len(more) > 0 {
		t.Printf("%s: GitHub shows at most %d annotations per severity. All others are above.\n", strings.Join(more, ", "), maxAnnotations)
	}
	t.summary(r)
	_, err := io.WriteString(w, t.String())
	return err
}

// annotation writes a finding as one workflow command. The message repeats the place,
// because the log shows nothing else of a command.
func (t *text) annotation(f *lint.Finding) {
	command := map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Note: "notice"}[f.Severity]
	lines := []string{t.Place(f.Location) + ": " + sanitize.Line(f.Message)}
	for _, r := range f.Related {
		lines = append(lines, sanitize.Line(r.Message)+": "+t.Place(r.Location))
	}
	if f.Fix != nil {
		lines = append(lines, "--fix would "+sanitize.Line(f.Fix.Message))
	}
	t.Printf("::%s %stitle=%s::%s\n", command, t.annotated(f.Location), commandProperty(f.Rule.ID), commandData(strings.Join(lines, "\n")))
}

// annotated returns the properties that put an annotation at a place. A place in another
// commit has none, because the file may have changed. GitHub accepts no columns for a
// place of several lines.
func (t *text) annotated(l source.Location) string {
	if l.Revision != "" {
		return ""
	}
	properties := fmt.Sprintf("file=%s,line=%d,", commandProperty(t.File(l.File)), max(1, l.Start.Line))
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

func commandData(text string) string     { return dataEscapes.Replace(text) }
func commandProperty(text string) string { return propertyEscapes.Replace(text) }
