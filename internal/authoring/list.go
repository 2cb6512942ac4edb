package authoring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// items are the entries of a list of the root. A missing list has none.
func items(d *document.Document, key string) []*yamltree.Node { return d.Root().Get(key).List() }

// withEntry is a document with one more entry in the list under a key of the root, before
// the index at, or nil if its layout prevents that.
func withEntry(d *document.Document, key string, at int, pairs []pair) *document.Document {
	for _, e := range entering(d, key, at, pairs) {
		after, err := apply(d, e)
		if err != nil || !hasOneMore(d, after, key, at) {
			continue
		}
		if !slices.ContainsFunc(pairs, func(p pair) bool { return items(after, key)[at].Get(p.key).Text() != p.text }) {
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
func entering(d *document.Document, key string, at int, pairs []pair) []source.Edit {
	f, root, items := d.File, d.Root(), items(d, key)
	if root.Get(key) == nil {
		text := slices.IndexFunc(root.Entries, func(e yamltree.Entry) bool { return e.Value.Kind == yamltree.Scalar })
		return added(d, layoutOf(f, root, root.Entries[max(text, 0)]), key, "- ", pairs)
	}
	list := entry(root, key)
	if len(items) == 0 {
		span := source.Span{Start: list.Key.Span.End, End: list.Value.Span.End}
		if strings.Join(strings.Fields(f.Text(span)), "") != ":[]" {
			return nil // it contains a comment
		}
		return []source.Edit{{Span: span, Text: ":" + firstEntry(f, root, list, pairs)}}
	}
	l := layoutOf(f, root, entry(items[0], pairs[0].key))
	if list.Value.Style == yamltree.Flow {
		if at < len(items) {
			return []source.Edit{insert(items[at].Span.Start, l.braces(pairs)+", ")}
		}
		return []source.Edit{insert(items[at-1].Span.End, ", "+l.braces(pairs))}
	}
	text := l.lines(indentation(f, items[0]), pairs)
	if items[0].Style == yamltree.Flow {
		text = indentation(f, items[0]) + l.braces(pairs) + l.eol
	}
	gap := ""
	if len(items) > 1 && spaced(f, items[1].Span.Start) {
		gap = l.eol
	}
	if at == 0 {
		return []source.Edit{insert(lineAfter(f, list.Key.Span.Start), text+gap)}
	}
	offset := lineAfter(f, items[at-1].Span.End)
	if !strings.HasSuffix(string(f.Data[:offset]), "\n") {
		gap += l.eol
	}
	other := len(f.Data)
	if at < len(items) {
		other = f.LineSpan(f.Position(items[at].Span.Start).Line).Start
	}
	return []source.Edit{insert(offset, gap+text), insert(other, text)}
}

// firstEntry is the first entry of an empty list. It is on one line, so that a merge that
// keeps the lines of both sides (merge=union) keeps whole entries.
func firstEntry(f *source.File, root *yamltree.Node, list yamltree.Entry, pairs []pair) string {
	l := layoutOf(f, root, list)
	if root.Style == yamltree.Flow {
		return " [" + l.braces(pairs) + "]"
	}
	l.keys = usual.keys
	return l.eol + indentation(f, list.Key) + "  - " + l.braces(pairs)
}

const (
	ledgerFile = lib.LedgerFile
	// listKey is the key of the ledger's list.
	listKey = "retired"
	// EmptyLedger is the ledger of a new library.
	EmptyLedger = "# yaml-language-server: $schema=../schema/retired.schema.json\n" + listKey + ": []\n"
)

// ledger is the ledger of the library, or nil. Errors in it are returned as an error.
func (l *Local) ledger() (*document.Document, error) {
	data, err := l.read(ledgerFile)
	if err != nil || data == nil {
		return nil, err
	}
	d := parse(ledgerFile, data)
	if !d.Valid() {
		return nil, mistakes(ledgerFile)
	}
	return d, nil
}

// retired reports whether a ledger lists an ID. The ledger can be nil or have errors.
func retired(ledger *document.Document, id string) bool {
	return ledger != nil && slices.ContainsFunc(items(ledger, listKey), func(n *yamltree.Node) bool { return n.Get("id").Text() == id })
}

// retiredOnTip reports whether the published ledger lists an ID.
func (l *Local) retiredOnTip(id string) (bool, error) {
	data, err := l.past.Tip.File(ledgerFile)
	return data != nil && retired(parse(ledgerFile, data), id), err
}

// ledger is the ledger with an entry for a document.
func (r *Retirement) ledger(reason, replacedBy string) (*File, error) {
	pairs := []pair{
		{"id", r.held.ID, true}, {"kind", r.held.Doc.Kind.Name, true}, {"last_version", r.held.Version, false}, {"reason", reason, false},
	}
	if replacedBy != "" {
		pairs = append(pairs, pair{"replaced_by", replacedBy, true})
	}
	return r.library.withLedgerEntry(fmt.Sprintf("%s is retired at version %s", r.held.ID, r.held.Version), listKey, pairs)
}

// withLedgerEntry is the ledger with one more entry in a list. The pairs begin with the ID.
func (l *Local) withLedgerEntry(note, key string, pairs []pair) (*File, error) {
	ledger, err := l.ledger()
	if err != nil {
		return nil, err
	}
	f := &File{Path: ledgerFile, Note: note}
	if ledger == nil {
		ledger = parse(ledgerFile, []byte(EmptyLedger))
	} else {
		f.Before = ledger.File.Data
	}
	if ledger.Root().Get(key) == nil { // as a list in lines, so that its first entry is one line
		text := strings.TrimSuffix(string(ledger.File.Data), "\n") + "\n" + key + ": []\n"
		if with := parse(ledgerFile, []byte(text)); with.Valid() {
			ledger = with
		}
	}
	after, err := entered(ledger, key, pairs)
	if err != nil {
		return nil, err
	}
	f.After = after.File.Data
	return f, nil
}

// entered is a ledger with one more entry in a list, sorted by ID. The pairs begin with the ID.
func entered(ledger *document.Document, key string, pairs []pair) (*document.Document, error) {
	list := items(ledger, key)
	at := slices.IndexFunc(list, func(n *yamltree.Node) bool { return n.Get("id").Text() > pairs[0].text })
	if at < 0 {
		at = len(list)
	}
	if after := withEntry(ledger, key, at, pairs); after != nil {
		return after, nil
	}
	advice := "Add this by hand, and delete the document"
	if key != listKey {
		advice = "Add this to the list " + key + " by hand"
	}
	return nil, fmt.Errorf("%s can't be edited safely because of its layout. %s:\n%s", ledgerFile, advice, usual.lines("  - ", pairs))
}
