package authoring

import (
	"bytes"
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
	// Files are in the order in which they must be written: a failure in between then loses
	// nothing, because what a file had is written elsewhere before it is removed.
	Files []File
	// Warnings are the remaining tasks of the author, and Notes say what else is known.
	Warnings, Notes []string
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

// ChangeWord returns the word for the change: created, changed, or removed.
func (f *File) ChangeWord() string {
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

// pair is a key of a new group, and its text.
type pair struct{ key, text string }

func (p pair) String() string { return p.key + ": " + quote(p.text) }

func quote(text string) string { return yamltree.Quote(text, yamltree.DoubleQuoted) }

// braces is a group on one line.
func braces(pairs []pair) string {
	parts := make([]string, len(pairs))
	for i, p := range pairs {
		parts[i] = p.String()
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// lineEnd is how the lines of a file end.
func lineEnd(f *source.File) string {
	if strings.Contains(string(f.Data), "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// replaced is the edit that replaces the text of a value. If its source has the old value as it is,
// the new one takes its place, in the same style, which may not fit: callers with a text of an author
// parse the result again. Otherwise, the new one gets double quotes.
func replaced(f *source.File, n *yamltree.Node, text string) source.Edit {
	at := strings.Index(f.Text(n.Span), n.Value)
	if at < 0 {
		return source.Edit{Span: n.Span, Text: quote(text)}
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

// added returns alternative edits of a document that add a key at the end of the root, the best
// first. They differ if the end of a file belongs to the text above. Below the key are lines,
// or in a root in braces, the value after it is group.
func added(d *document.Document, key, group string, lines ...string) []source.Edit {
	f, root := d.File, d.Root()
	last := root.Entries[len(root.Entries)-1]
	if root.Style == yamltree.Flow {
		return []source.Edit{insert(last.Value.Span.End, ", "+key+": "+group)}
	}
	eol, before := lineEnd(f), indentation(f, last.Key)
	text := before + key + ":" + eol
	for _, line := range lines {
		text += before + "  " + line + eol
	}
	ends := bytes.Count(f.Data[len(bytes.TrimRight(f.Data, "\r\n")):], []byte("\n"))
	return []source.Edit{
		insert(len(f.Data), strings.Repeat(eol, max(0, 2-ends))+text), // after a blank line
		insert(last.Key.Span.Start-len(before), text+eol),
	}
}
