package change

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/library"
)

// selectedVersion is the highest version of a document that constraints select, below another one if
// that is not nil. A version of another kind is in no bundle, nor is one that today's rules reject,
// so it does not count if that is known.
func (s *Step) selectedVersion(id string, below *holdings.Edition) (highest *holdings.Edition) {
	kind := s.kindOf(id)
	for _, h := range s.past[id] {
		if h.Kind != kind || s.IsYanked(id, h.Version) || s.rejected[h] {
			continue
		}
		if below != nil && !h.Number.LessThan(below.Number) {
			continue
		}
		if highest == nil || highest.Number.LessThan(h.Number) {
			highest = h
		}
	}
	return highest
}

// kindOf is the kind of a document, or if it is gone, the last that it had.
func (s *Step) kindOf(id string) *document.Kind {
	for _, d := range s.Documents {
		if d.ID == id && d.Head != nil && d.Head.IsValid() {
			return d.Head.Kind
		}
	}
	if now := s.heldVersion(id, s.Living[id]); now != nil {
		return now.Kind
	}
	if past := s.past[id]; len(past) > 0 {
		return past[0].Kind
	}
	return nil
}

// heldVersion is a version that was published, or nil.
func (s *Step) heldVersion(id, version string) *holdings.Edition {
	if i := slices.IndexFunc(s.past[id], func(h *holdings.Edition) bool { return h.Version == version }); i >= 0 {
		return s.past[id][i]
	}
	return nil
}

// rollback finds what constraints select instead of yanked versions. It reads versions of the
// past.
type rollback struct {
	*Step
	*Question
}

// findFallbacks compares each document that had been removed with its highest version, and each
// whose version is yanked with the version that constraints select instead. It finds what they
// select instead of the versions that the step yanks. Without the history, what constraints
// select is unknown, but a withdrawal breaks references anyway.
func (s *Step) findFallbacks(q *Question) error {
	if q.Repo == nil || s.Head.Packed {
		for _, y := range s.NewYanks() {
			if y.Withdrawn {
				s.Fallbacks = append(s.Fallbacks, fallbackOf(&y))
			}
		}
		return nil
	}
	s.rejected = map[*holdings.Edition]bool{}
	r := rollback{s, q}
	for _, d := range s.Documents {
		if d.Head == nil || !d.Head.IsValid() {
			continue
		}
		if err := r.rebase(d); err != nil {
			return err
		}
	}
	for id, version := range s.Living {
		if s.IsYanked(id, version) {
			if _, err := r.choose(id, nil); err != nil {
				return err
			}
		}
	}
	for _, y := range s.NewYanks() {
		f, err := r.fallback(&y)
		if err != nil {
			return err
		}
		if f != nil {
			s.Fallbacks = append(s.Fallbacks, *f)
		}
	}
	return nil
}

// read is a version of the past with its document.
func (r rollback) read(h *holdings.Edition) (*holdings.Edition, error) {
	l, err := holdings.At(r.Repo, h.Commit, r.Folder)
	if err != nil {
		return nil, err
	}
	return l.Edition(h.Path)
}

// choose is the version with its document that constraints select, below another one if that is
// not nil. It is nil if there is none.
func (r rollback) choose(id string, below *holdings.Edition) (*holdings.Edition, error) {
	for {
		h := r.selectedVersion(id, below)
		if h == nil {
			return nil, nil
		}
		e, err := r.read(h)
		if err != nil {
			return nil, err
		}
		if e != nil && len(library.Problems(e.Doc)) == 0 {
			return e, nil
		}
		r.rejected[h] = true
	}
}

// rebase finds the version that the changes of a document count from.
func (r rollback) rebase(d *JudgedDocument) (err error) {
	before := d.Base
	if past := r.past[d.ID]; before == nil && len(past) > 0 {
		highest := slices.MaxFunc(past, func(a, b *holdings.Edition) int { return a.Number.Compare(b.Number) })
		if d.Base, err = r.read(highest); err != nil {
			return err
		}
	}
	if d.Base != nil && r.IsYanked(d.ID, d.Base.Version) {
		if d.Instead, err = r.choose(d.ID, nil); err != nil {
			return err
		}
	}
	from := cmp.Or(d.Instead, d.Base)
	if from == nil {
		return nil
	}
	d.Hidden = r.IsWithdrawn(d.ID, from.Version)
	if from == before {
		return nil
	}
	head := d.Head.Doc
	if head == nil {
		if head, err = d.Head.In.CurrentDocument(d.Head.Path); err != nil {
			return err
		}
	}
	d.Changes = compat.Compare(from.Doc, head)
	return nil
}

// fallback is what constraints select instead of a version that the step yanks or withdraws. It
// is nil if nobody has the version.
func (r rollback) fallback(y *holdings.LedgerLine) (*Fallback, error) {
	f, held := fallbackOf(y), r.heldVersion(y.ID, y.Yanked)
	if held == nil && y.Withdrawn {
		unread, err := holdings.HadUnreadable(r.Repo, r.Tip.Commit, r.Folder, y.ID, y.Yanked)
		if err != nil || !unread {
			return nil, err
		}
		r.unread = append(r.unread, *y)
		return &f, nil
	}
	if held == nil {
		return nil, nil
	}
	to, err := r.choose(y.ID, held)
	if err != nil || to == nil || r.IsListed(y) { // constraints skipped it before
		return &f, err
	}
	f.To = to.Version
	from, err := r.read(held)
	if from != nil {
		f.Changes = compat.Compare(from.Doc, to.Doc)
		f.Class = max(f.Class, compat.Class(f.Changes))
	}
	return &f, err
}

// notYanked is why the version of a new entry can't be yanked or withdrawn, or "".
func (s *Step) notYanked(e *holdings.LedgerLine) string {
	quoted, current := schema.Quote(e.ID), s.Living[e.ID]
	retired := s.Ledger.Find(e.ID) != nil && current == ""
	existed := s.heldVersion(e.ID, e.Yanked) != nil || s.IsListed(e) || slices.Contains(s.unread, *e)
	switch {
	case retired && !e.Withdrawn:
		return quoted + " is retired, and only versions of documents in the library can be yanked. " +
			"Add withdrawn: true if the text must go"
	case !existed:
		return fmt.Sprintf("version %s of %s was never published", e.Yanked, quoted)
	case retired:
		return ""
	case current == "" && s.selectedVersion(e.ID, nil) == nil:
		return noneRemains(e.ID)
	}
	return ""
}

// noneRemains says that the ledger yanks every version of a document.
func noneRemains(id string) string {
	return fmt.Sprintf("no version of %s would remain. "+
		"Publish a new version first, or retire the document with `rubric retire %s`", schema.Quote(id), id)
}
