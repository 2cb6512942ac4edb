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

// mistakes is the error for a file that can't be edited because of its errors.
func mistakes(name string) error {
	return fmt.Errorf("%s has errors. Fix them first: `rubric lint` lists them", name)
}

// apply applies edits to a document.
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
