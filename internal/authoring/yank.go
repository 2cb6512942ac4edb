package authoring

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Yank is a published version that constraints should no longer select.
type Yank struct {
	library     *Local
	id, version string
}

// Yank finds a version of a document, or returns why it can't be yanked.
func (l *Local) Yank(id, version string) (*Yank, error) {
	if _, err := l.known(id); err != nil {
		return nil, err
	}
	if l.past == nil {
		return nil, fmt.Errorf("it is unknown which versions of %s are published: its history is not available here", schema.Quote(id))
	}
	ledger, err := l.ledger()
	if err != nil {
		return nil, err
	}
	listed := &change.Ledger{}
	if ledger != nil {
		listed = change.LedgerOf(ledger)
	}
	return &Yank{l, id, version}, l.past.Yank(listed, id, version)
}

// Edit computes the yank.
func (y *Yank) Edit(reason string) (*Edit, error) {
	if err := CheckReason(reason); err != nil {
		return nil, err
	}
	f, err := y.library.withLedgerEntry(fmt.Sprintf("version %s of %s is yanked", y.version, y.id), "yanked", []pair{
		{"id", y.id, true}, {"version", y.version, false}, {"reason", reason, false},
	})
	if err != nil {
		return nil, err
	}
	return y.library.finish(&Edit{Files: []File{*f}})
}
