package change

import (
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// readNumbers prepares the versions of a document. It reports whether they can be judged. The error
// says that it can't be known what releases carried.
func (s *Step) readNumbers(d *JudgedDocument) (bool, error) {
	if d.Head == nil || !d.Head.IsValid() {
		return false, nil
	}
	d.head, d.highest = d.Head.Number, s.highestVersion(d.ID)
	if d.Base != nil {
		d.base = d.Base.Number
	}
	i := slices.IndexFunc(floorCases, func(c floorCase) bool { return c.is(d) })
	if i >= 0 {
		d.before = floorCases[i].before(d)
		d.floor = d.before.Number
	} else { // only the ledger or the history knows the last version, if there was one
		d.base, d.floor = d.highest, d.highest
	}
	err := s.findOwner(d)
	return err == nil, err
}

// floorCase is a case in which a library of the comparison has the version that the next one counts
// from.
type floorCase struct {
	when   string
	is     func(d *JudgedDocument) bool
	before func(d *JudgedDocument) *holdings.Edition
}

// floorCases decide which version the next one counts from: the first case that applies does. Their
// order is a contract: the second one also applies where the first one does.
var floorCases = []floorCase{
	{
		when: "the target has a higher version with another text",
		is: func(d *JudgedDocument) bool {
			return d.Tip != nil && d.Tip.Digest != d.Head.Digest && (d.Base == nil || d.Base.Number.LessThan(d.Tip.Number))
		},
		before: func(d *JudgedDocument) *holdings.Edition { return d.Tip },
	}, {
		when:   "the changes count from a text",
		is:     func(d *JudgedDocument) bool { return d.Base != nil },
		before: func(d *JudgedDocument) *holdings.Edition { return d.Base },
	},
}

// highestVersion returns the highest version that a document ever had, or nil.
func (s *Step) highestVersion(id string) *semver.Version {
	var highest *semver.Version
	if entry := s.TipLedger.Find(id); entry != nil {
		highest, _ = semver.StrictNewVersion(entry.LastVersion) // an invalid one has its own finding
	}
	for _, h := range s.past[id] {
		if highest == nil || highest.LessThan(h.Number) {
			highest = h.Number
		}
	}
	return highest
}

// findDraft finds out whether a document keeps the number of a draft that no release carried. It asks
// only if that number would be wrong otherwise. One that the ledger lists, retired or yanked, is
// not free.
func (s *Step) findDraft(d *JudgedDocument) error {
	if d.floor == nil || d.head.Major() > 0 || !d.head.Equal(d.latestVersion()) {
		return nil
	}
	if d.isLower() || d.rolledBack || d.isUntouched() {
		return nil
	}
	listed := s.Ledger.Find(d.ID) != nil || s.TipLedger.Find(d.ID) != nil || s.IsYanked(d.ID, d.Head.Version)
	if listed || d.isEnough() && !s.reuses(d) {
		return nil
	}
	released, err := s.wasReleased(d.ID, d.Head.Version, d.Head.Digest)
	if released || err != nil {
		return err
	}
	free := &freeDraft{}
	if free.since, err = s.lastReleased(d); err != nil {
		return err
	}
	if free.since != nil {
		if free.changes, err = s.changesSince(free.since, d); err != nil {
			return err
		}
	}
	d.free = free
	return nil
}

// LowestVersion returns the lowest version that the head of a document may have, or "" if its versions
// can't be compared. Without a change, it is the version before.
func (d *JudgedDocument) LowestVersion() string {
	switch {
	case d.head == nil:
		return ""
	case d.floor == nil:
		return compat.First(d.ID, d.head).String()
	case d.elsewhere && !d.accepted:
		return compat.Required(d.latestVersion(), schema.Major).String()
	case d.isUntouched() || d.rolledBack || d.Tip != nil && d.Tip.Digest == d.Head.Digest:
		return d.Head.Version
	}
	return d.fixedVersion().String()
}

// TooLow reports whether the version is lower than Lowest, whether or not an exception accepts
// it.
func (d *JudgedDocument) TooLow() bool {
	lowest, err := semver.StrictNewVersion(d.LowestVersion())
	return err == nil && d.head.LessThan(lowest)
}

// fixedVersion returns the lowest version that the head may have: that of the base, if it has the
// content and no higher version exists, or else the next one.
func (d *JudgedDocument) fixedVersion() *semver.Version {
	if d.hasSameContent() && d.base.Equal(d.latestVersion()) {
		return d.base
	}
	return d.nextVersion()
}

// isUntouched reports whether the branch did not change the document, so that only the
// target has moved on.
func (d *JudgedDocument) isUntouched() bool {
	return d.hasSameContent() && d.head.Equal(d.base)
}

// hasSameContent reports whether the head has the content of the base. A document that comes back is
// another one to the ledger.
func (d *JudgedDocument) hasSameContent() bool {
	return (len(d.Bases) > 0 || d.Tip != nil) && d.Base.Content == d.Head.Content
}

// class returns the class of the required version step. Where only the ledger knows the last
// version, the words can't be compared, so its step is minor; under an ID that contains the
// major version, a step is at most minor.
func (d *JudgedDocument) class() schema.Class {
	if d.Base == nil || d.elsewhere {
		return schema.Minor
	}
	return d.Class()
}

// nextVersion returns the lowest version that the changes may have: an unused one, or the number of a
// findDraft that is free.
func (d *JudgedDocument) nextVersion() *semver.Version {
	if d.free != nil {
		return d.free.lowestVersion(d.head)
	}
	return compat.Required(d.latestVersion(), max(schema.Patch, d.class()))
}

// lowestVersion is the lowest version of a draft that is free: its number, unless the changes since the
// last release need a higher one.
func (f *freeDraft) lowestVersion(number *semver.Version) *semver.Version {
	if f.since != nil {
		if required := compat.Required(f.since.Number, compat.Class(f.changes)); number.LessThan(required) {
			return required
		}
	}
	return number
}

// latestVersion returns the highest version that a document has or ever had.
func (d *JudgedDocument) latestVersion() *semver.Version {
	if d.highest != nil && d.floor.LessThan(d.highest) {
		return d.highest
	}
	return d.floor
}

// isEnough reports whether the version makes the step that the changes require.
func (d *JudgedDocument) isEnough() bool {
	if d.free != nil {
		return !d.head.LessThan(d.nextVersion())
	}
	return !d.head.LessThan(compat.Required(d.floor, d.class()))
}

// isLower reports whether the version went down.
func (d *JudgedDocument) isLower() bool { return d.base != nil && d.head.LessThan(d.base) }

// KeepsDraft reports whether the document keeps the number of a draft that no release carried,
// with another text.
func (d *JudgedDocument) KeepsDraft() bool {
	return d.free != nil && d.isEnough()
}

// Draft is a draft that keeps the number of one that no release carried, with another text.
type Draft struct {
	ID      string `json:"id"`
	Version string `json:"version"`
}

// Drafts are the drafts that keep their numbers in the last step.
func (j *Judgment) Drafts() []Draft {
	var drafts []Draft
	for _, d := range j.Last.Documents {
		if d.KeepsDraft() {
			drafts = append(drafts, Draft{d.ID, d.Head.Version})
		}
	}
	return drafts
}

// hadVersion reports whether an earlier document had the version of the head and is as asked.
func (s *Step) hadVersion(d *JudgedDocument, is func(h *holdings.Edition) bool) bool {
	return slices.ContainsFunc(s.past[d.ID], func(h *holdings.Edition) bool {
		return h.Version == d.Head.Version && is(h)
	})
}

// reuses reports whether another text had the version of the head.
func (s *Step) reuses(d *JudgedDocument) bool {
	return s.hadVersion(d, func(h *holdings.Edition) bool { return h.Digest != d.Head.Digest })
}

// skips reports whether a version that is high enough is new and does not directly
// follow the last one.
func (s *Step) skips(d *JudgedDocument) bool {
	used := s.hadVersion(d, func(*holdings.Edition) bool { return true })
	if !d.isEnough() || used || d.head.Equal(d.floor) {
		return false
	}
	return !compat.Follows(d.floor, d.head) && !compat.Follows(d.latestVersion(), d.head)
}
