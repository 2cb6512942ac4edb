package change

import (
	"fmt"
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// versionCase is a case in which the version of a document can be.
type versionCase struct {
	when string
	is   func(s *Step, d *JudgedDocument) bool
	// rule is the name of the broken rule, or "" if the version fits.
	rule string
	// required is the version to write instead, or nil for a remark.
	required func(d *JudgedDocument) *semver.Version
	text     func(s *Step, d *JudgedDocument) string
}

// versionCases decide whether a version fits: the first case that applies does. Their order is a
// contract, because a case relies on the earlier ones not applying.
var versionCases = []versionCase{
	{
		when: "the version is lower than before",
		is:   func(_ *Step, d *JudgedDocument) bool { return d.isLower() },
		rule: VersionDown, required: (*JudgedDocument).fixedVersion, text: wentDown,
	}, {
		when: "the branch did not change the document",
		is:   func(_ *Step, d *JudgedDocument) bool { return d.isUntouched() },
	}, {
		when: "only the ledger knows the last version, and the version is too low after it",
		is:   func(_ *Step, d *JudgedDocument) bool { return d.floor != nil && d.Base == nil && !d.isEnough() },
		rule: VersionTooLow, required: (*JudgedDocument).nextVersion, text: endedWith,
	}, {
		when: "the changes need a higher version",
		is:   func(_ *Step, d *JudgedDocument) bool { return d.floor != nil && len(d.Changes) > 0 && !d.isEnough() },
		rule: VersionTooLow, required: (*JudgedDocument).nextVersion, text: tooLow,
	}, {
		when: "a draft that no release carried keeps its number",
		is:   func(_ *Step, d *JudgedDocument) bool { return d.KeepsDraft() },
	}, {
		when: "another text had the version",
		is:   func(s *Step, d *JudgedDocument) bool { return d.floor != nil && s.reuses(d) },
		rule: VersionReused, required: (*JudgedDocument).nextVersion, text: reused,
	}, {
		when: "a bundle or the history skipped numbers, where another version would not help",
		is: func(s *Step, d *JudgedDocument) bool {
			return s.Head.Packed || s.OnBranch && s.accepts(VersionSkipped, d.ID, d.Head.Version, "") == nil
		},
	}, {
		when: "a new document does not start at a first version",
		is:   func(s *Step, d *JudgedDocument) bool { return d.floor == nil && !s.starts(d) },
		rule: VersionSkipped, text: startsElsewhere,
		required: func(d *JudgedDocument) *semver.Version { return compat.First(d.ID, d.head) },
	}, {
		when: "the version does not directly follow the last one",
		is:   func(s *Step, d *JudgedDocument) bool { return d.floor != nil && s.skips(d) },
		rule: VersionSkipped, required: (*JudgedDocument).fixedVersion, text: skipped,
	},
}

// versionRemarks are the cases of a version that is remarkable although it fits.
var versionRemarks = []versionCase{
	{
		when: "there is nothing before it, or it does not fit",
		is: func(s *Step, d *JudgedDocument) bool {
			return d.base == nil || d.isLower() || !d.isEnough() || s.skips(d)
		},
	}, {
		when: "a draft becomes 1.0.0",
		is:   func(_ *Step, d *JudgedDocument) bool { return d.base.Major() == 0 && d.head.String() == "1.0.0" },
	}, {
		when: "the version had to pass one that was used",
		is: func(_ *Step, d *JudgedDocument) bool {
			return d.hasSameContent() && d.highest != nil && d.base.LessThan(d.highest)
		},
	}, {
		when: "a version without a change",
		is:   func(_ *Step, d *JudgedDocument) bool { return d.hasSameContent() && d.base.LessThan(d.head) },
		rule: VersionIdle, text: idle,
	}, {
		when: "a larger step than needed",
		is:   func(_ *Step, d *JudgedDocument) bool { return len(d.Changes) > 0 && d.nextVersion().LessThan(d.head) },
		rule: VersionIdle, text: larger,
	},
}

// judgeVersion judges the version of a document. The error says that it can't be known whether a
// release carried a draft.
func (s *Step) judgeVersion(d *JudgedDocument) error {
	if judged, err := s.readNumbers(d); !judged || err != nil || d.rolledBack {
		return err
	}
	if d.owner != nil {
		s.reportOtherKind(d)
		return nil
	}
	if err := s.findDraft(d); err != nil {
		return err
	}
	if d.elsewhere {
		s.reportMajor(d)
		// An exception that names a commit accepts the change with the version that it has.
		if e := s.accepts(MajorChange, d.ID, d.Head.Version, ""); e == nil || e.Commit != "" {
			return nil
		}
	}
	s.decide(d, versionCases)
	s.decide(d, versionRemarks)
	return nil
}

// reportMajor reports a major change under an ID that contains the major version.
func (s *Step) reportMajor(d *JudgedDocument) {
	next := IDMajor.ReplaceAllString(d.ID, fmt.Sprintf("_v%d", d.base.Major()+1))
	s.add(&BrokenRule{
		Rule: MajorChange, Document: d, At: d.Head.IDAt, Pointer: "/" + d.Head.Kind.IDKey,
		Message: fmt.Sprintf("Publish this as %s (run `rubric fork %s`) and leave %s unchanged.", next, d.ID, d.ID),
		Reasons: d.reasons(), Before: d.Base,
	})
}

// reportOtherKind reports an ID that turns into the ID of the other kind, unless a retired ID does,
// which breaks its own rule. In a bundle, an ID has one kind, so the change can only be accepted where it
// is history that no release carried.
func (s *Step) reportOtherKind(d *JudgedDocument) {
	if s.takesRetired(d) {
		return
	}
	was, is := d.owner.Kind.Noun, d.Head.Kind.Noun
	s.add(&BrokenRule{
		Rule: MajorChange, Document: d, At: d.Head.IDAt, Pointer: "/" + d.Head.Kind.IDKey, Before: d.Base,
		Final: !s.isHistory(), Damage: s.isHistory(),
		Message: fmt.Sprintf("Choose another ID for this %s, and restore the %s %s or retire it (run `rubric retire %s`): "+
			"an ID has one kind, because consumers of the %s can't use a %s.",
			is, was, schema.Quote(d.ID), d.ID, was, is),
	})
}

// decide adds the rule that a document breaks by the first case that applies to it.
func (s *Step) decide(d *JudgedDocument, cases []versionCase) {
	i := slices.IndexFunc(cases, func(c versionCase) bool { return c.is(s, d) })
	if i < 0 || cases[i].rule == "" {
		return
	}
	c := cases[i]
	v := &BrokenRule{
		Rule: c.rule, Document: d, At: d.Head.VersionAt, Pointer: "/version",
		Before: d.before, Message: c.text(s, d),
	}
	if c.rule == VersionTooLow {
		v.Reasons = d.reasons()
	}
	if c.required != nil {
		v.Required = c.required(d).String()
	}
	s.add(v)
}

func wentDown(s *Step, d *JudgedDocument) string {
	why := "Versions never go down."
	if s.hadVersion(d, func(h *holdings.Edition) bool { return h.Content == d.Head.Content }) {
		why = fmt.Sprintf("Going back to the text of %s is a change like any other.", d.head)
	}
	return fmt.Sprintf("Change version %s to %s: the document already reached %s. %s",
		d.head, d.fixedVersion(), d.floor, why)
}

func endedWith(_ *Step, d *JudgedDocument) string {
	return fmt.Sprintf("Change version %s to %s: the ledger says that it ended with version %s.",
		d.head, d.nextVersion(), d.floor)
}

func tooLow(s *Step, d *JudgedDocument) string {
	from := ""
	switch {
	case d.free != nil && d.free.since != nil:
		from = fmt.Sprintf(" (the changes count from %s, the last version that was released)", d.free.since.Version)
	case d.Instead != nil:
		ended := s.EndOf(d.ID, d.Base.Version)
		from = fmt.Sprintf(" (%s is %s, so the changes count from %s)", d.base, ended, d.Instead.Version)
	case d.base.LessThan(d.floor):
		from = fmt.Sprintf(" (%s already has %s)", s.target, d.floor)
	}
	return fmt.Sprintf("Change version %s to %s%s.", d.head, d.nextVersion(), from)
}

func reused(_ *Step, d *JudgedDocument) string {
	return fmt.Sprintf("Change version %s to %s: %s already had another text, "+
		"and scores stored with it would appear to belong to this one.", d.head, d.nextVersion(), d.head)
}

func startsElsewhere(_ *Step, d *JudgedDocument) string {
	firsts := compat.Firsts(d.ID)
	starts := firsts[0].String()
	if len(firsts) > 1 {
		starts += ", as a draft, or " + firsts[1].String()
	}
	return fmt.Sprintf("Change version %s to %s: a new document starts at %s.", d.head, compat.First(d.ID, d.head), starts)
}

func skipped(_ *Step, d *JudgedDocument) string {
	return fmt.Sprintf("Change version %s to %s: versions must not skip numbers, and the last version is %s.",
		d.head, d.fixedVersion(), d.latestVersion())
}

func idle(_ *Step, d *JudgedDocument) string {
	return fmt.Sprintf("Version %s has the same content as %s.", d.head, d.base)
}

func larger(_ *Step, d *JudgedDocument) string {
	return fmt.Sprintf("Version %s is a larger step than needed: %s is enough.", d.head, d.nextVersion())
}

// mostAtFirst is the largest number in the versions that the first documents of a
// library bring from elsewhere. It leaves enough room to grow.
const mostAtFirst = 999_999

// starts reports whether a new document starts at a first version, or comes with a library from
// elsewhere.
func (s *Step) starts(d *JudgedDocument) bool {
	if s.Founds && max(d.head.Major(), d.head.Minor(), d.head.Patch()) <= mostAtFirst {
		return true
	}
	return slices.ContainsFunc(compat.Firsts(d.ID), d.head.Equal)
}

// reasons lists the changes that require the version, unless they would quote a withdrawn text.
func (d *JudgedDocument) reasons() string {
	switch {
	case d.free != nil && d.free.since != nil:
		return reasons(d.free.changes)
	case d.Hidden:
		return ""
	}
	return reasons(d.Changes)
}

// judgeCopies judges the files that have the ID of another file but not its text.
func (s *Step) judgeCopies() {
	for _, u := range s.Unreadable {
		if u.Text != nil {
			s.add(&BrokenRule{
				Rule: VersionReused, ID: u.Text.ID, Version: u.Text.Version, At: u.Text.IDAt,
				Message: fmt.Sprintf("Remove this file, or choose another ID: "+
					"%s has the same ID, and both texts are published under it.", u.Copy),
			})
		}
	}
}
