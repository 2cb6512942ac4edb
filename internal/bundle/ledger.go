package bundle

import (
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// Retirement is the entry of a document in the ledger.
type Retirement = library.Retirement

// exception is a finding that the code owners accepted.
type exception struct {
	Rule    string `json:"rule"`
	ID      string `json:"id"`
	Version string `json:"version"`
	Reason  string `json:"reason"`
}

// The lint rules whose exceptions a build applies.
const (
	ruleWithdrawn = "version-withdrawn"
	ruleReused    = "version-reused"
	ruleRetired   = "retired-id"
	ruleGone      = "document-gone"
)

// settled is the ledger and the exceptions of a commit.
type settled struct {
	ledgerData []byte // canonical
	retired    map[string]Retirement
	exceptions []exception
}

func readSettled(s *gitrepo.Snapshot) (*settled, error) {
	out := &settled{retired: map[string]Retirement{}}
	var err error
	if out.ledgerData, err = canonicalAs(s, library.LedgerFile, &document.Ledger); err != nil {
		return nil, err
	}
	if out.ledgerData == nil {
		out.ledgerData = []byte(`{"retired":[]}`)
	}
	retired, err := bundlecheck.DecodeLedger(out.ledgerData)
	if err != nil {
		return nil, err
	}
	for _, r := range retired {
		out.retired[r.ID] = r
	}
	data, err := canonicalAs(s, library.ExceptionsFile, &document.Exceptions)
	if err != nil || data == nil {
		return out, err
	}
	var list struct {
		Exceptions []exception `json:"exceptions"`
	}
	err = json.Unmarshal(data, &list)
	out.exceptions = list.Exceptions
	return out, err
}

// canonicalAs is the canonical form of a file whose kind follows from its name, or nil
// if it does not exist.
func canonicalAs(root *gitrepo.Snapshot, name string, k *document.Kind) ([]byte, error) {
	f, err := library.File(root.FS(), name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return library.CanonicalAs(f, k)
}

// find is the exception that accepts a lint rule's finding about a version, or nil. An
// empty version means any.
func (s *settled) find(rule string, k key) *exception {
	for i := range s.exceptions {
		if e := &s.exceptions[i]; e.Rule == rule && e.ID == k.id && (k.version == "" || e.Version == k.version) {
			return e
		}
	}
	return nil
}
