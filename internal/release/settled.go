package release

import (
	"errors"
	"io/fs"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/library"
)

// settled is what the code owners settled in a commit: the ledger and the exceptions.
type settled struct {
	now        *holdings.Ledger
	exceptions []*holdings.Exception
}

// readSettled reads the ledger and the exceptions. Errors in them are returned as an error.
func readSettled(head *holdings.Library) (*settled, error) {
	if err := checkSettled(head.Files, library.LedgerFile, &document.Ledger); err != nil {
		return nil, err
	}
	if err := checkSettled(head.Files, library.ExceptionsFile, &document.Exceptions); err != nil {
		return nil, err
	}
	out := &settled{}
	var err error
	if out.now, _, err = head.Ledger(); err != nil {
		return nil, err
	}
	if out.now == nil {
		out.now = &holdings.Ledger{}
	}
	out.exceptions, err = head.Exceptions()
	return out, err
}

// checkSettled returns an error if a file is there and can't be used.
func checkSettled(fsys fs.FS, name string, k *document.Kind) error {
	f, err := library.File(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, problems, err := library.CanonicalAs(f, k)
	if len(problems) > 0 {
		return library.FirstOf(problems, "")
	}
	return err
}

// retiredIDs is the canonical form of the retired IDs of the ledger.
func (s *settled) retiredIDs() []byte {
	if s.now.Doc == nil {
		return []byte(`{"retired":[]}`)
	}
	return schema.Canonical(document.Retired.Table, s.now.Doc.Root())
}

// find is the exception that accepts a lint rule's finding about a version, or nil. An
// empty version means any.
func (s *settled) find(rule string, k key) *holdings.Exception {
	for _, e := range s.exceptions {
		if e.Rule == rule && e.ID == k.id && (k.version == "" || e.Version == k.version) {
			return e
		}
	}
	return nil
}
