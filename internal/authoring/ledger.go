package authoring

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
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

// ledger is the ledger of the library, or nil. Errors in it are returned as an error.
func (l *Library) ledger() (*document.Document, error) {
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
	return ledger != nil && slices.ContainsFunc(entries(ledger), func(n *yamltree.Node) bool { return n.Get("id").Text() == id })
}

// entries are the entries of a ledger.
func entries(ledger *document.Document) []*yamltree.Node {
	return items(ledger, listKey)
}

// ledger is the ledger with an entry for a document.
func (r *Retirement) ledger(reason, replacedBy string) (*File, error) {
	ledger, err := r.library.ledger()
	if err != nil {
		return nil, err
	}
	var before []byte
	if ledger == nil {
		ledger = parse(ledgerFile, []byte(EmptyLedger))
	} else {
		before = ledger.File.Data
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

// entered is a ledger with one more entry, sorted by ID. The pairs begin with the ID.
func entered(ledger *document.Document, pairs []pair) (*document.Document, error) {
	at := slices.IndexFunc(entries(ledger), func(n *yamltree.Node) bool { return n.Get("id").Text() > pairs[0].text })
	if at < 0 {
		at = len(entries(ledger))
	}
	if after := withEntry(ledger, listKey, at, pairs); after != nil {
		return after, nil
	}
	return nil, fmt.Errorf("%s can't be edited safely because of its layout. Add this by hand, and delete the document:\n%s", ledgerFile, usual.lines("  - ", pairs))
}
