package diff

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// Status is the kind of difference of a document.
type Status string

// The statuses. Moved means that only the path differs. Unchanged means that the file
// differs in layout or comments only.
const (
	Added     Status = "added"
	Removed   Status = "removed"
	Modified  Status = "modified"
	Moved     Status = "moved"
	Unchanged Status = "unchanged"
)

// Unreadable is the kind of the only change of a document that can't be
// compared.
const Unreadable compat.Kind = "unreadable"

// Comparison is a comparison of two libraries.
type Comparison struct {
	// Before are the libraries that changes are relative to: one, or several if a
	// branch and its target have several merge bases.
	Before []*Library
	// Tip is the library whose versions the next versions must follow. Unless a
	// branch is compared with its target, it is the library of Before.
	Tip *Library
	// Why says why Tip was chosen, or is "" if it was requested.
	Why  string
	Head *Library
	// Documents are those whose files differ: unreadable ones first, then by class,
	// the highest first, then by ID.
	Documents []Document
}

// Document is a document whose file differs.
type Document struct {
	// ID is the ID in the file, or "" if it is unknown.
	ID string
	// Kind is the name of its kind, or "" if it is unknown.
	Kind   string
	Status Status
	// BasePath and HeadPath are its files, or "" if a side does not have it. So are
	// the versions.
	BasePath, HeadPath       string
	BaseVersion, HeadVersion string
	// Class is the highest class of the changes. It is minor for an added document,
	// major for a removed one, and 0 if a side can't be read.
	Class schema.Class
	// Required is the lowest version that fits, or "" if the document is new or a
	// side can't be read.
	Required string
	// Fits reports whether the version in the head is high enough and skips no
	// number, or whether the removal of the document is recorded. An unreadable
	// document never fits.
	Fits bool
	// Fork is the ID under which to publish the changes, because the current ID
	// contains the major version, or "".
	Fork    string
	Changes []Change
	// Base and Head are both sides, or nil if a side does not have the document or
	// can't be read.
	Base, Head *document.Document

	// floor has the version that the next one must follow; nil for a new document.
	floor *document.Document
	// skips reports whether the version in the head is high enough but not the next.
	skips bool
}

// Unreadable reports whether a side of the document can't be read.
func (d *Document) Unreadable() bool { return d.Class == 0 }

// Change is a change of a document.
type Change struct {
	Kind    compat.Kind  `json:"kind"`
	Path    string       `json:"path"` // names elements: "criteria[clarity].threshold"
	Class   schema.Class `json:"class"`
	Base    *Value       `json:"base"` // nil if this side has no value
	Head    *Value       `json:"head"`
	Message string       `json:"message"`
}

// Value is one side of a change.
type Value struct {
	Text string `json:"value"`
	// Revision is the hash of its commit, or "" in a folder.
	Revision string `json:"revision"`
	File     string `json:"file"`
	source.Position
}

// Compare compares a head with the libraries before it. The tip can be one of them.
func Compare(before []*Library, tip, head *Library) (*Comparison, error) {
	c := &Comparison{Before: before, Tip: tip, Head: head}
	taken := map[string]*pair{}
	if !slices.Contains(before, tip) {
		var err error
		if taken, err = match(tip, head); err != nil {
			return nil, err
		}
	}
	found := map[string]Document{}
	for _, base := range before {
		pairs, err := match(base, head)
		if err != nil {
			return nil, err
		}
		for key, p := range pairs {
			var tip *file
			if t := taken[key]; t != nil && t.head == p.head {
				tip = t.base
			}
			d := p.document(tip)
			if d.Status == Removed {
				if err := c.removed(&d, p.base, tip); err != nil {
					return nil, err
				}
			}
			if other, ok := found[key]; !ok || d.outranks(&other) {
				found[key] = d
			}
		}
	}
	for _, d := range found {
		c.Documents = append(c.Documents, d)
	}
	slices.SortFunc(c.Documents, func(a, b Document) int {
		return cmp.Or(
			cmp.Compare(rank(b.Class), rank(a.Class)),
			cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.HeadPath, b.HeadPath),
			cmp.Compare(a.BasePath, b.BasePath),
		)
	})
	return c, c.skipped()
}

// outranks reports whether one comparison of a document takes precedence over
// another: a higher class does, and a change does over an addition.
func (d *Document) outranks(other *Document) bool {
	if (d.BasePath == "") != (other.BasePath == "") {
		return d.BasePath != ""
	}
	return rank(d.Class) > rank(other.Class)
}

// rank orders the unknown class above all others.
func rank(c schema.Class) schema.Class {
	if c == 0 {
		return schema.Major + 1
	}
	return c
}

// document compares both sides. tip is the document at the target's tip, or nil if it
// is absent or equal to the base.
func (p *pair) document(tip *file) Document {
	var d Document
	for _, f := range []*file{p.base, p.head} {
		if f != nil && f.id() != "" {
			d.ID, d.Kind = f.id(), f.doc.Kind.Name
		}
	}
	if p.base != nil {
		d.BasePath, d.BaseVersion, d.Base = p.base.path, p.base.version(), p.base.readable()
	}
	if p.head != nil {
		d.HeadPath, d.HeadVersion, d.Head = p.head.path, p.head.version(), p.head.readable()
	}
	if p.base != nil && p.head != nil && (p.base.packed || p.head.packed) {
		d.BasePath = d.HeadPath // a path in a bundle is not a move
	}
	switch {
	case p.head == nil:
		d.Status, d.Class = Removed, schema.Major
	case p.head.problem != "" || p.base != nil && p.base.problem != "":
		p.unreadable(&d)
	case p.base == nil:
		d.Status, d.Class = Added, schema.Minor
		d.require(nil, tip, p.head.doc)
	default:
		p.compare(&d)
		d.require(p.base.doc, tip, p.head.doc)
	}
	return d
}

func (p *pair) unreadable(d *Document) {
	d.Status = Modified
	if p.base == nil {
		d.Status = Added
	}
	c := Change{Kind: Unreadable}
	for _, side := range []struct {
		f *file
		v **Value
	}{{p.base, &c.Base}, {p.head, &c.Head}} {
		if side.f != nil && side.f.problem != "" {
			*side.v = &Value{Revision: side.f.revision, File: side.f.path, Position: side.f.at}
			c.Message = side.f.problem
		}
	}
	d.Changes = []Change{c}
}

func (p *pair) compare(d *Document) {
	changes := compat.Compare(p.base.doc, p.head.doc)
	d.Class = compat.Class(changes)
	switch {
	case len(changes) > 0 || d.BaseVersion != d.HeadVersion:
		d.Status = Modified
	case d.BasePath != d.HeadPath:
		d.Status = Moved
	default:
		d.Status = Unchanged
	}
	for i := range changes {
		c := &changes[i]
		d.Changes = append(d.Changes, Change{
			Kind: c.Kind, Path: c.Path, Class: c.Class, Message: c.Message,
			Base: p.base.value(c.Base), Head: p.head.value(c.Head),
		})
	}
}

func (f *file) version() string {
	if f.doc == nil {
		return ""
	}
	return f.doc.Version()
}

func (f *file) value(v *compat.Value) *Value {
	if v == nil {
		return nil
	}
	return &Value{Text: v.Text, Revision: f.revision, File: f.path, Position: f.doc.File.Position(v.Span.Start)}
}

// require sets the version that the head needs. It follows the version of the base,
// or of the tip if that is higher.
func (d *Document) require(base *document.Document, tip *file, head *document.Document) {
	floor := base
	equal := func(a, b *document.Document) bool {
		return a.Kind == b.Kind && a.Version() == b.Version() && bytes.Equal(compat.Content(a), compat.Content(b))
	}
	if tip != nil && tip.problem == "" && !equal(tip.doc, head) && (base == nil || version(base).LessThan(version(tip.doc))) {
		floor = tip.doc
	}
	class := d.Class
	switch {
	case floor == nil:
		d.Fits, d.skips = true, tip == nil && skips(nil, head)
		return
	case base == nil:
		class = compat.Class(compat.Compare(floor, head))
	case class == schema.None && version(head).Equal(version(base)):
		floor = base // the branch did not change it
	}
	if class == schema.None && floor != base && version(head).Equal(version(floor)) {
		class = schema.Patch // the tip has other content under this version
	}
	required := compat.Required(version(floor), class)
	d.Required, d.Fits = required.String(), !version(head).LessThan(required)
	d.floor, d.skips = floor, d.Fits && skips(floor, head)
	if base != nil && class == schema.Major && version(base).Major() > 0 && lint.IDMajor.MatchString(d.ID) {
		d.Fork = lint.IDMajor.ReplaceAllString(d.ID, fmt.Sprintf("_v%d", version(base).Major()+1))
		d.Fits = false
	}
}

func version(d *document.Document) *semver.Version { return semver.MustParse(d.Version()) }
