package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// OriginalText returns the text of a published version of a document, the newest one if several were
// published under the version, or that with a digest if it is not "".
func (o *Origin) OriginalText(id, version, digest string) (*document.Document, error) {
	editions, err := o.editions(id)
	if err != nil {
		return nil, err
	}
	var versions []string
	var found *holdings.Edition
	for _, e := range editions {
		if !slices.Contains(versions, e.Version) {
			versions = append(versions, e.Version)
		}
		if found == nil && e.Version == version && (digest == "" || e.Digest == digest) {
			found = e
		}
	}
	switch {
	case found == nil && slices.Contains(versions, version):
		return nil, fmt.Errorf("version %s of %s has another digest than %s. Check the reference",
			version, schema.Quote(id), digest)
	case found == nil && len(versions) > 0:
		return nil, fmt.Errorf("%s has no version %s on %s: expected %s",
			schema.Quote(id), version, o.Name, schema.Or(versions, "or"))
	case found == nil:
		return nil, fmt.Errorf("there is no %s on %s", schema.Quote(id), o.Name)
	case found.Doc != nil: // it is at the tip
		return found.Doc, nil
	}
	held, err := holdings.At(o.repo, found.Commit, o.Tip.Folder)
	if err != nil {
		return nil, err
	}
	return held.CurrentDocument(found.Path)
}

// Withdrawn returns why the text of a version is withdrawn by a ledger here or where documents are
// published, or "". ledger is nil if the library has none.
func (o *Origin) Withdrawn(ledger *document.Document, id, version string) (string, error) {
	published, err := o.Tip.EarlierLedger()
	for _, l := range []*holdings.Ledger{holdings.LedgerOf(ledger), published} {
		if l.Withdrawn(id, version) {
			return strings.TrimSpace(l.Entry(id, version).Reason), err
		}
	}
	return "", err
}
