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
	return ledger != nil &&
		slices.ContainsFunc(items(ledger, listKey), func(n *yamltree.Node) bool { return n.Get("id").Text() == id })
}

// retiredOnTip reports whether the published ledger lists an ID.
func (l *Local) retiredOnTip(id string) (bool, error) {
	data, err := l.past.Tip.File(ledgerFile)
	return data != nil && retired(parse(ledgerFile, data), id), err
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
	if after := withEntry(ledger, key, at, braces(pairs)); after != nil {
		return after, nil
	}
	advice := "Add this by hand, and delete the document"
	if key != listKey {
		advice = "Add this to the list " + key + " by hand"
	}
	return nil, fmt.Errorf("%s can't be edited safely because of its layout. %s:\n  - %s",
		ledgerFile, advice, braces(pairs))
}
