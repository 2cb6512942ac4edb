package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// versioned is a document that the head has and that the repository has or had,
// with its versions as numbers.
type versioned struct {
	*history.Document
	head, base *semver.Version
	// floor is the version that the next one counts from: the higher of the
	// target's tip and the merge base; of a document that was gone, the highest
	// that it ever had.
	floor *semver.Version
	// before is the document that has the floor's version, where it is known.
	before *history.Edition
	// fork tells that the changes belong under another ID, and that nothing
	// accepts them under this one.
	fork bool
	// back tells that the document was gone.
	back bool
}

// eachVersioned calls a check for every document whose head can be compared with
// its past.
func eachVersioned(check func(*lint.HistoryPass, *versioned)) func(*lint.HistoryPass) {
	return func(p *lint.HistoryPass) {
		for _, d := range p.Documents {
			if v := versionedOf(p, d); v != nil {
				check(p, v)
			}
		}
	}
}

func versionedOf(p *lint.HistoryPass, d *history.Document) *versioned {
	if d.Head == nil || !d.Head.Valid() {
		return nil
	}
	v := &versioned{Document: d}
	var err error
	if v.head, err = semver.StrictNewVersion(d.Head.Version); err != nil {
		return nil
	}
	if d.Base != nil {
		if v.base, err = semver.StrictNewVersion(d.Base.Version); err != nil {
			return nil
		}
		v.floor, v.before = v.base, d.Base
	}
	if d.Tip != nil {
		tip, err := semver.StrictNewVersion(d.Tip.Version)
		if err != nil {
			return nil
		}
		if v.floor == nil || v.floor.LessThan(tip) {
			v.floor, v.before = tip, d.Tip
		}
	}
	if v.floor == nil {
		v.floor = highest(p, v.ID)
		v.back = v.floor != nil
	}
	v.fork = v.belongsElsewhere() && p.Exception("major-change", v.ID, v.head.String()) == nil
	return v
}

// belongsElsewhere tells whether the ID carries the major version and the
// changes would need another.
func (v *versioned) belongsElsewhere() bool {
	return v.base != nil && v.base.Major() > 0 && v.Class() == schema.Major && lint.IDMajor.MatchString(v.ID)
}

// highest is the highest version that a document ever had, or nil.
func highest(p *lint.HistoryPass, id string) *semver.Version {
	var versions []string
	for _, h := range p.Past[id] {
		versions = append(versions, h.Version)
	}
	if entry := p.TipLedger.Find(id); entry != nil {
		versions = append(versions, entry.LastVersion)
	}
	var highest *semver.Version
	for _, version := range versions {
		if used, err := semver.StrictNewVersion(version); err == nil && (highest == nil || highest.LessThan(used)) {
			highest = used
		}
	}
	return highest
}

// untouched tells whether the branch left the document as it was, so that only
// the target went on.
func (v *versioned) untouched() bool {
	return v.base != nil && len(v.Changes) == 0 && v.head.Equal(v.base)
}

// class is the class of the step that the version has to make. A document that
// was gone comes back with words that nobody compared; and under an ID that
// carries the major version a step is minor at most.
func (v *versioned) class() schema.Class {
	if v.back || v.belongsElsewhere() {
		return schema.Minor
	}
	return v.Class()
}

// requiredOf is the lowest version above all that were used that the changes may
// have.
func requiredOf(p *lint.HistoryPass, v *versioned) *semver.Version {
	return compat.Required(latest(p, v), max(schema.Patch, v.class()))
}

// latest is the highest version that a document has or ever had.
func latest(p *lint.HistoryPass, v *versioned) *semver.Version {
	if highest := highest(p, v.ID); highest != nil && v.floor.LessThan(highest) {
		return highest
	}
	return v.floor
}

// enough tells whether the version makes the step that the changes ask for.
func (v *versioned) enough() bool {
	return !v.head.LessThan(compat.Required(v.floor, v.class()))
}

// lower tells whether the version went down.
func (v *versioned) lower() bool {
	if v.back {
		return v.head.LessThan(v.floor)
	}
	return v.base != nil && v.head.LessThan(v.base)
}

// wasSo tells whether exactly this document was held before.
func wasSo(p *lint.HistoryPass, v *versioned) bool {
	return slices.ContainsFunc(p.Past[v.ID], func(h history.Holding) bool { return h.Digest == v.Head.Digest })
}

func reportVersion(p *lint.HistoryPass, v *versioned, fixed *semver.Version, format string, args ...any) {
	var fix *source.Fix
	if fixed != nil {
		fix = &source.Fix{
			Message: fmt.Sprintf("write version %q", fixed),
			Edits:   []source.Edit{{Span: v.Head.VersionSpan, Text: fmt.Sprintf("%q", fixed.String())}},
		}
	}
	var related []lint.Related
	if v.before != nil {
		related = append(related, lint.Related{Location: v.before.VersionAt, Message: "the version before"})
	}
	p.Report(v.Document, v.Head.VersionAt, "/version", fix, related, format, args...)
}

func tooLow(p *lint.HistoryPass, v *versioned) {
	switch {
	case v.floor == nil || v.fork || v.lower() || v.enough() || v.untouched():
	case v.back && !wasSo(p, v):
		reportVersion(p, v, requiredOf(p, v), "Change version %s to %s: %s is the last that this document had before it was gone.", v.head, requiredOf(p, v), v.floor)
	case len(v.Changes) > 0:
		taken := ""
		if v.base.LessThan(v.floor) {
			taken = fmt.Sprintf(" (%s has %s already)", p.Target, v.floor)
		}
		reportVersion(p, v, requiredOf(p, v), "Change version %s to %s%s. %s", v.head, requiredOf(p, v), taken, reasons(v.Changes))
	}
}

// mostReasons is how many changes a message names.
const mostReasons = 3

// reasons names the changes that ask for the version, those of the highest
// class.
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

func goesDown(p *lint.HistoryPass, v *versioned) {
	if !v.lower() || v.fork {
		return
	}
	why := "A version never goes down."
	if old := sameContent(p, v); old != "" {
		why = fmt.Sprintf("The text is that of %s again, and going back is a change like any other.", old)
	}
	reportVersion(p, v, requiredOf(p, v), "Change version %s to %s: %s was reached already. %s", v.head, requiredOf(p, v), v.floor, why)
}

// sameContent is the version in the past that had the content and the version of
// the head, or "".
func sameContent(p *lint.HistoryPass, v *versioned) string {
	for _, h := range p.Past[v.ID] {
		if h.Content == v.Head.Content && h.Version == v.head.String() {
			return h.Version
		}
	}
	return ""
}

func reused(p *lint.HistoryPass, v *versioned) {
	if v.floor == nil || v.untouched() || v.lower() || v.fork || !v.enough() && (v.back || len(v.Changes) > 0) {
		return // another lint rule says which version to write
	}
	for _, h := range p.Past[v.ID] {
		if h.Version == v.head.String() && h.Digest != v.Head.Digest {
			reportVersion(p, v, requiredOf(p, v), "Change version %s to %s: %s had another text before, and scores that were stored with it would seem to be of this one.", v.head, requiredOf(p, v), v.head)
			return
		}
	}
}

func majorChange(p *lint.HistoryPass, v *versioned) {
	if !v.belongsElsewhere() {
		return
	}
	next := lint.IDMajor.ReplaceAllString(v.ID, fmt.Sprintf("_v%d", v.base.Major()+1))
	p.Report(v.Document, v.Head.IDAt, "/"+v.Head.Kind.IDKey, nil,
		[]lint.Related{{Location: v.Base.VersionAt, Message: "the version before"}},
		"Publish this as %s (`rubric fork %s` makes it) and leave %s as it was. %s", next, v.ID, v.ID, reasons(v.Changes))
}

// idle notes a version without a change, and a larger step than is needed. That
// a draft becomes 1.0.0 is neither.
func idle(p *lint.HistoryPass, v *versioned) {
	published := v.base != nil && v.base.Major() == 0 && v.head.String() == "1.0.0"
	if v.base == nil || v.lower() || v.fork || published || !v.enough() || skips(p, v) {
		return
	}
	required, highest := requiredOf(p, v), highest(p, v.ID)
	switch {
	case len(v.Changes) == 0 && highest != nil && v.base.LessThan(highest):
		// The version had to pass one that was used.
	case len(v.Changes) == 0 && v.base.LessThan(v.head):
		reportVersion(p, v, nil, "Version %s says the same as %s.", v.head, v.base)
	case len(v.Changes) > 0 && required.LessThan(v.head):
		reportVersion(p, v, nil, "Version %s is a larger step than is needed: %s would do.", v.head, required)
	}
}
