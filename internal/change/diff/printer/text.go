// Package printer prints comparisons of two libraries, with the result of a replay.
package printer

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/internal/text/textdiff"
)

// Text writes a comparison for people: each document with its changes, first those of
// scores and verdicts, then reworded texts word by word, then the rest; the result of a
// replay, unless it is nil; and a summary line for each.
func Text(w io.Writer, c *diff.Comparison, played *replay.Replay, opts render.TextOptions) error {
	t := text{render.Text{Options: opts}}
	for i := range c.Documents {
		if d := &c.Documents[i]; d.Status != diff.Unchanged || !d.Fits {
			t.document(d)
		}
	}
	for _, n := range notes(c) {
		t.Printf("%s: %s\n", t.Paint(render.StyleBold, t.File(n.file)), sanitize.Line(n.text))
	}
	if played != nil {
		p := replayPrinter{&t.Output, "", sanitize.Line, sanitize.Line, t.Paint, math.MaxInt}
		p.replay(played)
		t.Printf("%s\n", t.Paint(render.StyleBold, sanitize.Line(replayed(played))))
	}
	t.Printf("%s Compared %s.\n", t.Paint(render.StyleBold, counts(c)), compared(c, sanitize.Line))
	return t.Flush(w)
}

type text struct{ render.Text }

// The styles of removed and added text.
const (
	styleOld = "9;31"
	styleNew = "4;32"
)

func (t *text) document(d *diff.DocumentDiff) {
	style := map[schema.Class]string{schema.Major: render.StyleError, schema.Minor: render.StyleWarning}[d.Class]
	name := strings.TrimSpace(sanitize.Line(d.ID) + " " + versions(d, sanitize.Line))
	if name != "" {
		name = " " + name + ":"
	}
	file := sanitize.Line(d.Base.Path)
	if d.Head.Path != "" {
		file = t.File(d.Head.Path)
	}
	painted := t.Paint(cmp.Or(style, render.StyleNote), what(d, sanitize.Line))
	t.Printf("%s:%s %s\n", t.Paint(render.StyleBold, file), name, painted)
	if d.Advice != "" {
		t.Printf("  %s\n", t.Paint(render.StyleError, sanitize.Line(d.Advice)))
	}
	for _, reason := range d.Accepted {
		t.Printf("  accepted: %s\n", sanitize.Line(reason))
	}
	for _, c := range inOrder(d.Changes) {
		t.change(&c)
	}
}

func versions(d *diff.DocumentDiff, show func(string) string) string {
	base, head := show(string(d.BaseVersion)), show(string(d.HeadVersion))
	if d.Unreleased {
		return head + " (not released yet)"
	}
	if base == head || base == "" || head == "" {
		return cmp.Or(head, base)
	}
	return base + " → " + head
}

// what says how a document differs. show makes names safe to print.
func what(d *diff.DocumentDiff, show func(string) string) string {
	switch {
	case d.IsUnreadable():
		return "can't be compared"
	case d.Status == diff.Moved:
		return "moved from " + show(d.Base.Path)
	case d.Status == diff.Unchanged:
		return string(d.Status)
	case d.Status != diff.Modified:
		return fmt.Sprintf("%s (%s)", d.Status, d.Class)
	case d.Class == schema.None:
		return "only the version differs"
	case d.Base.Path != d.Head.Path:
		return d.Class.String() + ", moved from " + show(d.Base.Path)
	}
	return d.Class.String()
}

// inOrder sorts the changes of a document by class, the highest first, with texts that
// a judge reads after changes of scores and verdicts.
func inOrder(changes []compat.MeaningChange) []compat.MeaningChange {
	weight := func(c compat.MeaningChange) int {
		weight := -2 * int(c.Class)
		if _, _, texts := textsOf(&c); texts && c.Class == schema.Minor {
			weight++
		}
		return weight
	}
	sorted := slices.Clone(changes)
	slices.SortStableFunc(sorted, func(a, b compat.MeaningChange) int { return cmp.Compare(weight(a), weight(b)) })
	return sorted
}

func (t *text) change(c *compat.MeaningChange) {
	line := ""
	if v := cmp.Or(c.Head, c.Base); v != nil {
		line = fmt.Sprintf(" (line %d)", v.Line)
	}
	t.Printf("  %s%s: %s\n", classOf(c), t.Paint(render.StyleDim, line), sanitize.Line(c.Message))
	if words := changedWords(c); words != nil {
		t.words(words)
	}
}

// classOf is the class of a change, or "error".
func classOf(c *compat.MeaningChange) string { return cmp.Or(c.Class.String(), "error") }

// words writes a comparison by words. Every line begins with a bar, so no text can
// begin a line.
func (t *text) words(parts []textdiff.Part) {
	var b strings.Builder
	for _, p := range parts {
		for i, line := range strings.Split(p.Text, "\n") {
			if i > 0 {
				b.WriteByte('\n')
			}
			if line != "" {
				b.WriteString(t.mark(p.Side, sanitize.Line(line)))
			}
		}
	}
	for line := range strings.SplitSeq(strings.TrimRight(b.String(), "\n"), "\n") {
		t.Printf("    %s\n", strings.TrimRight(t.Paint(render.StyleDim, "|")+" "+line, " "))
	}
}

// mark shows which side a piece of a line is on.
func (t *text) mark(side textdiff.Side, line string) string {
	switch {
	case side == textdiff.Both:
		return line
	case t.Options.Color:
		return t.Paint(map[textdiff.Side]string{textdiff.Old: styleOld, textdiff.New: styleNew}[side], line)
	case side == textdiff.Old:
		return "[-" + line + "-]"
	}
	return "{+" + line + "+}"
}

// note is a difference that is not in a document: the file that has it, and a sentence.
type note struct{ file, text string }

// notes are the changes of recorded evidence, first those that no exception accepts, the yanked
// versions, and what datasets say now.
func notes(c *diff.Comparison) []note {
	var out []note
	evidence := slices.Clone(c.Evidence)
	slices.SortStableFunc(evidence, func(a, b diff.Evidence) int { return misfitFirst(!a.Fails(), !b.Fails()) })
	for _, e := range evidence {
		text := e.Message
		if e.Accepted != "" {
			text = fmt.Sprintf("accepted for %s: %s", e.Item, e.Accepted)
		}
		out = append(out, note{e.File, text})
	}
	for _, f := range c.Fallbacks {
		out = append(out, note{lib.LedgerFile, f.String()})
	}
	for _, m := range c.Measured {
		out = append(out, note{path.Join(calibration.Root, m.Dataset), m.String()})
	}
	return out
}

// counts says how many documents have each kind of difference, and how many do not fit.
// An unreadable document never counts as fitting.
func counts(c *diff.Comparison) string {
	lost := len(slices.DeleteFunc(slices.Clone(c.Evidence), func(e diff.Evidence) bool { return !e.Fails() }))
	if lost == 0 {
		return documents(c)
	}
	return documents(c) + fmt.Sprintf(" Changes of recorded evidence that no exception accepts: %d.", lost)
}

func documents(c *diff.Comparison) string {
	n, fitting, misfits := countDocuments(c)
	var parts []string
	for _, p := range []struct{ key, words string }{
		{"unreadable", "that can't be compared"}, {"gone", "removed without an entry in " + lib.LedgerFile},
		{"major", "with major changes"}, {"minor", "with minor changes"}, {"patch", "with patch changes"},
		{"added", "added"}, {"removed", "removed"}, {"moved", "moved"}, {"none", "with only another version"},
		{"unchanged", "with only another layout or other comments"},
	} {
		if n := n[p.key]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, p.words))
		}
	}
	fit := "; all versions fit"
	switch {
	case len(parts) == 0:
		return "No documents differ."
	case misfits == 1:
		fit = "; 1 version does not fit"
	case misfits > 1:
		fit = fmt.Sprintf("; %d versions do not fit", misfits)
	case fitting == 0:
		fit = ""
	case fitting < len(c.Documents):
		fit = "; the other versions fit"
	}
	return "Documents: " + strings.Join(parts, ", ") + fit + "."
}

// countDocuments counts the documents by what changed, and the versions that fit and that don't.
func countDocuments(c *diff.Comparison) (n map[string]int, fitting, misfits int) {
	n = map[string]int{}
	for _, d := range c.Documents {
		switch {
		case d.IsUnreadable():
			n["unreadable"]++
			continue
		case d.Status == diff.Removed && !d.Fits:
			n["gone"]++
			continue
		case d.Status == diff.Modified:
			n[d.Class.String()]++
		default:
			n[string(d.Status)]++
		}
		if d.Fits {
			fitting++
		} else {
			misfits++
		}
	}
	return n, fitting, misfits
}

// compared names the compared libraries. show makes names safe to print.
func compared(c *diff.Comparison, show func(string) string) string {
	name := func(l *holdings.Library) string {
		switch {
		case l.Name == ".": // before the period of a sentence
			return "the working folder"
		case l.Commit.IsZero():
			return show(l.Name)
		case strings.HasPrefix(l.Commit.Hash, l.Name):
			return "commit " + l.Commit.Hash[:12]
		}
		return fmt.Sprintf("%s (%.12s)", show(l.Name), l.Commit.Hash)
	}
	if len(c.Bases) == 1 && c.Bases[0] == c.Tip {
		if c.Base.Why == "" {
			return name(c.Tip) + " with " + name(c.Head)
		}
		return name(c.Head) + " with " + c.Base.Sentence(show)
	}
	var common []string
	for _, l := range c.Bases {
		common = append(common, name(l))
	}
	return fmt.Sprintf("%s with %s, the last commit in common with %s; versions follow %s: %s",
		name(c.Head), strings.Join(common, " and "), show(c.Tip.Name), name(c.Tip), show(c.Base.Why))
}

// How much of a text is shown, in characters: of changed text, and of unchanged text
// before and after a change.
const (
	maxChanged = 4000
	maxAround  = 120
)

// shortened omits unchanged text far from a change, and the ends of very long changes.
func shortened(parts []textdiff.Part) []textdiff.Part {
	out := slices.Clone(parts)
	for i := range out {
		p, text := &out[i], []rune(out[i].Text)
		switch {
		case p.Side == textdiff.Both:
			p.Text = middleOut(text, i > 0, i < len(out)-1)
		case len(text) > maxChanged:
			p.Text = fmt.Sprintf("%s… (%d more characters)", string(text[:maxChanged]), len(text)-maxChanged)
		}
	}
	return out
}

// middleOut keeps the words of a long text next to the changes before and after it.
func middleOut(text []rune, before, after bool) string {
	if len(text) <= 3*maxAround {
		return string(text)
	}
	var start, end string
	if before {
		start = string(text[:maxAround])
		if at := strings.LastIndexAny(start, " \n"); at >= 0 {
			start = start[:at+1]
		}
	}
	if after {
		end = string(text[len(text)-maxAround:])
		end = end[max(strings.IndexAny(end, " \n"), 0):]
	}
	return start + "…" + end
}
