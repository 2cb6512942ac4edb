package change

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/library"
)

// keepReleased makes broken rules final if they are about another text of a version that a release carried: no
// exception accepts it. In the history, the commit can be accepted once the library has another
// text again. Whether a release carried it is asked only where that makes a difference.
func (q *Question) keepReleased(p *plan, s *Step) error {
	for _, v := range s.Broken {
		if d := v.Document; v.Accepted != nil && d != nil && d.owner != nil {
			if err := q.keepKind(s, v); err != nil {
				return err
			}
			continue
		}
		covers := func(e *holdings.Exception) bool { return e.Covers(v.Rule, v.ID, v.Version, v.Item) }
		asks := slices.ContainsFunc(slices.Concat(s.counting, p.exceptions), covers)
		if v.Final || !asks || !slices.Contains(rulesOfVersions, v.Rule) || !s.hadAnother(v.Document) {
			continue
		}
		now := v.Document.Head
		carried, err := s.wasReleased(now.ID, now.Version, now.Digest)
		if err != nil {
			return err
		}
		if !carried {
			continue
		}
		undone, err := q.isUndone(s, now)
		if err != nil {
			return err
		}
		if undone {
			v.Damage = true
			v.Accepted = s.acceptsBroken(v)
			continue
		}
		v.Final, v.Accepted = true, nil
		v.Message += fmt.Sprintf(" A release has version %s with another text, so no exception can accept this one.",
			now.Version)
	}
	return nil
}

// keepKind makes the broken rule about another kind final if a release carried the first one, unless the
// library has that again, or had it when it was retired: a bundle has an ID with its last kind.
func (q *Question) keepKind(s *Step, v *BrokenRule) error {
	owner := v.Document.owner
	carried, err := s.wasReleased(owner.ID, owner.Version, "")
	if err != nil || !carried {
		return err
	}
	now, err := q.Head.Find(owner.ID)
	if err != nil {
		return err
	}
	back := now != nil && now.Kind == owner.Kind
	if entry := s.end.Find(owner.ID); now == nil && entry != nil {
		back = entry.Kind == owner.Kind.Name
	}
	if !back {
		v.Final, v.Accepted = true, nil
		v.Message += fmt.Sprintf(" A release has the %s, so no exception can accept this before it is restored.",
			owner.Kind.Noun)
	}
	return nil
}

// hadAnother reports whether a version of a document had another text before.
func (s *Step) hadAnother(d *JudgedDocument) bool {
	return d != nil && d.Head != nil && slices.ContainsFunc(s.past[d.ID], func(e *holdings.Edition) bool {
		return e.Version == d.Head.Version && e.Digest != d.Head.Digest
	})
}

// isUndone reports whether a step is in the history and the head no longer has a text of it.
func (q *Question) isUndone(s *Step, text *holdings.Edition) (bool, error) {
	if !s.isHistory() {
		return false, nil
	}
	now, err := q.Head.Find(text.ID)
	return now == nil || now.Digest != text.Digest, err
}

// explainStanding adds to the broken rules of the step that an exception for it was there before. In
// the history, an exception has to name the commit anyway.
func (s *Step) explainStanding() error {
	fails := func(v *BrokenRule) bool { return v.Fails() && !v.Final }
	if s.isHistory() || !slices.ContainsFunc(s.Broken, fails) {
		return nil
	}
	own, err := s.Head.Exceptions()
	if err != nil {
		return err
	}
	added := holdings.MeaningsOf(s.added)
	for _, v := range s.Broken {
		standing := func(e *holdings.Exception) bool {
			return e.Commit == "" && e.Covers(v.Rule, v.ID, v.Version, v.Item) && !added.Has(e)
		}
		if fails(v) && slices.ContainsFunc(own, standing) {
			name := v.Version
			if v.Item != "" {
				name = schema.Quote(v.Item)
			}
			v.Message += fmt.Sprintf(" The exception for %s was there before this change, so it doesn't accept it. "+
				"Ask the owners for a new entry with this change.", name)
		}
	}
	return nil
}

// findExceptions finds the exceptions that can accept what the step does: those that its own
// tree adds, and those of the checked library that name its commit.
func (s *Step) findExceptions(p *plan) error {
	if err := s.findChangedExceptions(p.taken); err != nil {
		return err
	}
	for _, e := range s.added {
		if e.Commit == "" {
			s.counting = append(s.counting, e)
		}
	}
	for _, e := range p.exceptions {
		if s.Commit != "" && e.Commit == s.Commit {
			s.counting = append(s.counting, e)
		}
	}
	return nil
}

// findChangedExceptions finds the exceptions that the step adds and removes. Those that are taken
// are not new.
func (s *Step) findChangedExceptions(taken holdings.Meanings) error {
	same, err := s.hasSameExceptions()
	if same || err != nil {
		return err
	}
	own, broken, err := s.Head.ReadExceptions()
	if broken || err != nil {
		return err
	}
	atTip, known, err := s.Tip.EarlierExceptions()
	if !known || err != nil {
		return err
	}
	atBases := holdings.Meanings{}
	for _, l := range s.Bases {
		list, known, err := l.EarlierExceptions()
		if !known || err != nil {
			return err
		}
		atBases.Add(list)
	}
	before, now := holdings.MeaningsOf(atTip), holdings.MeaningsOf(own)
	for _, e := range own {
		if !before.Has(e) && !atBases.Has(e) && !taken.Has(e) {
			s.added = append(s.added, e)
		}
	}
	for _, e := range atTip {
		if atBases.Has(e) && !now.Has(e) {
			s.removed = append(s.removed, e)
		}
	}
	return nil
}

// hasSameExceptions reports whether the step is known to change no exception, without reading one.
func (s *Step) hasSameExceptions() (bool, error) {
	if s.Head.Repo == nil {
		return false, nil
	}
	now, err := s.Head.EntryAt(library.ExceptionsFile)
	if err != nil {
		return false, err
	}
	for _, l := range s.Libraries() {
		if l.Repo == nil {
			return now == "", nil // a commit without a parent
		}
		before, err := l.EntryAt(library.ExceptionsFile)
		if before != now || err != nil {
			return false, err
		}
	}
	return true, nil
}
