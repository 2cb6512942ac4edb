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

const (
	ledgerFile = lib.LedgerFile
	// listKey is the key of the ledger's list.
	listKey = "retired"
	// EmptyLedger is the ledger of a new library.
	EmptyLedger = "# yaml-language-server: $schema=../schema/retired.schema.json\n" + listKey + ": []\n"
)

// ledger is the ledger of the library, nil if there is none. One that has
// mistakes is an error.
func (l *Library) ledger() (*document.Document, error) {
	data, err := l.read(ledgerFile)
	if err != nil || data == nil {
		return nil, err
	}
	return validLedger(data)
}

func validLedger(data []byte) (*document.Document, error) {
	d := parse(ledgerFile, data)
	if !d.Valid() {
		return nil, fmt.Errorf("%s has mistakes. Mend them first: `rubric-lint` shows them", ledgerFile)
	}
	return d, nil
}

// retired tells whether a ledger lists an ID. It can be nil, or have mistakes.
func retired(ledger *document.Document, id string) bool {
	return ledger != nil && slices.ContainsFunc(entries(ledger), func(n *yamltree.Node) bool { return value(n, "id") == id })
}

// entries are the entries of a ledger.
func entries(ledger *document.Document) []*yamltree.Node {
	if list := ledger.Root().Get(listKey); list != nil {
		return list.Items
	}
	return nil
}

// ledger is the ledger with the entry of a document.
func (r *Retirement) ledger(reason, replacedBy string) (*File, error) {
	before, err := r.library.read(ledgerFile)
	if err != nil {
		return nil, err
	}
	data := before
	if data == nil {
		data = []byte(EmptyLedger)
	}
	ledger, err := validLedger(data)
	if err != nil {
		return nil, err
	}
	pairs := []pair{
		{"id", r.held.ID(), true}, {"kind", r.held.Doc.Kind.Name, true}, {"last_version", r.held.Version(), false}, {"reason", reason, false},
	}
	if replacedBy != "" {
		pairs = append(pairs, pair{"replaced_by", replacedBy, true})
	}
	after, err := entered(ledger, pairs)
	if err != nil {
		return nil, err
	}
	return &File{
		Path: ledgerFile, Before: before, After: after.File.Data,
		Note: fmt.Sprintf("%s is retired at version %s", r.held.ID(), r.held.Version()),
	}, nil
}

// entered is a ledger with an entry more, in its place by ID. The pairs begin
// with the ID.
func entered(ledger *document.Document, pairs []pair) (*document.Document, error) {
	items := entries(ledger)
	at := slices.IndexFunc(items, func(n *yamltree.Node) bool { return value(n, "id") > pairs[0].text })
	if at < 0 {
		at = len(items)
	}
	for _, e := range entering(ledger, at, pairs) {
		after, err := apply(ledger, e)
		if err == nil && hasOneMore(ledger, after, at, pairs) {
			return after, nil
		}
	}
	return nil, fmt.Errorf("%s is written in a way that can't be added to. Add this by hand and delete the document:\n%s", ledgerFile, usual.lines("  - ", pairs))
}

// hasOneMore tells whether a ledger has the pairs as entry at, and all others
// as before.
func hasOneMore(before, after *document.Document, at int, pairs []pair) bool {
	if !after.Valid() || len(entries(after)) != len(entries(before))+1 {
		return false
	}
	elem := document.Ledger.Table.Fields[0].Value.Elem
	form := func(n *yamltree.Node) string { return string(schema.Canonical(elem, n)) }
	others := slices.Clone(entries(after))
	others = slices.Delete(others, at, at+1)
	if !slices.EqualFunc(entries(before), others, func(a, b *yamltree.Node) bool { return form(a) == form(b) }) {
		return false
	}
	return !slices.ContainsFunc(pairs, func(p pair) bool { return value(entries(after)[at], p.key) != p.text })
}

// entering are edits of a ledger that put an entry before the one at, the best
// first.
func entering(ledger *document.Document, at int, pairs []pair) []source.Edit {
	f, root := ledger.File, ledger.Root()
	list, items := entry(root, listKey), entries(ledger)
	insert := func(offset int, text string) source.Edit {
		return source.Edit{Span: source.Span{Start: offset, End: offset}, Text: text}
	}
	if len(items) == 0 {
		span := source.Span{Start: list.Key.Span.End, End: list.Value.Span.End}
		if strings.Join(strings.Fields(f.Text(span)), "") != ":[]" {
			return nil // a comment stands in it
		}
		return []source.Edit{{Span: span, Text: ":" + firstEntry(f, root, list, pairs)}}
	}
	l := layoutOf(f, root, entry(items[0], "id"))
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
	edits := []source.Edit{insert(offset, gap+text)}
	if at < len(items) {
		line := f.LineSpan(f.Position(items[at].Span.Start).Line)
		edits = append(edits, insert(line.Start, text))
	} else {
		edits = append(edits, insert(len(f.Data), text))
	}
	return edits
}

// firstEntry is the entry of a list that was empty. It is one line, so that a
// merge that keeps the lines of both sides (merge=union) keeps whole entries.
func firstEntry(f *source.File, root *yamltree.Node, list yamltree.Entry, pairs []pair) string {
	l := usual
	if strings.Contains(string(f.Data), "\r\n") {
		l.eol = "\r\n"
	}
	if root.Style == yamltree.Flow {
		l.keys = list.Key.Style
		return " [" + l.braces(pairs) + "]"
	}
	return l.eol + indentation(f, list.Key) + "  - " + l.braces(pairs)
}
