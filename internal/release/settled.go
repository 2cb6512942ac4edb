package release

import (
	"errors"
	"io/fs"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/library"
)

// settled is what the code owners settled in a commit: the ledger and the exceptions.
type settled struct {
	now        *change.Ledger
	exceptions []*change.Exception
}

// readSettled reads the ledger and the exceptions. Errors in them are returned as an error.
func readSettled(head *change.Library) (*settled, error) {
	for i, name := range []string{library.LedgerFile, library.ExceptionsFile} {
		f, err := library.File(head.Files, name)
		if err == nil {
			_, err = library.CanonicalAs(f, []*document.Kind{&document.Ledger, &document.Exceptions}[i])
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	out := &settled{}
	var err error
	if out.now, _, err = head.Ledger(); err != nil {
		return nil, err
	}
	if out.now == nil {
		out.now = &change.Ledger{}
	}
	out.exceptions, err = head.Exceptions()
	return out, err
}

// retired is the canonical form of the retired IDs of the ledger.
func (s *settled) retired() []byte {
	if s.now.Doc == nil {
		return []byte(`{"retired":[]}`)
	}
	return schema.Canonical(document.Retired.Table, s.now.Doc.Root())
}

// find is the exception that accepts a lint rule's finding about a version, or nil. An
// empty version means any.
func (s *settled) find(rule string, k key) *change.Exception {
	for _, e := range s.exceptions {
		if e.Rule == rule && e.ID == k.id && (k.version == "" || e.Version == k.version) {
			return e
		}
	}
	return nil
}
