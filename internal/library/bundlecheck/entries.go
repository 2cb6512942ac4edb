package bundlecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// Retirement is the end of a document according to the ledger.
type Retirement struct {
	ID          string `json:"id"`
	Kind        string `json:"kind"`
	LastVersion string `json:"last_version"`
	Reason      string `json:"reason"`
	// ReplacedBy is the ID of the document to use instead, or "".
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// Yank is a version that constraints no longer select. If it is withdrawn, its text is gone, too.
type Yank struct {
	ID        string `json:"id"`
	Version   string `json:"version"`
	Reason    string `json:"reason"`
	Withdrawn bool   `json:"withdrawn"`
}

// Ledger is a ledger as JSON.
type Ledger struct {
	Retired []Retirement `json:"retired"`
	Yanked  []Yank       `json:"yanked"`
}

// RetiredIDs reads the entry LedgerName: the canonical form of a ledger's retired IDs and a line
// feed.
func RetiredIDs(data []byte) ([]Retirement, error) {
	canonical, ended := bytes.CutSuffix(data, []byte("\n"))
	if !ended {
		return nil, errors.New("does not end with a line feed")
	}
	if _, err := document.ParseCanonical(LedgerName, canonical, &document.Retired); err != nil {
		return nil, err
	}
	var ledger Ledger
	err := json.Unmarshal(canonical, &ledger)
	return ledger.Retired, err
}

// Retired returns the entries of a bundle's ledger by ID. A bundle need not have a ledger.
func Retired(b *bundlefile.Bundle) (map[string]Retirement, error) {
	entries, err := ledgerOf(b)
	if err != nil {
		return nil, err
	}
	retired := make(map[string]Retirement, len(entries))
	for _, r := range entries {
		retired[r.ID] = r
	}
	return retired, nil
}

// ledgerOf returns the entries of a bundle's ledger, of which several can have one ID.
func ledgerOf(b *bundlefile.Bundle) ([]Retirement, error) {
	data, err := b.Read(LedgerName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	entries, err := RetiredIDs(data)
	if err != nil {
		return nil, bundlefile.Integrity(problemf(LedgerName, "%v", err))
	}
	return entries, nil
}

// checkLedger requires that the library no longer has the documents of the ledger, except for
// those that came back with a later version, as code owners can accept.
func checkLedger(b *bundlefile.Bundle) error {
	ledger, err := ledgerOf(b)
	if err != nil {
		return err
	}
	manifest := b.Manifest()
	for _, gone := range ledger {
		if _, retired := slices.BinarySearch(manifest.Retired, gone.ID); retired {
			continue
		}
		_, versions, err := b.Versions(gone.ID)
		if err != nil {
			return err
		}
		if n := len(versions); n > 0 && bundlefile.CompareVersions(versions[n-1].Version, gone.LastVersion) <= 0 {
			return problemf(LedgerName,
				"lists %s, which is not retired: expected a version after %s, got %s",
				gone.ID, gone.LastVersion, versions[n-1].Version)
		}
	}
	return nil
}

// maxNesting is the maximum depth of JSON without a fixed form.
const maxNesting = 100

// decodeObject decodes a JSON object of any form.
func decodeObject(data []byte) (value map[string]json.RawMessage, err error) {
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return nil, errors.New("begins with a byte order mark")
	}
	depth, inText := 0, false
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case b == '"':
			inText = !inText
		case b == '\\':
			i++ // outside texts it is an error, which Unmarshal reports
		case inText:
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			depth--
		}
		if depth > maxNesting {
			return nil, errors.New("is nested too deeply")
		}
	}
	if err := json.Unmarshal(data, &value); err != nil || value == nil {
		return nil, errors.New("is not a JSON object")
	}
	return value, nil
}

// checkVectors requires vectors with names.
func checkVectors(file map[string]json.RawMessage) error {
	var vectors []map[string]json.RawMessage
	ok := json.Unmarshal(file["vectors"], &vectors) == nil && vectors != nil
	for _, vector := range vectors {
		var name string
		ok = ok && json.Unmarshal(vector["name"], &name) == nil && name != ""
	}
	if !ok {
		return errors.New("is not a list of vectors, each with a name")
	}
	return nil
}

// Read returns a version that the bundle lists, checked as by Document. Its file is the canonical form.
func Read(b *bundlefile.Bundle, kind, id, version string) (*document.Document, error) {
	path := bundlefile.DocumentPath(kind, id, version)
	data, err := b.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, bundlefile.Integrity(problemf(path, "is missing, but the index lists it"))
	}
	if err != nil {
		return nil, bundlefile.Integrity(err)
	}
	d, err := Document(kind, id, version, data)
	return d, bundlefile.Integrity(err)
}

// Document reads the entry of a version of a document of bundlefile.KindRubric or
// bundlefile.KindRuleSet. It must be what a build writes, except for its texts: valid by the
// schema, in canonical form, with this ID and version, and with a definition that a program
// can apply. The error is a bundlefile.BundleProblem.
func Document(kind, id, version string, data []byte) (*document.Document, error) {
	k := &document.Rubric
	if kind == bundlefile.KindRuleSet {
		k = &document.RuleSet
	}
	name := bundlefile.DocumentPath(kind, id, version)
	d, err := document.ParseCanonical(name, data, k)
	if err == nil && (d.ID() != id || d.Version() != version) {
		err = fmt.Errorf("contains %+.100q, version %+.100q", d.ID(), d.Version())
	}
	if err == nil {
		err = d.CheckApplicable()
	}
	if err != nil {
		return nil, problemf(name, "%v", err)
	}
	return d, nil
}
