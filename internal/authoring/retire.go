package authoring

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
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
	held    *holdings.Edition // the last published version
	work    *source.File      // nil if it is already removed
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
	work, err := l.documentToRetire(held)
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
			e.Warnings = append(e.Warnings, fmt.Sprintf("%s names %s as its replacement. Name another document, or remove the replacement",
				d.File.Path, r.held.ID))
		}
	}
	if err := r.leaveDatasets(e); err != nil {
		return nil, err
	}
	if r.work != nil {
		e.Files = append(e.Files, File{
			Path: r.work.Path, Before: r.work.Data, Note: "its last version was " + r.held.Version,
		})
	}
	return r.library.finish(e)
}

func (l *Local) publishedOnce(id string) (*holdings.Edition, error) {
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
	d, err := l.knownDocument(id)
	if err != nil {
		return err
	}
	return fmt.Errorf("%s was never published: %s does not have it. Delete the file %s instead",
		id, l.past.Name, d.File.Path)
}

// documentToRetire returns the document to be retired as it is in the library, or nil if it is already
// gone. Uncommitted edits are an error, because they would be lost.
func (l *Local) documentToRetire(held *holdings.Edition) (*document.Document, error) {
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
	return d, l.checkCommitted(d.File.Path, d.File.Data)
}

// CheckReplacement returns why an ID can't be the replacement of a document. "" can.
func (r *Retirement) CheckReplacement(by string) error {
	switch by {
	case "":
		return nil
	case r.held.ID:
		return fmt.Errorf("%s can't replace itself", by)
	}
	_, err := r.library.knownDocument(by)
	return err
}

// ledger is the ledger with an entry for a document.
func (r *Retirement) ledger(reason, replacedBy string) (*File, error) {
	pairs := []pair{
		{"id", r.held.ID}, {"kind", r.held.Doc.Kind.Name}, {"last_version", r.held.Version}, {"reason", reason},
	}
	if replacedBy != "" {
		pairs = append(pairs, pair{"replaced_by", replacedBy})
	}
	return r.library.withLedgerEntry(fmt.Sprintf("%s is retired at version %s", r.held.ID, r.held.Version), listKey, pairs)
}

// leaveDatasets removes a retired rubric from the datasets that list it. A dataset for
// only this rubric is removed with its labels, which Git keeps: without a rubric it is
// not valid.
func (r *Retirement) leaveDatasets(e *Edit) error {
	id, l := r.held.ID, r.library
	names, err := calibration.Names(l.fsys)
	if err != nil {
		return err
	}
	for _, dataset := range names {
		name := path.Join(calibration.Root, dataset, calibration.DatasetFile)
		data, err := l.read(name)
		if err != nil {
			return err
		}
		d := parse(name, data)
		at := slices.Index(listed(d), id)
		if at < 0 {
			continue
		}
		if d.Valid() && len(listed(d)) == 1 {
			if err := r.removeDataset(e, path.Dir(name)); err != nil {
				return err
			}
			continue
		}
		if d.Valid() {
			d = withoutEntry(d, appliesTo, at)
		}
		if d != nil && d.Valid() {
			e.Files = append(e.Files, File{
				Path: name, Before: data, After: d.File.Data, Note: fmt.Sprintf("its labels are no longer for %s", id),
			})
		} else {
			e.Warnings = append(e.Warnings, fmt.Sprintf("%s: remove %s from %s, because it is retired", name, id, appliesTo))
		}
	}
	return nil
}

// removeDataset removes all files of a dataset, if the last commit has them.
func (r *Retirement) removeDataset(e *Edit, folder string) error {
	return fs.WalkDir(r.library.fsys, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := r.library.read(name)
		if err != nil {
			return err
		}
		if err := r.library.checkCommitted(name, data); err != nil {
			return err
		}
		e.Files = append(e.Files, File{
			Path: name, Before: data, Note: "no other rubric uses this dataset; it stays in the Git history",
		})
		return nil
	})
}
