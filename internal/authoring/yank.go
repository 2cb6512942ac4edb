package authoring

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Yank computes the edit that keeps constraints from selecting a published version of a document.
// why returns the reason, and is called if the version can be yanked.
func (l *Local) Yank(id, version string, why func() (string, error)) (*Edit, error) {
	work, err := l.known(id)
	if err != nil {
		return nil, err
	}
	if l.past == nil {
		return nil, fmt.Errorf("it is unknown which versions of %s are published: its history is not available here", schema.Quote(id))
	}
	ledger, err := l.ledger()
	if err != nil {
		return nil, err
	}
	if err := l.past.Yank(work, ledger, version); err != nil {
		return nil, err
	}
	reason, err := why()
	if err != nil {
		return nil, err
	}
	f, err := l.withLedgerEntry(fmt.Sprintf("version %s of %s is yanked", version, id), "yanked", []pair{
		{"id", id}, {"version", version}, {"reason", reason},
	})
	if err != nil {
		return nil, err
	}
	return l.finish(&Edit{Files: []File{*f}})
}
