package change

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// findOwner finds out whether the ID of a document is or belongs to another one, so that the changes
// can't be published under it.
func (s *Step) findOwner(d *JudgedDocument) (err error) {
	d.rolledBack = s.Head.Packed && d.Base != nil && s.Ledger.Entry(d.ID, d.Base.Version) != nil
	if d.owner, err = s.owner(d); err != nil {
		return err
	}
	stable := !d.rolledBack && d.base != nil && d.base.Major() > 0
	d.elsewhere = d.owner != nil || stable && d.Class() == schema.Major && IDMajor.MatchString(d.ID)
	d.accepted = d.elsewhere && s.accepts(MajorChange, d.ID, d.Head.Version, "") != nil
	return nil
}

// owner returns a text that gave the ID of a document its kind, if the document turns it into the ID
// of the other kind. The kind is that of the releases, or before the first one, of the first text.
func (s *Step) owner(d *JudgedDocument) (*holdings.Edition, error) {
	if d.Base != nil && d.Base.Kind == d.Head.Kind {
		return nil, nil
	}
	var others, same []*holdings.Edition // oldest first
	for _, e := range append([]*holdings.Edition{d.Base}, s.past[d.ID]...) {
		switch {
		case e == nil:
		case e.Kind == d.Head.Kind:
			same = slices.Insert(same, 0, e)
		default:
			others = slices.Insert(others, 0, e)
		}
	}
	switch {
	case len(others) == 0:
		return nil, nil
	case len(same) == 0:
		return others[0], nil
	}
	carried, err := s.firstReleased(others)
	if carried != nil || err != nil {
		return carried, err
	}
	carried, err = s.firstReleased(same)
	if past := s.past[d.ID]; carried != nil || err != nil || past[len(past)-1].Kind == d.Head.Kind {
		return nil, err
	}
	return others[0], nil
}
