package authoring

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Edit is a set of changes to the files of a library.
type Edit struct {
	// Files are in the order in which they should be written, so that a failure in
	// between loses nothing: created files, changed files, and removed files.
	Files []File
	// Warnings are the remaining tasks of the author.
	Warnings []string
}

// File is a file before and after an edit.
type File struct {
	// Path is relative to the library and slash-separated.
	Path string
	// Before is the current content, or nil if the file is created. After is the new
	// content, or nil if the file is removed.
	Before, After []byte
	// Note describes the change in a few words.
	Note string
}

// Done is the word for the change: created, changed, or removed.
func (f *File) Done() string {
	switch {
	case f.Before == nil:
		return "created"
	case f.After == nil:
		return "removed"
	}
	return "changed"
}

// checkValue checks a text from an author against the type of a value. noun is the name
// of the value in messages: "ID".
func checkValue(v *schema.Value, noun, text string) error {
	n := &yamltree.Node{Kind: yamltree.Scalar, Type: yamltree.String, Style: yamltree.DoubleQuoted, Value: text}
	if problems := schema.Check(v, n, noun); len(problems) > 0 {
		return errors.New(problems[0].Message)
	}
	return nil
}

// parse reads a file of the library: a document, the ledger, or a dataset.
func parse(path string, data []byte) *document.Document {
	f := source.NewFile(path, data)
	switch {
	case path == ledgerFile:
		return document.ParseAs(f, &document.Ledger)
	case strings.HasPrefix(path, calibration.Root+"/"):
		return document.ParseAs(f, &document.Dataset)
	}
	return document.Parse(f)
}

func mistakes(name string) error {
	return fmt.Errorf("%s has errors. Fix them first: `rubric lint` lists them", name)
}

func apply(d *document.Document, edits ...source.Edit) (*document.Document, error) {
	data, err := source.Apply(d.File.Data, edits)
	if err != nil {
		return nil, err
	}
	return parse(d.File.Path, data), nil
}

// same reports whether two documents mean the same, except for some keys of the root.
func same(a, b *document.Document, aside ...string) bool {
	if !a.Valid() || !b.Valid() || a.Kind != b.Kind {
		return false
	}
	rest := *a.Kind.Table
	rest.Fields = nil
	for _, f := range a.Kind.Table.Fields {
		if !slices.Contains(aside, f.Key) {
			rest.Fields = append(rest.Fields, f)
		}
	}
	return string(schema.Canonical(&rest, a.Root())) == string(schema.Canonical(&rest, b.Root()))
}

// entry is an existing key of a mapping, with its value.
func entry(n *yamltree.Node, key string) yamltree.Entry {
	i := slices.IndexFunc(n.Entries, func(e yamltree.Entry) bool { return e.Key.Value == key })
	return n.Entries[i]
}

type pair struct {
	key, text string
	// word reports whether the text needs no quotes.
	word bool
}

// layout is the style of a file, so that additions look like the rest.
type layout struct {
	eol   string
	step  string         // the indentation of one level
	keys  yamltree.Style // how keys are written
	texts yamltree.Style // how IDs are written, and other texts if possible
}

var usual = layout{eol: "\n", step: "  ", keys: yamltree.Plain, texts: yamltree.DoubleQuoted}

// layoutOf is the layout of a file. like is an entry whose value is an ID.
func layoutOf(f *source.File, root *yamltree.Node, like yamltree.Entry) layout {
	l := layout{eol: "\n", step: step(f, root), keys: like.Key.Style, texts: like.Value.Style}
	if strings.Contains(string(f.Data), "\r\n") {
		l.eol = "\r\n"
	}
	if l.step == "" {
		l.step = usual.step
	}
	return l
}

// step is the indentation of the first nested group, or "".
func step(f *source.File, n *yamltree.Node) string {
	column := func(n *yamltree.Node) int { return f.Position(n.Span.Start).Column }
	for _, e := range n.Entries {
		if v := e.Value; v.Style == yamltree.Block && len(v.Entries) > 0 {
			return strings.Repeat(" ", column(v.Entries[0].Key)-column(e.Key))
		}
		if found := step(f, e.Value); found != "" {
			return found
		}
	}
	for _, item := range n.Items {
		if found := step(f, item); found != "" {
			return found
		}
	}
	return ""
}

// write is a text in a style. A text that is not a word always has quotes, and block
// style becomes double quotes.
func write(text string, style yamltree.Style, word bool) string {
	if style == yamltree.Plain && word {
		return text
	}
	return yamltree.Quote(text, style)
}

func (l layout) line(p pair) string {
	return write(p.key, l.keys, true) + ": " + write(p.text, l.texts, p.word)
}

// lines is the pairs, one per line, the first after head and the others after as many
// blanks.
func (l layout) lines(head string, pairs []pair) string {
	var b strings.Builder
	for i, p := range pairs {
		if i == 1 {
			head = strings.Repeat(" ", len(head))
		}
		b.WriteString(head + l.line(p) + l.eol)
	}
	return b.String()
}

// braces is the pairs on one line, for a file in flow style.
func (l layout) braces(pairs []pair) string {
	l.texts = yamltree.DoubleQuoted
	parts := make([]string, len(pairs))
	for i, p := range pairs {
		parts[i] = l.line(p)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// replaced is the edit that replaces the text of a value, in its style. A text that needs
// escapes gets double quotes.
func replaced(f *source.File, n *yamltree.Node, text string) source.Edit {
	at := strings.Index(f.Text(n.Span), n.Value)
	if at < 0 {
		return source.Edit{Span: n.Span, Text: write(text, yamltree.DoubleQuoted, true)}
	}
	start := n.Span.Start + at
	return source.Edit{Span: source.Span{Start: start, End: start + len(n.Value)}, Text: text}
}

func insert(at int, text string) source.Edit {
	return source.Edit{Span: source.Span{Start: at, End: at}, Text: text}
}

// indentation is the text before n on its line.
func indentation(f *source.File, n *yamltree.Node) string {
	line := f.LineSpan(f.Position(n.Span.Start).Line)
	return string(f.Data[line.Start:n.Span.Start])
}

// lineAfter is the start of the line after the one with an offset, or the end of the
// file.
func lineAfter(f *source.File, offset int) int {
	return f.LineSpan(f.Position(offset).Line + 1).Start
}

// spaced reports whether there is a blank line above an offset and the comments above
// it.
func spaced(f *source.File, offset int) bool {
	text := func(n int) string { return strings.TrimSpace(f.Text(f.LineSpan(n))) }
	n := f.Position(offset).Line - 1
	for n > 0 && strings.HasPrefix(text(n), "#") {
		n--
	}
	return n > 0 && text(n) == ""
}

// added returns alternative edits of a document that add a group at the end of the root,
// the best first. They differ if the end of a file belongs to the text above. With the
// dash "- ", the group is the first entry of a list.
func added(d *document.Document, l layout, key, dash string, pairs []pair) []source.Edit {
	f, root := d.File, d.Root()
	last := root.Entries[len(root.Entries)-1]
	before := indentation(f, last.Key)
	ownLine := strings.TrimSpace(before) == ""
	if root.Style == yamltree.Flow {
		separator := ", "
		if ownLine {
			separator = "," + l.eol + before
		}
		group := l.braces(pairs)
		if dash != "" {
			group = "[" + group + "]"
		}
		return []source.Edit{insert(last.Value.Span.End, separator+write(key, l.keys, true)+": "+group)}
	}
	if !ownLine {
		return nil
	}
	group := before + write(key, l.keys, true) + ":" + l.eol + l.lines(before+l.step+dash, pairs)
	lead := ""
	if !strings.HasSuffix(string(f.Data), "\n") {
		lead = l.eol
	}
	end := len(f.Data)
	edits := []source.Edit{
		insert(end, lead+group),
		insert(lineAfter(f, last.Value.Span.End), lead+group),
		insert(last.Key.Span.Start-len(before), group),
	}
	if spacedGroups(f, root) && !strings.HasSuffix(string(f.Data), "\n"+l.eol) {
		edits = append([]source.Edit{insert(end, lead+l.eol+group)}, edits...)
	}
	return edits
}

// spacedGroups reports whether the last group or list of the root has a blank line above
// it.
func spacedGroups(f *source.File, root *yamltree.Node) bool {
	for i := len(root.Entries) - 1; i > 0; i-- {
		if e := root.Entries[i]; e.Value.Kind != yamltree.Scalar {
			return spaced(f, e.Key.Span.Start)
		}
	}
	return false
}
