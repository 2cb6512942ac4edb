package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/diff"
	"github.com/rubric-library/rubric-library/internal/render"
)

// Changelog writes the changes since the last release as Markdown, by document.
func Changelog(w io.Writer, c *diff.Comparison, r diff.Release) error {
	m := markdown{}
	m.Printf("# Library %s\n\n", r.Next)
	var documents []*diff.Document
	for i := range c.Documents {
		if d := &c.Documents[i]; d.Status != diff.Unchanged && d.Status != diff.Moved {
			documents = append(documents, d)
		}
	}
	switch {
	case r.Last == "":
		m.Printf("The first release.\n")
	case r.Last == r.Next:
		m.Printf("Nothing changed since %s.\n", r.Last)
	case len(documents) == 0:
		m.Printf("Since %s, only schemas, calibration, or the ledger changed.\n", r.Last)
	default:
		m.Printf("Changes since %s, highest class first.\n", r.Last)
	}
	if len(documents) > 0 {
		m.Printf("\n")
	}
	m.entries(documents, entry)
	_, err := io.WriteString(w, m.String())
	return err
}

// entry is a document with its changes as a list.
func entry(d *diff.Document) string {
	m := markdown{}
	became := fmt.Sprintf("%s (%s)", d.Status, d.Class)
	if d.Status == diff.Modified {
		became = d.Class.String()
	}
	m.Printf("- %s %s: %s\n", render.Code(d.ID), versionCell(d), became)
	m.changes(d, func(c *diff.Change) {
		m.Printf("  - %s: %s\n", classOf(c), strings.TrimSpace(render.Plain(c.Message)))
	})
	return m.String()
}
