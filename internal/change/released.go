package change

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
)

// wasReleased reports whether a release carried another text of a version than the one with the
// digest; with the digest "", whether one carried the version at all. Releases that include the
// step itself came later and don't count. Everything in a bundle is released, and so is what a
// library is compared with if there is no history.
//
// The error says that it can't be known, for example because the clone does not fetch tags. Ask
// only if a rule depends on the answer, because it reads the history of all releases.
func (s *Step) wasReleased(id, version, digest string) (bool, error) {
	isPacked := func(l *holdings.Library) bool { return l.Packed }
	if s.releases == nil || isPacked(s.Head) || isPacked(s.Tip) || slices.ContainsFunc(s.Bases, isPacked) {
		return true, nil
	}
	if err := s.releases.Read(append(slices.Collect(maps.Keys(s.past)), id)); err != nil {
		return false, err
	}
	return s.releases.HasCarried(id, version, digest, s.reached), nil
}

// firstReleased is the first of some texts whose version a release carried, or nil.
func (s *Step) firstReleased(texts []*holdings.Edition) (*holdings.Edition, error) {
	for _, e := range texts {
		if carried, err := s.wasReleased(e.ID, e.Version, ""); carried || err != nil {
			return e, err
		}
	}
	return nil, nil
}

// lastReleased is the highest version of a document before that of the head that a release
// carried and that constraints select, or nil.
func (s *Step) lastReleased(d *JudgedDocument) (*holdings.Edition, error) {
	var last *holdings.Edition
	for _, h := range s.past[d.ID] {
		if !h.Number.LessThan(d.head) || last != nil && !last.Number.LessThan(h.Number) || s.IsYanked(d.ID, h.Version) {
			continue
		}
		released, err := s.wasReleased(d.ID, h.Version, "")
		if err != nil {
			return nil, err
		}
		if released {
			last = h
		}
	}
	return last, nil
}

// changesSince are the changes of the head of a document since an earlier edition of it.
func (s *Step) changesSince(h *holdings.Edition, d *JudgedDocument) ([]compat.MeaningChange, error) {
	l, err := s.releases.LibraryAt(h.Commit)
	if err != nil {
		return nil, err
	}
	before, err := l.CurrentDocument(h.Path)
	if err != nil {
		return nil, err
	}
	head := d.Head.Doc
	if head == nil {
		head, err = d.Head.In.CurrentDocument(d.Head.Path)
	}
	if err != nil {
		return nil, err
	}
	return compat.Compare(before, head), nil
}
