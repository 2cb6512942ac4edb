package compat

import (
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// document compares the roots. The ID identifies the document: with another ID, it is
// another document to consumers.
func (w *walk) document(table *schema.Value, base, head *document.Document) {
	at := place{
		base:  side{node: base.Root()},
		head:  side{node: head.Root()},
		owner: "the " + head.Kind.Noun,
	}
	if base.ID() != head.ID() {
		id := at.key(head.Kind.IDKey, "")
		field := schema.Field{Key: head.Kind.IDKey, Class: schema.Classes{Renamed: schema.Major}}
		w.add(schema.Renamed, &field, id, id.base.value(base.ID()), id.head.value(head.ID())).subject = at.owner
	}
	w.object(table, at, head.Kind.IDKey, versionKey)
}

// otherKind returns the only change between a rubric and a rule set, which have nothing
// comparable.
func otherKind(base, head *document.Document) Change {
	was, is := base.Root().Get(base.Kind.IDKey), head.Root().Get(head.Kind.IDKey)
	return Change{
		Kind: Changed, Path: head.Kind.IDKey, Pointer: "/" + head.Kind.IDKey, Class: schema.Major,
		Base:    &Value{base.Kind.Noun, was.Span},
		Head:    &Value{head.Kind.Noun, is.Span},
		Message: "Turns the " + base.Kind.Noun + " into a " + head.Kind.Noun + ": consumers of the " + base.Kind.Noun + " can no longer use it.",
	}
}
