package printer

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/textdiff"
)

// The maximum size in bytes of the table of documents and of the changes of one
// document.
const (
	maxTable   = 300_000
	maxSection = 150_000
)

// Markdown writes a comparison for a pull request: what does not fit comes first in a table of
// documents, then the verdicts that flip, unless played is nil, and the changes of each document. In
// text from documents, nothing is a link, a mention, or a command.
func Markdown(w io.Writer, c *diff.Comparison, played *replay.Replay) error {
	m := markdown{}
	m.Printf("**%s**\n\nCompared %s.\n", counts(c), compared(c, render.Code))
	if played != nil {
		m.Printf("\n%s\n", render.Plain(replayed(played)))
	}
	isUnchanged := func(d diff.DocumentDiff) bool { return d.Status == diff.Unchanged && d.Fits }
	documents := slices.DeleteFunc(slices.Clone(c.Documents), isUnchanged)
	slices.SortStableFunc(documents, func(a, b diff.DocumentDiff) int { return misfitFirst(a.Fits, b.Fits) })
	m.table(documents)
	m.notes(c, "\n### Calibration and ledger\n\n")
	if played != nil && played.Missing == "" {
		m.Printf("\n### Verdicts\n\n")
		strong := func(_, text string) string { return "**" + text + "**" }
		p := replayPrinter{&m.Output, "- ", render.Code, render.Plain, strong, m.Len() + maxReplay}
		p.replay(played)
	}
	m.entries(documents, section)
	return m.Flush(w)
}

// misfitFirst compares whether two things fit.
func misfitFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

type markdown struct{ render.Markdown }

func (m *markdown) table(documents []diff.DocumentDiff) {
	if len(documents) == 0 {
		return
	}
	m.Printf("\n### Documents\n\n| document | class | version | fits |\n|---|---|---|---|\n")
	for i := range documents {
		if m.Len() > maxTable {
			m.Printf("| %s | | | |\n", moreOf(len(documents)-i, "document"))
			return
		}
		d := &documents[i]
		class := what(d, render.Cell)
		if d.IsUnreadable() || d.Class == schema.Major {
			class = "**" + class + "**"
		}
		name := render.Cell(cmp.Or(d.ID, d.Head.Path, d.Base.Path))
		m.Printf("| %s | %s | %s | %s |\n", name, class, versions(d, render.Cell), fits(d))
	}
}

const mostNotes = 50

func (m *markdown) notes(c *diff.Comparison, heading string) {
	all := notes(c)
	if len(all) > 0 {
		m.Printf("%s", heading)
	}
	shown, more := upTo(mostNotes, all)
	for _, n := range shown {
		m.Printf("- %s: %s\n", render.Code(n.file), render.Plain(n.text))
	}
	if more > 0 {
		m.Printf("- %s\n", moreOf(more, "difference"))
	}
}

func fits(d *diff.DocumentDiff) string {
	switch {
	case !d.Fits && d.Advice != "":
		return "**no**: " + render.Plain(d.Advice)
	case !d.Fits:
		return "**no**"
	case len(d.Accepted) > 0:
		return "accepted: " + render.Cell(strings.Join(d.Accepted, "; "))
	case d.Status == diff.Removed:
		return ""
	}
	return "yes"
}

// entries writes as many entries as fit.
func (m *markdown) entries(documents []diff.DocumentDiff, entry func(*diff.DocumentDiff) string) {
	for i := range documents {
		text := entry(&documents[i])
		if m.Len()+len(text) > render.MaxMarkdown {
			m.Printf("\n%s\n", moreOf(len(documents)-i, "document"))
			return
		}
		m.WriteString(text)
	}
}

// section has the details of a document that are not in the table.
func section(d *diff.DocumentDiff) string {
	if len(d.Changes) == 0 {
		return ""
	}
	m := markdown{}
	m.Printf("\n### %s\n\n", render.Code(cmp.Or(d.ID, d.Head.Path, d.Base.Path)))
	m.changes(d, "- ", func(c *compat.MeaningChange) {
		m.Printf("- **%s**: %s\n", classOf(c), render.Plain(c.Message))
		if parts := changedWords(c); parts != nil {
			m.Printf("\n<blockquote>%s</blockquote>\n\n", words(parts))
		}
	})
	return m.String()
}

// changes writes as many changes of a document as fit, each of which begins with a bullet.
func (m *markdown) changes(d *diff.DocumentDiff, bullet string, write func(*compat.MeaningChange)) {
	changes := inOrder(d.Changes)
	for i := range changes {
		if m.Len() > maxSection {
			m.Printf("%s%s\n", bullet, moreOf(len(changes)-i, "change"))
			return
		}
		write(&changes[i])
	}
}

func words(parts []textdiff.Part) string {
	var b strings.Builder
	for _, p := range parts {
		tag := map[textdiff.Side]string{textdiff.Old: "del", textdiff.New: "ins"}[p.Side]
		line := "<br>"
		if tag != "" {
			b.WriteString("<" + tag + ">")
			line = "↵<br>" // the line end may be the only change
		}
		for i, text := range strings.Split(p.Text, "\n") {
			text = render.HTML(text)
			if i > 0 {
				b.WriteString(line)
				if rest, indented := strings.CutPrefix(text, " "); indented {
					text = "&nbsp;" + rest
				}
			}
			b.WriteString(text)
		}
		if tag != "" {
			b.WriteString("</" + tag + ">")
		}
	}
	return strings.TrimSuffix(b.String(), "<br>")
}

// Changelog writes the changes since the last release as Markdown, by document.
func Changelog(w io.Writer, c *diff.Comparison, r change.Release) error {
	m := markdown{}
	m.Printf("# Library %s\n\n", r.Next)
	isSame := func(d diff.DocumentDiff) bool { return d.Status == diff.Unchanged || d.Status == diff.Moved }
	documents := slices.DeleteFunc(slices.Clone(c.Documents), isSame)
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
	m.notes(c, "\n## Calibration and ledger\n\n")
	return m.Flush(w)
}

func entry(d *diff.DocumentDiff) string {
	m := markdown{}
	m.Printf("- %s %s: %s\n", render.Code(d.ID), versions(d, render.Cell), what(d, render.Code))
	m.changes(d, "  - ", func(c *compat.MeaningChange) {
		m.Printf("  - %s: %s\n", classOf(c), strings.TrimSpace(render.Plain(c.Message)))
	})
	return m.String()
}
