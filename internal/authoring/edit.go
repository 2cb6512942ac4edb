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

// Edit is what a chore does to the files of a library.
type Edit struct {
	// Files are in the order in which they should be written, so that a failure
	// on the way loses nothing: those that are made, those that change, those
	// that are removed.
	Files []File
	// Warnings are what the author has to do besides.
	Warnings []string
}

// File is a file before and after.
type File struct {
	// Path is relative to the library and slash-separated.
	Path string
	// Before is the content that the file has, nil if it is made. After is what
	// it gets, nil if it is removed.
	Before, After []byte
	// Note says in a few words what happens to it.
	Note string
}

// Done is the word for what happens to the file: created, changed, or removed.
func (f *File) Done() string {
	switch {
	case f.Before == nil:
		return "created"
	case f.After == nil:
		return "removed"
	}
	return "changed"
}

// checkValue holds a text that an author gives for a value against the value's type.
// noun is what the message calls it: "ID".
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

// mistakes is the error for a file that can't be edited as it is.
func mistakes(name string) error {
	return fmt.Errorf("%s has mistakes. Fix them first: `rubric lint` lists them", name)
}

// apply makes edits of a document.
func apply(d *document.Document, edits ...source.Edit) (*document.Document, error) {
	data, err := source.Apply(d.File.Data, edits)
	if err != nil {
		return nil, err
	}
	return parse(d.File.Path, data), nil
}

// same tells whether two documents say the same, some keys of the root aside.
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

// entry is a key of a mapping, which has it, with its value.
func entry(n *yamltree.Node, key string) yamltree.Entry {
	i := slices.IndexFunc(n.Entries, func(e yamltree.Entry) bool { return e.Key.Value == key })
	return n.Entries[i]
}
