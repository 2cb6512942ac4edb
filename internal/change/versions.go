package change

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// The rules about versions that a step can break. Each is also the ID of the lint rule that
// reports it, and the name under which an exception accepts it.
const (
	VersionTooLow  = "version-too-low"
	VersionSkipped = "version-skipped"
	VersionDown    = "version-down"
	VersionReused  = "version-reused"
	MajorChange    = "major-change"
	VersionIdle    = "version-idle" // only a remark
)

// rulesOfVersions are those that an exception can accept.
var rulesOfVersions = []string{VersionTooLow, VersionSkipped, VersionDown, VersionReused, MajorChange}

// IDMajor matches the end of an ID that contains the major version.
var IDMajor = regexp.MustCompile(`_v(0|[1-9][0-9]*)$`)

// judged is what Judge finds out about the version of a document that the head has and
// that the repository has or had.
type judged struct {
	head, base *semver.Version
	// base is the version of Base, or the last one of a retired document whose history is
	// unknown. floor is the version that the next one counts from: the higher of the
	// target's tip and base.
	floor *semver.Version
	// before is the document that has the floor's version, where it is known.
	before *Edition
	// highest is the highest version that the document ever had, or nil.
	highest *semver.Version
	// rolledBack says that a bundle yanks the version of the base, so that its latest version
	// is another one.
	rolledBack bool
	// elsewhere says that the ID contains the major version and the changes need another
	// one. accepted says that an exception allows them under this ID.
	elsewhere, accepted bool
}

// number prepares the versions of a document. It reports whether they can be judged.
func (s *Step) number(d *Document) bool {
	if d.Head == nil || !d.Head.Valid() {
		return false
	}
	d.head = d.Head.number
	if d.Base != nil {
		d.base = d.Base.number
		d.floor, d.before = d.base, d.Base
	}
	if d.Tip != nil && d.Tip.Digest != d.Head.Digest && (d.floor == nil || d.floor.LessThan(d.Tip.number)) {
		d.floor, d.before = d.Tip.number, d.Tip
	}
	d.highest = s.highest(d.ID)
	if d.floor == nil {
		d.base, d.floor = d.highest, d.highest
	}
	d.rolledBack = s.Head.Packed && d.Base != nil && s.Ledger.find(d.ID, d.Base.Version) != nil
	d.elsewhere = !d.rolledBack && d.base != nil && d.base.Major() > 0 && d.Class() == schema.Major && IDMajor.MatchString(d.ID)
	d.accepted = d.elsewhere && s.accepts(MajorChange, d.ID, d.Head.Version, "") != nil
	return true
}

// highest returns the highest version that a document ever had, or nil.
func (s *Step) highest(id string) *semver.Version {
	var highest *semver.Version
	if entry := s.TipLedger.Find(id); entry != nil {
		highest, _ = semver.StrictNewVersion(entry.LastVersion) // an invalid one has its own finding
	}
	for _, h := range s.past[id] {
		if highest == nil || highest.LessThan(h.number) {
			highest = h.number
		}
	}
	return highest
}

// Lowest is the lowest version that the head of a document may have, or "" if its versions
// can't be compared. Without a change, it is the version before.
func (d *Document) Lowest() string {
	switch {
	case d.head == nil:
		return ""
	case d.floor == nil:
		return compat.First(d.ID, d.head).String()
	case d.elsewhere && !d.accepted:
		return compat.Required(d.latest(), schema.Major).String()
	case d.untouched() || d.rolledBack || d.Tip != nil && d.Tip.Digest == d.Head.Digest:
		return d.Head.Version
	}
	return d.fixed().String()
}

// TooLow reports whether the version is lower than Lowest, whether or not an exception accepts
// it.
func (d *Document) TooLow() bool {
	lowest, err := semver.StrictNewVersion(d.Lowest())
	return err == nil && d.head.LessThan(lowest)
}

// fixed returns the lowest version that the head may have: that of the base, if it has the
// content and no higher version exists, or else the next one.
func (d *Document) fixed() *semver.Version {
	if d.same() && d.base.Equal(d.latest()) {
		return d.base
	}
	return d.next()
}

// untouched reports whether the branch did not change the document, so that only the
// target has moved on.
func (d *Document) untouched() bool {
	return d.same() && d.head.Equal(d.base)
}

// same reports whether the head has the content of the base. A document that comes back is
// another one to the ledger.
func (d *Document) same() bool {
	return (len(d.Bases) > 0 || d.Tip != nil) && d.Base.Content == d.Head.Content
}

// class returns the class of the required version step. Where only the ledger knows the last
// version, the words can't be compared, so its step is minor; under an ID that contains the
// major version, a step is at most minor.
func (d *Document) class() schema.Class {
	if d.Base == nil || d.elsewhere {
		return schema.Minor
	}
	return d.Class()
}

// next returns the lowest unused version that the changes may have.
func (d *Document) next() *semver.Version {
	return compat.Required(d.latest(), max(schema.Patch, d.class()))
}

// latest returns the highest version that a document has or ever had.
func (d *Document) latest() *semver.Version {
	if d.highest != nil && d.floor.LessThan(d.highest) {
		return d.highest
	}
	return d.floor
}

// enough reports whether the version makes the step that the changes require.
func (d *Document) enough() bool {
	return !d.head.LessThan(compat.Required(d.floor, d.class()))
}

// lower reports whether the version went down.
func (d *Document) lower() bool { return d.base != nil && d.head.LessThan(d.base) }

// skips reports whether a version that is high enough is new and does not directly
// follow the last one.
func (s *Step) skips(d *Document) bool {
	used := slices.ContainsFunc(s.past[d.ID], func(h *Edition) bool { return h.Version == d.Head.Version })
	return d.enough() && !used && !d.head.Equal(d.floor) && !compat.Follows(d.floor, d.head) && !compat.Follows(d.latest(), d.head)
}

// versions judges the version of a document.
func (s *Step) versions(d *Document) {
	if !s.number(d) || d.rolledBack {
		return
	}
	if d.elsewhere {
		s.add(&Verdict{
			Rule: MajorChange, Document: d, At: d.Head.IDAt, Pointer: "/" + d.Head.Kind.IDKey,
			Message: fmt.Sprintf("Publish this as %s (run `rubric fork %s`) and leave %s unchanged.",
				IDMajor.ReplaceAllString(d.ID, fmt.Sprintf("_v%d", d.base.Major()+1)), d.ID, d.ID),
			Reasons: d.reasons(), Before: d.Base,
		})
	}
	if e := s.accepts(MajorChange, d.ID, d.Head.Version, ""); d.elsewhere && (e == nil || e.Commit != "") {
		return // an exception that names a commit accepts it with the version that it has
	}
	has := func(is func(h *Edition) bool) bool { return slices.ContainsFunc(s.past[d.ID], is) }
	switch enough := d.floor == nil || d.enough(); {
	case d.lower():
		why := "Versions never go down."
		if has(func(h *Edition) bool { return h.Content == d.Head.Content && h.Version == d.Head.Version }) {
			why = fmt.Sprintf("Going back to the text of %s is a change like any other.", d.head)
		}
		s.version(VersionDown, d, d.fixed(), "Change version %s to %s: the document already reached %s. %s", d.head, d.fixed(), d.floor, why)
	case d.untouched():
	case !enough && d.Base == nil:
		s.version(VersionTooLow, d, d.next(), "Change version %s to %s: the ledger says that it ended with version %s.", d.head, d.next(), d.floor)
	case !enough && len(d.Changes) > 0:
		taken := ""
		if d.base.LessThan(d.floor) {
			taken = fmt.Sprintf(" (%s already has %s)", s.target, d.floor)
		}
		if d.Instead != nil {
			taken = fmt.Sprintf(" (%s is %s, so the changes count from %s)", d.base, s.ended(d.ID, d.Base.Version), d.Instead.Version)
		}
		s.version(VersionTooLow, d, d.next(), "Change version %s to %s%s.", d.head, d.next(), taken)
	case d.floor != nil && has(func(h *Edition) bool { return h.Version == d.Head.Version && h.Digest != d.Head.Digest }):
		s.version(VersionReused, d, d.next(), "Change version %s to %s: %s already had another text, and scores stored with it would appear to belong to this one.", d.head, d.next(), d.head)
	case s.Head.Packed || s.Settled && s.accepts(VersionSkipped, d.ID, d.Head.Version, "") == nil:
		// Another version would not help a step that is already on the main branch.
	case d.floor == nil:
		s.starts(d)
	case s.skips(d):
		s.version(VersionSkipped, d, d.fixed(), "Change version %s to %s: versions must not skip numbers, and the last version is %s.", d.head, d.fixed(), d.latest())
	}
	s.idle(d)
}

// version adds a verdict on the version of a document. required is the version to write
// instead, or nil.
func (s *Step) version(rule string, d *Document, required *semver.Version, format string, args ...any) {
	v := &Verdict{Rule: rule, Document: d, At: d.Head.VersionAt, Pointer: "/version", Before: d.before, Message: fmt.Sprintf(format, args...)}
	if rule == VersionTooLow {
		v.Reasons = d.reasons()
	}
	if required != nil {
		v.Required = required.String()
	}
	s.add(v)
}

// reasons lists the changes that require the version, unless they would quote a withdrawn text.
func (d *Document) reasons() string {
	if d.Hidden {
		return ""
	}
	return reasons(d.Changes)
}

// mostReasons is how many changes a message names.
const mostReasons = 3

// reasons lists the changes that require the version: those of the highest class.
func reasons(changes []compat.Change) string {
	class := compat.Class(changes)
	var messages []string
	for _, c := range changes {
		if c.Class == class {
			messages = append(messages, c.Message)
		}
	}
	more := ""
	if n := len(messages) - mostReasons; n > 0 {
		messages, more = messages[:mostReasons], fmt.Sprintf(" (and %d more)", n)
	}
	return strings.Join(messages, " ") + more
}

// mostAtFirst is the largest number in the versions that the first documents of a
// library bring from elsewhere. It leaves enough room to grow.
const mostAtFirst = 999_999

// copies judges the files that have the ID of another file but not its text.
func (s *Step) copies() {
	for _, u := range s.Unreadable {
		if u.Text != nil {
			s.add(&Verdict{
				Rule: VersionReused, ID: u.Text.ID, Version: u.Text.Version, At: u.Text.IDAt,
				Message: fmt.Sprintf("Remove this file, or choose another ID: %s has the same ID, and both texts are published under it.", u.Copy),
			})
		}
	}
}

// starts reports a new document that does not start at a first version.
func (s *Step) starts(d *Document) {
	firsts := compat.Firsts(d.ID)
	comesAlong := s.Founds && max(d.head.Major(), d.head.Minor(), d.head.Patch()) <= mostAtFirst
	if comesAlong || slices.ContainsFunc(firsts, d.head.Equal) {
		return
	}
	starts := firsts[0].String()
	if len(firsts) > 1 {
		starts += ", as a draft, or " + firsts[1].String()
	}
	first := compat.First(d.ID, d.head)
	s.version(VersionSkipped, d, first, "Change version %s to %s: a new document starts at %s.", d.head, first, starts)
}

// idle notes a version without a change, and a larger step than needed. A draft that
// becomes 1.0.0 is neither.
func (s *Step) idle(d *Document) {
	published := d.base != nil && d.base.Major() == 0 && d.head.String() == "1.0.0"
	if d.base == nil || d.lower() || published || !d.enough() || s.skips(d) {
		return
	}
	switch {
	case d.same() && d.highest != nil && d.base.LessThan(d.highest):
		// The version had to pass one that was used.
	case d.same() && d.base.LessThan(d.head):
		s.version(VersionIdle, d, nil, "Version %s has the same content as %s.", d.head, d.base)
	case len(d.Changes) > 0 && d.next().LessThan(d.head):
		s.version(VersionIdle, d, nil, "Version %s is a larger step than needed: %s is enough.", d.head, d.next())
	}
}
