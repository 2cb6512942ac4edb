package authoring

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Retirement is a document to be moved from the library to the ledger.
type Retirement struct {
	// Reason is why the document should no longer be used, and ReplacedBy is what to
	// use instead, from its deprecation, or "".
	Reason, ReplacedBy string

	library *Local
	held    *change.Edition // the last published version
	work    *source.File    // nil if it is already removed
}

// Retire finds the document with an ID, or returns why it can't be retired: only a
// published document can. A document that is already removed is only added to the
// ledger.
func (l *Local) Retire(id string) (*Retirement, error) {
	held, err := l.publishedOnce(id)
	if err != nil {
		return nil, err
	}
	r := &Retirement{library: l, held: held}
	work, err := l.leaving(held)
	if err != nil {
		return nil, err
	}
	says := held.Doc
	if work != nil {
		r.work, says = work.File, work
	}
	deprecation := says.Root().Get(deprecatedKey)
	r.Reason = strings.Join(strings.Fields(deprecation.Get("reason").Text()), " ") // one line
	r.ReplacedBy = deprecation.Get("replaced_by").Text()
	return r, nil
}

// Edit computes the retirement. replacedBy can be "".
func (r *Retirement) Edit(reason, replacedBy string) (*Edit, error) {
	if err := CheckReason(reason); err != nil {
		return nil, err
	}
	if err := r.CheckReplacement(replacedBy); err != nil {
		return nil, err
	}
	ledger, err := r.ledger(reason, replacedBy)
	if err != nil {
		return nil, err
	}
	e := &Edit{Files: []File{*ledger}}
	named, err := r.library.mentions(r.held.ID)
	if err != nil {
		return nil, err
	}
	for _, d := range named {
		if d.ID() != r.held.ID && d.Root().Get(deprecatedKey).Get("replaced_by").Text() == r.held.ID {
			e.Warnings = append(e.Warnings, fmt.Sprintf("%s names %s as its replacement. Name another document, or remove the replacement", d.File.Path, r.held.ID))
		}
	}
	if err := r.leaveDatasets(e); err != nil {
		return nil, err
	}
	if r.work != nil {
		e.Files = append(e.Files, File{Path: r.work.Path, Before: r.work.Data, Note: "its last version was " + r.held.Version})
	}
	return r.library.finish(e)
}

func (l *Local) publishedOnce(id string) (*change.Edition, error) {
	if l.past == nil {
		return nil, fmt.Errorf("it is unknown whether %s was ever published: its history is not available here. To remove a draft that was never published, delete its file", schema.Quote(id))
	}
	ledger, err := l.ledger()
	if err != nil {
		return nil, err
	}
	if retired(ledger, id) {
		return nil, fmt.Errorf("%s is already retired: %s lists it", schema.Quote(id), ledgerFile)
	}
	tip, err := l.past.Tip.Find(id)
	if err != nil {
		return nil, err
	}
	if tip == nil {
		return nil, l.neverPublished(id)
	}
	for _, base := range l.past.Bases {
		held, err := base.Find(id)
		if err != nil {
			return nil, err
		}
		if held == nil || held.Version != tip.Version {
			return nil, fmt.Errorf("%s has version %s on %s since this branch began. Update the branch first, so that the ledger has the last version",
				id, tip.Version, l.past.Name)
		}
	}
	return tip, nil
}

// neverPublished is the error for a document that does not exist where documents are
// published.
func (l *Local) neverPublished(id string) error {
	if gone, err := l.retiredOnTip(id); err != nil {
		return err
	} else if gone {
		return fmt.Errorf("%s is already retired on %s. Update this branch", id, l.past.Name)
	}
	d, err := l.known(id)
	if err != nil {
		return err
	}
	return fmt.Errorf("%s was never published: %s does not have it. Delete the file %s instead", id, l.past.Name, d.File.Path)
}

// leaving is the document to be retired as it is in the library, or nil if it is already
// gone. Uncommitted edits are an error, because they would be lost.
func (l *Local) leaving(held *change.Edition) (*document.Document, error) {
	d, err := l.document(held.ID)
	if err != nil {
		return nil, err
	}
	if d == nil {
		there, err := l.lstat(held.Doc.File.Path)
		if err == nil && there != nil {
			err = fmt.Errorf("%s no longer has the ID %s. Restore the ID, or delete the file", held.Doc.File.Path, held.ID)
		}
		return nil, err
	}
	return d, l.committed(d.File.Path, d.File.Data)
}

// CheckReplacement returns why an ID can't be the replacement of a document. "" can.
func (r *Retirement) CheckReplacement(by string) error {
	switch by {
	case "":
		return nil
	case r.held.ID:
		return fmt.Errorf("%s can't replace itself", by)
	}
	_, err := r.library.known(by)
	return err
}
