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
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
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
	for _, e := range c.Evidence {
		t.Printf("%s: %s\n", t.Paint(render.StyleBold, t.File(e.File)), sanitize.Line(outcome(&e)))
	}
	for i := range c.Fallbacks {
		t.Printf("%s %s\n", t.Paint(render.StyleBold, t.File(lib.LedgerFile)+":"), sanitize.Line(c.Fallbacks[i].String()))
	}
	for _, m := range c.Measured {
		t.Printf("%s %s\n", t.Paint(render.StyleBold, t.File(path.Join(calibration.Root, m.Dataset))+":"), sanitize.Line(m.String()))
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

func (t *text) document(d *diff.Document) {
	style := map[schema.Class]string{schema.Major: render.StyleError, schema.Minor: render.StyleWarning}[d.Class]
	name := strings.TrimSpace(sanitize.Line(d.ID) + " " + versions(d, sanitize.Line))
	if name != "" {
		name = " " + name + ":"
	}
	file := sanitize.Line(d.Base.Path)
	if d.Head.Path != "" {
		file = t.File(d.Head.Path)
	}
	t.Printf("%s:%s %s\n", t.Paint(render.StyleBold, file), name, t.Paint(cmp.Or(style, render.StyleNote), what(d)))
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

func versions(d *diff.Document, show func(string) string) string {
	base, head := show(string(d.BaseVersion)), show(string(d.HeadVersion))
	if base == head || base == "" || head == "" {
		return cmp.Or(head, base)
	}
	return base + " → " + head
}

func what(d *diff.Document) string {
	switch {
	case d.Unreadable():
		return "can't be compared"
	case d.Status == diff.Moved:
		return "moved from " + sanitize.Line(d.Base.Path)
	case d.Status != diff.Modified:
		return string(d.Status)
	case d.Class == schema.None:
		return "only the version differs"
	case d.Base.Path != d.Head.Path:
		return d.Class.String() + ", moved from " + sanitize.Line(d.Base.Path)
	}
	return d.Class.String()
}

// inOrder sorts the changes of a document by class, the highest first, with texts that
// a judge reads after changes of scores and verdicts.
func inOrder(changes []compat.Change) []compat.Change {
	weight := func(c compat.Change) int {
		weight := -2 * int(c.Class)
		if _, _, texts := textsOf(&c); texts && c.Class == schema.Minor {
			weight++
		}
		return weight
	}
	sorted := slices.Clone(changes)
	slices.SortStableFunc(sorted, func(a, b compat.Change) int { return cmp.Compare(weight(a), weight(b)) })
	return sorted
}

func (t *text) change(c *compat.Change) {
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
func classOf(c *compat.Change) string { return cmp.Or(c.Class.String(), "error") }

// words writes a comparison by words. Every line begins with a bar, so no text can
// begin a line.
func (t *text) words(parts []part) {
	var b strings.Builder
	for _, p := range parts {
		for i, line := range strings.Split(p.Text, "\n") {
			if i > 0 {
				b.WriteByte('\n')
			}
			if line != "" {
				b.WriteString(t.mark(p.Op, sanitize.Line(line)))
			}
		}
	}
	for line := range strings.SplitSeq(strings.TrimRight(b.String(), "\n"), "\n") {
		t.Printf("    %s\n", strings.TrimRight(t.Paint(render.StyleDim, "|")+" "+line, " "))
	}
}

// mark shows which side a piece of a line is on.
func (t *text) mark(side op, line string) string {
	switch {
	case side == inBoth:
		return line
	case t.Options.Color:
		return t.Paint(map[op]string{inOld: styleOld, inNew: styleNew}[side], line)
	case side == inOld:
		return "[-" + line + "-]"
	}
	return "{+" + line + "+}"
}

// outcome says what is wrong about a change of evidence, or why it is accepted.
func outcome(e *diff.Evidence) string {
	if e.Accepted != "" {
		return fmt.Sprintf("accepted for %s: %s", e.Item, e.Accepted)
	}
	return e.Message
}

// counts says how many documents have each kind of difference, and how many do not fit.
// An unreadable document never counts as fitting.
func counts(c *diff.Comparison) string {
	lost := 0
	for _, e := range c.Evidence {
		if e.Fails() {
			lost++
		}
	}
	switch lost {
	case 0:
		return documents(c)
	case 1:
		return documents(c) + " 1 change of recorded evidence is not accepted."
	}
	return documents(c) + fmt.Sprintf(" %d changes of recorded evidence are not accepted.", lost)
}

func documents(c *diff.Comparison) string {
	n := map[string]int{}
	misfits, fitting := 0, 0
	for _, d := range c.Documents {
		switch {
		case d.Unreadable():
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

// compared names the compared libraries. show makes names safe to print.
func compared(c *diff.Comparison, show func(string) string) string {
	name := func(l *change.Library) string {
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
		if c.Why == "" {
			return name(c.Tip) + " with " + name(c.Head)
		}
		return fmt.Sprintf("%s with %s: %s", name(c.Head), name(c.Tip), show(c.Why))
	}
	var common []string
	for _, l := range c.Bases {
		common = append(common, name(l))
	}
	return fmt.Sprintf("%s with %s, the last commit in common with %s; versions follow %s: %s",
		name(c.Head), strings.Join(common, " and "), show(c.Tip.Name), name(c.Tip), show(c.Why))
}

// How much of a text is shown, in characters: of changed text, and of unchanged text
// before and after a change.
const (
	maxChanged = 4000
	maxAround  = 120
)

// shortened omits unchanged text far from a change, and the ends of very long changes: of
// two that replace each other, also the beginning that both have.
func shortened(parts []part) []part {
	out := slices.Clone(parts)
	for i := 1; i < len(out); i++ {
		if before, after := &out[i-1], &out[i]; before.Op == inOld && after.Op == inNew {
			if same := commonStart(before.Text, after.Text); same > maxChanged/2 {
				before.Text, after.Text = "…"+before.Text[same:], "…"+after.Text[same:]
			}
		}
	}
	for i, p := range out {
		if p.Op == inBoth {
			p.Text = middleOut(p.Text, i > 0, i < len(parts)-1)
		} else if n := utf8.RuneCountInString(p.Text); n > maxChanged {
			p.Text = cut(p.Text, maxChanged) + fmt.Sprintf("… (%d more characters)", n-maxChanged)
		}
		out[i] = p
	}
	return out
}

// commonStart is the length in bytes of what two texts begin with, without the last
// characters, which are shown.
func commonStart(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n = max(0, n-maxAround); n > 0 && !utf8.RuneStart(a[n]); n-- {
	}
	return n
}

func cut(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// middleOut keeps the words of a long text next to the changes before and after it.
func middleOut(text string, before, after bool) string {
	if utf8.RuneCountInString(text) <= 3*maxAround {
		return text
	}
	var kept string
	if before {
		kept = cut(text, maxAround)
		if at := strings.LastIndexAny(kept, " \n"); at >= 0 {
			kept = kept[:at+1]
		}
	}
	kept += "…"
	if after {
		tail := text[len(cut(text, utf8.RuneCountInString(text)-maxAround)):]
		kept += tail[max(strings.IndexAny(tail, " \n"), 0):]
	}
	return kept
}
