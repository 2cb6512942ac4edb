package render

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/diff"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// MaxMarkdown is how long Markdown gets, in bytes: GitHub takes summaries of a
// megabyte.
const MaxMarkdown = 900_000

// The part of that which the table of documents and the changes of one document
// have.
const (
	maxTable   = 300_000
	maxSection = 150_000
)

// DiffMarkdown writes a comparison for a pull request: a table of documents, what
// came of a replay unless it is nil, then the changes of each document. What comes from documents stands in code spans and in
// preformatted HTML, where nothing is a link, a mention or a command.
func DiffMarkdown(w io.Writer, c *diff.Comparison, played *replay.Replay) error {
	m := markdown{}
	m.printf("**%s**\n\nCompared %s.\n", counts(c), compared(c, code))
	var documents []*diff.Document
	for i := range c.Documents {
		if c.Documents[i].Status != diff.Unchanged {
			documents = append(documents, &c.Documents[i])
		}
	}
	m.table(documents)
	if played != nil {
		m.replay(played)
	}
	m.entries(documents, section)
	_, err := io.WriteString(w, m.String())
	return err
}

type markdown struct{ strings.Builder }

func (m *markdown) printf(format string, args ...any) { fmt.Fprintf(m, format, args...) }

// table lists the documents, a line each.
func (m *markdown) table(documents []*diff.Document) {
	if len(documents) == 0 {
		return
	}
	m.printf("\n| document | class | version | fits |\n|---|---|---|---|\n")
	for i, d := range documents {
		if m.Len() > maxTable {
			m.printf("| %d more | | | |\n", len(documents)-i)
			return
		}
		m.printf("| %s | %s | %s | %s |\n", cell(cmp.Or(d.ID, d.HeadPath, d.BasePath)), class(d), versionCell(d), fits(d))
	}
}

// class is the class of a document's changes, or what became of it.
func class(d *diff.Document) string {
	switch {
	case d.Unreadable():
		return "**can't be compared**"
	case d.Status == diff.Moved:
		return "moved"
	case d.Status != diff.Modified:
		return fmt.Sprintf("%s (%s)", d.Status, d.Class)
	case d.Class == schema.Major:
		return "**major**"
	}
	return d.Class.String()
}

func versionCell(d *diff.Document) string {
	switch {
	case d.BaseVersion == d.HeadVersion || d.HeadVersion == "":
		return cell(d.BaseVersion)
	case d.BaseVersion == "":
		return cell(d.HeadVersion)
	}
	return cell(d.BaseVersion) + " → " + cell(d.HeadVersion)
}

func fits(d *diff.Document) string {
	switch {
	case d.Unreadable():
		return "**no**: mend it first"
	case d.Status == diff.Removed && !d.Fits:
		return "**no**: put it back or retire it"
	case d.Status == diff.Removed:
		return ""
	case d.Fits:
		return "yes"
	case d.Fork != "":
		return "**no**: publish it as " + cell(d.Fork)
	}
	return "**no**: write " + cell(d.Required)
}

// entries writes as much about the documents as there is room for.
func (m *markdown) entries(documents []*diff.Document, entry func(*diff.Document) string) {
	for i, d := range documents {
		text := entry(d)
		if m.Len()+len(text) > MaxMarkdown {
			m.printf("\n%d more\n", len(documents)-i)
			return
		}
		m.WriteString(text)
	}
}

// section is what the table does not say about a document.
func section(d *diff.Document) string {
	if len(d.Changes) == 0 {
		return ""
	}
	m := markdown{}
	m.printf("\n### %s\n\n", code(cmp.Or(d.ID, d.HeadPath, d.BasePath)))
	if advice := advice(d); advice != "" {
		m.printf("%s\n\n", code(advice))
	}
	m.changes(d, func(c *diff.Change) {
		m.printf("- **%s**: %s\n", classOf(c), code(c.Message))
		if before, after, ok := c.Texts(); ok {
			m.printf("\n<pre>%s</pre>\n\n", words(shortened(diff.Words(before, after))))
		}
	})
	return m.String()
}

// changes writes as many changes of a document as there is room for.
func (m *markdown) changes(d *diff.Document, write func(*diff.Change)) {
	changes := inOrder(d.Changes)
	for i := range changes {
		if m.Len() > maxSection {
			m.printf("- %d more\n", len(changes)-i)
			return
		}
		write(&changes[i])
	}
}

// code is a text in a code span, in which nothing of Markdown or HTML acts, and
// that ends with none of the backticks of the text
// (https://spec.commonmark.org/0.31.2/#code-spans).
func code(text string) string {
	text = sanitize.Line(text)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// cell is a text in a code span in a table, where a bar would end the cell.
func cell(text string) string { return code(strings.ReplaceAll(text, "|", "<U+007C>")) }

// lineWidth is where lines of preformatted texts are broken, in characters.
const lineWidth = 100

// words is a comparison by words as preformatted HTML.
func words(parts []diff.Part) string {
	var b strings.Builder
	column := 0
	for _, p := range parts {
		tag := map[diff.Op]string{diff.Old: "del", diff.New: "ins"}[p.Op]
		if tag != "" {
			b.WriteString("<" + tag + ">")
		}
		for i, line := range strings.Split(p.Text, "\n") {
			if i > 0 {
				b.WriteByte('\n')
				column = 0
			}
			for piece := range strings.SplitAfterSeq(sanitize.Line(line), " ") {
				width := utf8.RuneCountInString(piece)
				if column > 0 && column+width > lineWidth {
					b.WriteByte('\n')
					column = 0
				}
				b.WriteString(escape(piece))
				column += width
			}
		}
		if tag != "" {
			b.WriteString("</" + tag + ">")
		}
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// escape writes a text in HTML. Where a line is broken, two colons could begin a
// command in the log of a CI run.
func escape(text string) string {
	return strings.ReplaceAll(html.EscapeString(text), "::", "&#58;&#58;")
}
