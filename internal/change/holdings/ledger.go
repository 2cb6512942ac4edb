package holdings

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Ledger reads the ledger of a library, nil if there is none. hidden says why it can't be read
// completely, or is "".
func (l *Library) Ledger() (ledger *Ledger, hidden string, err error) {
	if l.ended != nil {
		return l.ended, "", nil
	}
	d, hidden, err := l.Settings(library.LedgerFile, &document.Ledger)
	if d == nil || err != nil {
		return nil, hidden, err
	}
	return LedgerOf(d), hidden, nil
}

// EarlierLedger is the ledger of a library for a step that follows it, nil if there is none.
func (l *Library) EarlierLedger() (*Ledger, error) {
	if l.ended != nil {
		return l.ended, nil
	}
	d, _, err := l.earlierSettings(library.LedgerFile, &document.Ledger)
	if d == nil || err != nil {
		return nil, err
	}
	return LedgerOf(d), nil
}

// Versions returns the versions of the documents with some IDs.
func (l *Library) Versions(ids map[string]bool) (map[string]string, error) {
	found := map[string]string{}
	if len(ids) == 0 {
		return found, nil
	}
	names, err := l.Paths()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		id, known := l.ids[name]
		if !known {
			id = Stem(name)
		}
		if !ids[id] {
			continue
		}
		d, err := l.CurrentDocument(name)
		if err != nil {
			return nil, err
		}
		if d.Valid() && d.ID() == id {
			found[id] = d.Version()
		}
	}
	return found, nil
}

// IsEmpty reports whether the library has neither documents, valid or not, nor retired ones.
func (l *Library) IsEmpty() (bool, error) {
	there := len(l.files) > len(l.hidden)
	if l.Repo != nil {
		var err error
		if there, err = hasDocument(l.Files, ""); err != nil {
			return false, err
		}
	}
	if there {
		return false, nil
	}
	ledger, _, err := l.Ledger()
	return ledger == nil || !slices.ContainsFunc(ledger.Entries, func(e LedgerLine) bool { return e.Yanked == "" }), err
}
