package authoring

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// Retirement is a document that is to go from the library to the ledger.
type Retirement struct {
	// Reason is why it should no longer be used, and ReplacedBy what to use
	// instead, as the document itself says; "" where it does not.
	Reason, ReplacedBy string

	library *Library
	held    *history.Held // as it was published last
	work    *source.File  // nil if it is removed already
}

// Retire finds the document with an ID, and tells why it cannot be retired: only
// what was published can. One that is removed already is only put on the ledger.
func (l *Library) Retire(id string) (*Retirement, error) {
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

// Edit works the retirement out. replacedBy can be "".
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
	if e.Warnings, err = r.library.naming(r.held.ID()); err != nil {
		return nil, err
	}
	if err := r.leaveDatasets(e); err != nil {
		return nil, err
	}
	if r.work != nil {
		e.Files = append(e.Files, File{Path: r.work.Path, Before: r.work.Data, Note: "its last version was " + r.held.Version()})
	}
	return r.library.finish(e)
}

// publishedOnce is the document as it was published last.
func (l *Library) publishedOnce(id string) (*history.Held, error) {
	if l.past == nil {
		return nil, fmt.Errorf("nobody can tell whether %s was ever published, because its history is not known here. A draft that was never published can just be deleted", schema.Quote(id))
	}
	ledger, err := l.ledger()
	if err != nil {
		return nil, err
	}
	if retired(ledger, id) {
		return nil, fmt.Errorf("%s is retired already: %s lists it", schema.Quote(id), ledgerFile)
	}
	tip, err := find(l.past.Tip, id)
	if err != nil {
		return nil, err
	}
	if tip == nil {
		return nil, l.neverPublished(id)
	}
	for _, base := range l.past.Bases {
		held, err := find(base, id)
		if err != nil {
			return nil, err
		}
		if held == nil || held.Version() != tip.Version() {
			return nil, fmt.Errorf("%s came to version %s on %s since this branch began. Bring the branch up to date first, so that the ledger says the last version",
				id, tip.Version(), l.past.Name)
		}
	}
	return tip, nil
}

// neverPublished is the error for a document that is not to be found where
// documents are published.
func (l *Library) neverPublished(id string) error {
	data, err := l.past.Tip.File(ledgerFile)
	if err != nil {
		return err
	}
	if data != nil && retired(parse(ledgerFile, data), id) {
		return fmt.Errorf("%s is retired on %s already. Bring this branch up to date", id, l.past.Name)
	}
	d, err := l.document(id)
	if err != nil {
		return err
	}
	if d == nil {
		return l.unknown(id)
	}
	return fmt.Errorf("%s was never published: %s does not have it. Nobody can use it yet, so just delete the file %s", id, l.past.Name, d.File.Path)
}

// leaving is a document that is retired as it stands in the library, nil if it
// is gone already. What is in no commit would be lost with it, so it is refused.
func (l *Library) leaving(held *history.Held) (*document.Document, error) {
	d, err := l.document(held.ID())
	if err != nil {
		return nil, err
	}
	if d == nil {
		there, err := l.lstat(held.Doc.File.Path)
		if err == nil && there != nil {
			err = fmt.Errorf("%s does not have the ID %s any more. Put the ID back, or delete the file", held.Doc.File.Path, held.ID())
		}
		return nil, err
	}
	return d, l.committed(d.File.Path, d.File.Data)
}

// CheckReplacement tells why an ID cannot be named as the document to use
// instead. "" can.
func (r *Retirement) CheckReplacement(by string) error {
	switch by {
	case "":
		return nil
	case r.held.ID():
		return fmt.Errorf("%s can't replace itself", by)
	}
	d, err := r.library.document(by)
	if err == nil && d == nil {
		err = r.library.unknown(by)
	}
	return err
}

// naming are warnings about documents that send their users to one that goes.
func (l *Library) naming(id string) ([]string, error) {
	var warnings []string
	found, err := l.mentions(id)
	for _, d := range found {
		if d.ID() != id && d.Root().Get(deprecatedKey).Get("replaced_by").Text() == id {
			warnings = append(warnings, fmt.Sprintf("%s names %s as its replacement. Name another document there, or none", d.File.Path, id))
		}
	}
	return warnings, err
}
