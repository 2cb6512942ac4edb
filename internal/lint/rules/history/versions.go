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
	// target's tip and the merge base, or the highest version ever of a document
	// that had been removed.
	floor *semver.Version
	// before is the document that has the floor's version, where it is known.
	before *history.Edition
	// fork says that the changes belong under another ID and that no exception
	// accepts them under this one.
	fork bool
	// back says that the document had been removed.
	back bool
}

// eachVersioned runs a check on every document whose head can be compared with its
// past.
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

// belongsElsewhere reports whether the ID contains the major version and the changes
// need another one.
func (v *versioned) belongsElsewhere() bool {
	return v.base != nil && v.base.Major() > 0 && v.Class() == schema.Major && lint.IDMajor.MatchString(v.ID)
}

// highest returns the highest version that a document ever had, or nil.
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

// untouched reports whether the branch did not change the document, so that only the
// target has moved on.
func (v *versioned) untouched() bool {
	return v.base != nil && len(v.Changes) == 0 && v.head.Equal(v.base)
}

// class returns the class of the required version step. The words of a restored
// document were not compared, so its step is minor; under an ID that contains the major
// version, a step is at most minor.
func (v *versioned) class() schema.Class {
	if v.back || v.belongsElsewhere() {
		return schema.Minor
	}
	return v.Class()
}

// requiredOf returns the lowest unused version that the changes may have.
func requiredOf(p *lint.HistoryPass, v *versioned) *semver.Version {
	return compat.Required(latest(p, v), max(schema.Patch, v.class()))
}

// latest returns the highest version that a document has or ever had.
func latest(p *lint.HistoryPass, v *versioned) *semver.Version {
	if highest := highest(p, v.ID); highest != nil && v.floor.LessThan(highest) {
		return highest
	}
	return v.floor
}

// enough reports whether the version makes the step that the changes require.
func (v *versioned) enough() bool {
	return !v.head.LessThan(compat.Required(v.floor, v.class()))
}

// lower reports whether the version went down.
func (v *versioned) lower() bool {
	if v.back {
		return v.head.LessThan(v.floor)
	}
	return v.base != nil && v.head.LessThan(v.base)
}

func reportVersion(p *lint.HistoryPass, v *versioned, fixed *semver.Version, format string, args ...any) {
	var fix *source.Fix
	if fixed != nil && !lint.LosesVersion(v.Head.VersionAt.File, v.ID) {
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
	wasSo := func(h history.Holding) bool { return h.Digest == v.Head.Digest }
	switch {
	case v.floor == nil || v.fork || v.lower() || v.enough() || v.untouched():
	case v.back && !slices.ContainsFunc(p.Past[v.ID], wasSo):
		reportVersion(p, v, requiredOf(p, v), "Change version %s to %s: this document had version %s when it was removed.", v.head, requiredOf(p, v), v.floor)
	case len(v.Changes) > 0:
		taken := ""
		if v.base.LessThan(v.floor) {
			taken = fmt.Sprintf(" (%s already has %s)", p.Target, v.floor)
		}
		reportVersion(p, v, requiredOf(p, v), "Change version %s to %s%s. %s", v.head, requiredOf(p, v), taken, reasons(v.Changes))
	}
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

func goesDown(p *lint.HistoryPass, v *versioned) {
	if !v.lower() || v.fork {
		return
	}
	why := "Versions never go down."
	wasSo := func(h history.Holding) bool { return h.Content == v.Head.Content && h.Version == v.head.String() }
	if slices.ContainsFunc(p.Past[v.ID], wasSo) {
		why = fmt.Sprintf("Going back to the text of %s is a change like any other.", v.head)
	}
	reportVersion(p, v, requiredOf(p, v), "Change version %s to %s: the document already reached %s. %s", v.head, requiredOf(p, v), v.floor, why)
}

func reused(p *lint.HistoryPass, v *versioned) {
	if v.floor == nil || v.untouched() || v.lower() || v.fork || !v.enough() && (v.back || len(v.Changes) > 0) {
		return // another lint rule reports the version to write
	}
	for _, h := range p.Past[v.ID] {
		if h.Version == v.head.String() && h.Digest != v.Head.Digest {
			reportVersion(p, v, requiredOf(p, v), "Change version %s to %s: %s already had another text, and scores stored with it would appear to belong to this one.", v.head, requiredOf(p, v), v.head)
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
		"Publish this as %s (run `rubric fork %s`) and leave %s unchanged. %s", next, v.ID, v.ID, reasons(v.Changes))
}

// idle notes a version without a change, and a larger step than needed. A draft that
// becomes 1.0.0 is neither.
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
		reportVersion(p, v, nil, "Version %s has the same content as %s.", v.head, v.base)
	case len(v.Changes) > 0 && required.LessThan(v.head):
		reportVersion(p, v, nil, "Version %s is a larger step than needed: %s is enough.", v.head, required)
	}
}
