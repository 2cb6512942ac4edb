package change

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// accepts returns the exception that accepts a broken rule, or nil. item is "" for a document.
func (s *Step) accepts(rule, id, version, item string) *Exception {
	for _, e := range s.counting {
		if e.covers(rule, id, version, item) {
			return e
		}
	}
	return nil
}

// acceptsVerdict returns the exception that accepts a verdict, or nil.
func (s *Step) acceptsVerdict(v *Verdict) *Exception {
	for _, e := range s.counting {
		if e.covers(v.Rule, v.ID, v.Version, v.Item) && (!v.Damage || e.Commit != "") {
			return e
		}
	}
	return nil
}

// keepReleased makes the verdicts final on another text of a version that a release carried: no
// exception accepts it. In the history, the commit can be accepted once the library has another
// text again. Whether a release carried it is asked only where that makes a difference.
func (q *Question) keepReleased(p *plan, s *Step) error {
	for _, v := range s.Verdicts {
		if d := v.Document; v.Accepted != nil && d != nil && d.owner != nil {
			if err := q.keepKind(s, v); err != nil {
				return err
			}
			continue
		}
		covers := func(e *Exception) bool { return e.covers(v.Rule, v.ID, v.Version, v.Item) }
		asks := slices.ContainsFunc(slices.Concat(s.counting, p.exceptions), covers)
		if v.Final || !asks || !slices.Contains(rulesOfVersions, v.Rule) || !s.hadAnother(v.Document) {
			continue
		}
		now := v.Document.Head
		carried, err := s.released(now.ID, now.Version, now.Digest)
		if err != nil {
			return err
		}
		if !carried {
			continue
		}
		undone, err := q.undone(s, now)
		if err != nil {
			return err
		}
		if undone {
			v.Damage = true
			v.Accepted = s.acceptsVerdict(v)
			continue
		}
		v.Final, v.Accepted = true, nil
		v.Message += fmt.Sprintf(" A release has version %s with another text, so no exception can accept this one.", now.Version)
	}
	return nil
}

// keepKind makes the verdict on another kind final if a release carried the first one, unless the
// library has that again.
func (q *Question) keepKind(s *Step, v *Verdict) error {
	owner := v.Document.owner
	carried, err := s.released(owner.ID, owner.Version, "")
	if err != nil || !carried {
		return err
	}
	now, err := q.Head.Find(owner.ID)
	if err == nil && now != nil && now.Kind != owner.Kind {
		v.Final, v.Accepted = true, nil
		v.Message += fmt.Sprintf(" A release has the %s, so no exception can accept this.", owner.Kind.Noun)
	}
	return err
}

// hadAnother reports whether a version of a document had another text before.
func (s *Step) hadAnother(d *Document) bool {
	return d != nil && d.Head != nil && slices.ContainsFunc(s.past[d.ID], func(e *Edition) bool {
		return e.Version == d.Head.Version && e.Digest != d.Head.Digest
	})
}

// undone reports whether a step is in the history and the head no longer has a text of it.
func (q *Question) undone(s *Step, text *Edition) (bool, error) {
	if !s.isHistory() {
		return false, nil
	}
	now, err := q.Head.Find(text.ID)
	return now == nil || now.Digest != text.Digest, err
}

// explainStanding adds to the verdicts of the step that an exception for it was there before. In
// the history, an exception has to name the commit anyway.
func (s *Step) explainStanding() error {
	fails := func(v *Verdict) bool { return v.Fails() && !v.Final }
	if s.isHistory() || !slices.ContainsFunc(s.Verdicts, fails) {
		return nil
	}
	own, err := s.Head.Exceptions()
	if err != nil {
		return err
	}
	added := meaningsOf(s.added)
	for _, v := range s.Verdicts {
		standing := func(e *Exception) bool {
			return e.Commit == "" && e.covers(v.Rule, v.ID, v.Version, v.Item) && !added.has(e)
		}
		if fails(v) && slices.ContainsFunc(own, standing) {
			name := v.Version
			if v.Item != "" {
				name = schema.Quote(v.Item)
			}
			v.Message += fmt.Sprintf(" The exception for %s was there before this change, so it doesn't accept it. Ask the owners for a new entry with this change.", name)
		}
	}
	return nil
}
