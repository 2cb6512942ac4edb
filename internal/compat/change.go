package compat

import (
	"bytes"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Kind says how a value changed.
type Kind string

// The kinds of changes. Raised means stricter, lowered means less strict.
const (
	Added     = Kind(schema.Added)
	Removed   = Kind(schema.Removed)
	Raised    = Kind(schema.Raised)
	Lowered   = Kind(schema.Lowered)
	Renamed   = Kind(schema.Renamed)   // an element, or the document itself
	Reordered = Kind(schema.Reordered) // the elements that both versions have
	Moved     = Kind(schema.Moved)     // a text, to another key of its group
	Replaced  = Kind(schema.Replaced)  // all texts of a group at once
	// Changed is another word, flag, pattern, or reference, or another kind of
	// document.
	Changed = Kind(schema.Changed)
	// Reworded is another text that people or a judge read.
	Reworded Kind = "reworded"
	// Unclassified is a difference without a class in the tables, which is a bug in
	// the tool.
	Unclassified Kind = "unclassified"
)

// Change is one difference in meaning between two versions of a document.
type Change struct {
	Kind Kind
	// Path is the path of the value, with the names of elements:
	// "criteria[clarity].threshold". Pointer is the JSON pointer to it. Both refer to
	// the head, or to the base for removed values.
	Path    string
	Pointer string
	Class   schema.Class
	// Base and Head are the value on each side, nil if there is none.
	Base, Head *Value
	// Message says in one sentence what changed and what the effect is.
	Message string
}

// Value is one side of a change.
type Value struct {
	// Text represents the value: the text itself, a number with a decimal point, the
	// name of an element, or canonical JSON for other groups and lists.
	Text string
	// Span is its place. A value that is not in the file, because it is the default or
	// follows from others, is shown at the first key of its group.
	Span source.Span
}

// Compare returns the changes from base to head, both of which must be Valid. They are
// sorted by class, highest first, then by the usual order of keys and the order of
// elements in the head. Effective values are compared, so an explicit default is not a
// change. The version itself is ignored.
func Compare(base, head *document.Document) []Change {
	if bytes.Equal(base.File.Data, head.File.Data) {
		return nil
	}
	if base.Kind != head.Kind {
		return []Change{otherKind(base, head)}
	}
	return compare(base.Kind.Table, base, head)
}

// compare compares two documents of the same kind, using its table.
func compare(table *schema.Value, base, head *document.Document) []Change {
	before, after := Content(base), Content(head)
	if bytes.Equal(before, after) {
		return nil
	}
	w := walk{}
	w.document(table, base, head)
	if r := base.Rubric(); r != nil {
		w.minimums(r, head.Rubric())
		w.negatives(r, head.Rubric())
	}
	if len(w.found) == 0 {
		return []Change{{ // that the walk did not see
			Kind: Unclassified, Class: schema.Patch, Message: unclassified,
			Base: &Value{string(before), base.Root().Span}, Head: &Value{string(after), head.Root().Span},
		}}
	}
	return w.changes()
}

// Content returns the canonical form of a valid document without its version.
func Content(d *document.Document) []byte {
	return schema.Canonical(without(d.Kind.Table, versionKey), d.Root())
}

const versionKey = "version"

// without returns an object's type without one of its keys.
func without(v *schema.Value, key string) *schema.Value {
	rest := *v
	rest.Fields = slices.DeleteFunc(slices.Clone(v.Fields), func(f schema.Field) bool { return f.Key == key })
	return &rest
}

// Class returns the highest class among changes; None if there are none.
func Class(changes []Change) schema.Class {
	class := schema.None
	for i := range changes {
		class = max(class, changes[i].Class)
	}
	return class
}
