package printer

import (
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
)

// roomForMore is the size in bytes of the row that counts the omitted rows.
const roomForMore = 100

// Markdown writes findings for a job summary as rows of a table, worst first, as many as
// fit in room bytes. rest is the output that has the others, or "". prefix is the path from the
// repository's root to the library.
func Markdown(w io.Writer, r *lint.Report, prefix, rest string, room int) error {
	t := text{Text: render.Text{Options: render.TextOptions{Prefix: prefix}}, options: TextOptions{Notes: true}}
	t.summary(r)
	m := markdown{}
	m.Printf("### Lint\n\n%s\n", render.Plain(strings.TrimSuffix(t.String(), "\n")))
	if rest != "" {
		rest = ": " + render.Plain(rest) + " has all"
	}
	m.rows(room, "| severity | place | lint rule | finding |\n|---|---|---|---|\n", rest, t.findingRows(r.Findings))
	m.rows(room, "| accepted | place | document | reason |\n|---|---|---|---|\n", "", t.exceptionRows(r.Exceptions))
	_, err := io.WriteString(w, m.String())
	return err
}

type markdown struct{ render.Markdown }

// rows writes a table with as many rows as fit in room bytes, and then how many more there
// are.
func (m *markdown) rows(room int, head, rest string, rows []string) {
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

func (t *text) findingRows(findings []lint.Finding) []string {
	var rows []string
	for _, f := range worstFirst(findings) {
		severity := f.Severity.String()
		if f.Severity == lint.Error {
			severity = "**error**"
		}
		rows = append(rows, "| "+severity+" | "+render.Cell(t.Place(f.Location))+" | "+render.Cell(f.Rule.ID)+" | "+render.Plain(t.withRelated(f))+" |\n")
	}
	return rows
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

func (t *text) exceptionRows(exceptions []*lint.Exception) []string {
	var rows []string
	for _, e := range exceptions {
		rows = append(rows, "| "+render.Cell(e.Rule)+" | "+render.Cell(t.Place(e.At))+" | "+render.Cell(accepted(e))+" | "+render.Plain(e.Reason)+" |\n")
	}
	return rows
}
