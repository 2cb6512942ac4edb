package change

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Fallback is what a constraint that selected a yanked version selects instead: the highest
// earlier version, with the class of the change to it. To is "" if there is none.
type Fallback struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	Reason  string `json:"reason"`
	// To is the version that constraints select instead, if there is an earlier one.
	To      string          `json:"fallback,omitempty"`
	Class   schema.Class    `json:"class"`
	Changes []compat.Change `json:"-"`
}

// String says in sentences what the yank does.
func (f *Fallback) String() string {
	text := fmt.Sprintf("%s %s is yanked: %s", f.ID, f.Version, f.Reason)
	if f.To == "" {
		return text + " No constraint that selected it selects an earlier version."
	}
	text += fmt.Sprintf(" Constraints fall back to %s (%s).", f.To, f.Class)
	if len(f.Changes) > 0 {
		text += " " + reasons(f.Changes)
	}
	return text
}

// newYanks are the yanked versions of the head that neither the target nor a merge base yanks.
func (c *Comparison) newYanks() []Entry {
	if c.Ledger == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.Ledger.Entries), func(e Entry) bool { return e.Yanked == "" || !c.isNew(&e) })
}

func (c *Comparison) yanked(id, version string) bool {
	return c.Ledger.find(id, version) != nil || c.TipLedger.find(id, version) != nil
}

// selected is the highest version of a document that constraints select, below another one if
// that is not nil.
func (s *Step) selected(id string, below *Edition) (highest *Edition) {
	for _, h := range s.past[id] {
		if !s.yanked(id, h.Version) && (below == nil || h.number.LessThan(below.number)) && (highest == nil || highest.number.LessThan(h.number)) {
			highest = h
		}
	}
	return highest
}

// held is a version that was published, or nil.
func (s *Step) held(id, version string) *Edition {
	if i := slices.IndexFunc(s.past[id], func(h *Edition) bool { return h.Version == version }); i >= 0 {
		return s.past[id][i]
	}
	return nil
}

// fallBack compares each document that had been removed with its highest version, and each
// whose version is yanked with the version that constraints select instead. It finds what they
// select instead of the versions that the step yanks.
func (s *Step) fallBack(q *Question) error {
	if q.Repo == nil || s.Head.Packed {
		return nil
	}
	var unread error
	edition := func(h *Edition) *Edition {
		l := in(q.Repo, h.Commit, q.Folder)
		e := l.edition(h.Path)
		unread = cmp.Or(unread, l.err)
		return e
	}
	for _, d := range s.Documents {
		if d.Head == nil || !d.Head.Valid() {
			continue
		}
		before := d.Base
		if past := s.past[d.ID]; before == nil && len(past) > 0 {
			d.Base = edition(slices.MaxFunc(past, func(a, b *Edition) int { return a.number.Compare(b.number) }))
		}
		if h := s.selected(d.ID, nil); h != nil && d.Base != nil && s.yanked(d.ID, d.Base.Version) {
			d.Instead = edition(h)
		}
		if from := cmp.Or(d.Instead, d.Base); from != before {
			head := d.Head.Doc
			if head == nil {
				head = d.Head.in.current(d.Head.Path)
			}
			d.Changes = compat.Compare(from.Doc, head)
		}
	}
	for _, y := range s.newYanks() {
		from := s.held(y.ID, y.Yanked)
		if from == nil {
			continue
		}
		f := Fallback{ID: y.ID, Version: y.Yanked, Reason: y.Reason, Class: schema.Patch}
		if to := s.selected(y.ID, from); to != nil {
			f.To = to.Version
			if before, after := edition(from), edition(to); before != nil && after != nil {
				f.Changes = compat.Compare(before.Doc, after.Doc)
				f.Class = max(f.Class, compat.Class(f.Changes))
			}
		}
		s.Fallbacks = append(s.Fallbacks, f)
	}
	return cmp.Or(unread, s.Head.err, s.Tip.err)
}

// notYanked is why a version can't be yanked, or "".
func (s *Step) notYanked(id, version string) string {
	quoted := schema.Quote(id)
	lives := func(l *Ledger) bool { return l.Find(id) == nil || s.living[id] != "" }
	switch {
	case !lives(s.Ledger):
		return quoted + " is retired, and only versions of documents in the library can be yanked"
	case s.held(id, version) == nil:
		return fmt.Sprintf("version %s of %s was never published", version, quoted)
	case s.selected(id, nil) == nil && (s.living[id] == "" || s.Ledger.find(id, s.living[id]) != nil):
		return fmt.Sprintf("no version of %s would remain. Publish a new version first, or retire the document with `rubric retire %s`", quoted, id)
	}
	return ""
}
