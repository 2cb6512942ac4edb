package authoring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// The keys of the ledger's list of yanked versions.
const (
	yankedKey    = "yanked"
	withdrawnKey = "withdrawn"
)

// Yank computes the edit that keeps constraints from selecting a published version of a document, and with
// withdraw, its text out of the next bundles. It reads the working tree and the Git history. A version of
// a retired document can only be withdrawn. why returns the reason; it is called only if the version can
// be yanked and is not yet.
func (l *Local) Yank(id, version string, withdraw bool, why func() (string, error)) (*Edit, error) {
	ledger, err := l.ledger()
	if err != nil {
		return nil, err
	}
	work, err := l.document(id)
	if err == nil && work == nil && !(withdraw && retired(ledger, id)) {
		_, err = l.knownDocument(id) // an error that names similar IDs
	}
	if err != nil {
		return nil, err
	}
	if l.past == nil {
		return nil, fmt.Errorf("it is unknown which versions of %s are published: its history is not available here", schema.Quote(id))
	}
	if err := l.past.Yank(work, ledger, id, version, withdraw); err != nil {
		return nil, err
	}
	yanked := yankOf(ledger, id, version) >= 0
	var f *File
	if !yanked {
		reason, err := why()
		if err != nil {
			return nil, err
		}
		f, err = l.withLedgerEntry(fmt.Sprintf("version %s of %s is yanked", version, id), yankedKey, []pair{
			{"id", id}, {"version", version}, {"reason", reason},
		})
		if err != nil {
			return nil, err
		}
	}
	if withdraw {
		if yanked {
			f = &File{Path: ledgerFile, Before: ledger.File.Data, After: ledger.File.Data}
		}
		f.Note = fmt.Sprintf("version %s of %s is withdrawn", version, id)
		if err := f.withdraw(id, version); err != nil {
			return nil, err
		}
	}
	return l.finish(&Edit{Files: []File{*f}})
}

// withdraw adds to the ledger that a yanked version is withdrawn.
func (f *File) withdraw(id, version string) error {
	ledger := parse(ledgerFile, f.After)
	at := yankOf(ledger, id, version)
	for _, e := range withdrawing(ledger.File, items(ledger, yankedKey)[at]) {
		if after, err := apply(ledger, e); err == nil && onlyWithdraws(ledger, after, at) {
			f.After = after.File.Data
			return nil
		}
	}
	return fmt.Errorf("%s can't be edited safely because of its layout. Add `%s: true` to the entry of %s %s by hand",
		ledgerFile, withdrawnKey, id, version)
}

// withdrawing are alternative edits that add to an entry that its version is withdrawn, the best
// first.
func withdrawing(f *source.File, entry *yamltree.Node) []source.Edit {
	if value := entry.Get(withdrawnKey); value != nil {
		return []source.Edit{replaced(f, value, "true")}
	}
	const text = withdrawnKey + ": true"
	last := entry.Entries[len(entry.Entries)-1]
	if entry.Style == yamltree.Flow {
		return []source.Edit{insert(last.Value.Span.End, ", "+text)}
	}
	before, eol := indentation(f, last.Key), lineEnd(f)
	next := lineAfter(f, last.Value.Span.End)
	line := before + text + eol
	if !strings.HasSuffix(string(f.Data[:next]), "\n") {
		line = eol + before + text
	}
	return []source.Edit{insert(next, line), insert(last.Key.Span.Start, text+eol+before)}
}

// onlyWithdraws reports whether a ledger differs from another one only in the withdrawal of a
// version.
func onlyWithdraws(before, after *document.Document, at int) bool {
	was, is := items(before, yankedKey), items(after, yankedKey)
	if !same(before, after, yankedKey) || len(was) != len(is) || !is[at].Get(withdrawnKey).IsTrue() {
		return false
	}
	elem := *schema.Find(after.Kind.Table.Fields, yankedKey).Value.Elem
	form := func(n *yamltree.Node) string { return string(schema.Canonical(&elem, n)) }
	for i := range was {
		if i != at && form(was[i]) != form(is[i]) {
			return false
		}
	}
	elem.Fields = slices.DeleteFunc(slices.Clone(elem.Fields), func(f schema.Field) bool { return f.Key == withdrawnKey })
	return form(was[at]) == form(is[at])
}

// yankOf is the index of a version in the ledger's list of yanked versions, or -1. The ledger can
// be nil.
func yankOf(ledger *document.Document, id, version string) int {
	if ledger == nil {
		return -1
	}
	return slices.IndexFunc(items(ledger, yankedKey), func(n *yamltree.Node) bool {
		return n.Get("id").Text() == id && n.Get("version").Text() == version
	})
}
