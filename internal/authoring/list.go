package authoring

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// items are the entries of a list of the root. A missing list has none.
func items(d *document.Document, key string) []*yamltree.Node { return d.Root().Get(key).List() }

// withEntry is a document with one more entry in the list under a key of the root, before
// the index at, or nil if its layout prevents that.
func withEntry(d *document.Document, key string, at int, entry string) *document.Document {
	if !d.Valid() {
		return nil
	}
	for _, e := range entering(d, key, at, entry) {
		if after, err := apply(d, e); err == nil && hasOneMore(d, after, key, at) {
			return after
		}
	}
	return nil
}

// withoutEntry is a document without the entry at an index of the list under a key of the
// root, or nil if its layout prevents that.
func withoutEntry(d *document.Document, key string, at int) *document.Document {
	f, list := d.File, d.Root().Get(key)
	span := list.Items[at].Span
	switch {
	case list.Style == yamltree.Block:
		span = source.Span{Start: f.LineSpan(f.Position(span.Start).Line).Start, End: lineAfter(f, span.End)}
	case at > 0:
		span.Start = list.Items[at-1].Span.End
	case len(list.Items) > 1:
		span.End = list.Items[1].Span.Start
	}
	after, err := apply(d, source.Edit{Span: span})
	if err != nil || !hasOneMore(after, d, key, at) {
		return nil
	}
	return after
}

// hasOneMore reports whether a document differs from another only by one more entry in a
// list of its root, at an index.
func hasOneMore(before, after *document.Document, key string, at int) bool {
	if !same(before, after, key) || at >= len(items(after, key)) {
		return false
	}
	elem := schema.Find(after.Kind.Table.Fields, key).Value.Elem
	form := func(a, b *yamltree.Node) bool {
		return string(schema.Canonical(elem, a)) == string(schema.Canonical(elem, b))
	}
	return slices.EqualFunc(items(before, key), slices.Delete(slices.Clone(items(after, key)), at, at+1), form)
}

// entering are alternative edits of a document that add an entry to a list of its root,
// before the index at, the best first.
func entering(d *document.Document, key string, at int, entry string) []source.Edit {
	f, root, items := d.File, d.Root(), items(d, key)
	i := slices.IndexFunc(root.Entries, func(e yamltree.KeyValue) bool { return e.Key.Value == key })
	if i < 0 {
		return added(d, key, "["+entry+"]", "- "+entry)
	}
	list, eol := root.Entries[i], lineEnd(f)
	switch before := (source.Span{Start: list.Key.Span.End, End: list.Value.Span.End}); {
	case len(items) == 0 && strings.Join(strings.Fields(f.Text(before)), "") != ":[]":
		return nil // it contains a comment
	case len(items) == 0 && root.Style == yamltree.Flow:
		return []source.Edit{{Span: list.Value.Span, Text: "[" + entry + "]"}}
	case len(items) == 0:
		return []source.Edit{{Span: before, Text: ":" + eol + indentation(f, list.Key) + "  - " + entry}}
	case list.Value.Style == yamltree.Flow && at < len(items):
		return []source.Edit{insert(items[at].Span.Start, entry+", ")}
	case list.Value.Style == yamltree.Flow:
		return []source.Edit{insert(items[at-1].Span.End, ", "+entry)}
	}
	line := indentation(f, items[0]) + entry + eol // with the dash
	above, below := list.Key.Span.End, len(f.Data)
	if at > 0 {
		above = items[at-1].Span.End
	}
	if at < len(items) {
		below = f.LineSpan(f.Position(items[at].Span.Start).Line).Start
	}
	next := lineAfter(f, above)
	if !strings.HasSuffix(string(f.Data[:next]), "\n") {
		return []source.Edit{insert(next, eol+line)}
	}
	return []source.Edit{insert(next, line), insert(below, line)}
}
