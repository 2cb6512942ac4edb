package diff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// Status is the kind of difference of a document.
type Status string

// The statuses. Moved means that only the path differs. Unchanged means that the file
// differs in layout or comments only, or that only an earlier step is wrong.
const (
	Added     Status = "added"
	Removed   Status = "removed"
	Modified  Status = "modified"
	Moved     Status = "moved"
	Unchanged Status = "unchanged"
)

// The kinds of the only change of a document that can't be compared, and of one that was
// removed, unless the ledger or an exception of the head lists it.
const (
	Unreadable compat.Kind = "unreadable"
	Gone       compat.Kind = "gone"
)

// Comparison is a comparison of two libraries.
type Comparison struct {
	*change.Step
	// Why says why the target was chosen, or is "" if it was requested.
	Why string
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
	// Fits reports whether every step fits its version, or whether the removal of the
	// document is recorded. An unreadable document never fits.
	Fits bool
	// Fork is the ID under which to publish the changes, because the current ID
	// contains the major version, or "".
	Fork string
	// Advice says what to do if the document does not fit and the version alone does
	// not say it, or is "".
	Advice string
	// Accepted are the reasons for which exceptions accept its steps.
	Accepted []string
	Changes  []Change
	// Base and Head are both sides, or nil if a side does not have the document or
	// can't be read.
	Base, Head *document.Document
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

// Of describes a judgment of texts for a reader.
func Of(j *change.Judgment) (*Comparison, error) {
	c := &Comparison{Step: j.Whole}
	for _, d := range j.Whole.Documents {
		if shown, ok := c.document(d); ok {
			c.Documents = append(c.Documents, shown)
		}
	}
	for _, u := range j.Whole.Unreadable {
		if u.InBase {
			c.unreadableBase(u.Path)
		} else {
			c.Documents = append(c.Documents, c.unreadable(u))
		}
	}
	for _, s := range append(slices.Clone(j.Earlier), j.Last) {
		for _, v := range s.Verdicts {
			c.judge(s, v)
		}
	}
	slices.SortFunc(c.Documents, func(a, b Document) int {
		return cmp.Or(
			cmp.Compare(rank(b.Class), rank(a.Class)),
			cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.HeadPath, b.HeadPath),
			cmp.Compare(a.BasePath, b.BasePath),
		)
	})
	return c, nil
}

// rank orders the unknown class above all others.
func rank(c schema.Class) schema.Class {
	if c == 0 {
		return schema.Major + 1
	}
	return c
}

// document describes a document. It is not shown if it differs only from the tip.
func (c *Comparison) document(d *change.Document) (out Document, ok bool) {
	out = Document{ID: d.ID, Fits: true}
	known := d.Head
	if d.Head == nil || d.Head.Kind == nil {
		known = c.Known(d.ID)
	}
	if known != nil && known.Kind != nil {
		out.Kind = known.Kind.Name
	}
	var base *change.Edition
	if len(d.Bases) > 0 {
		base = cmp.Or(d.Base, d.Bases[0])
	}
	if base != nil {
		out.BasePath, out.BaseVersion, out.Base = base.Path, base.Version, base.Doc
	}
	switch {
	case d.Head == nil && base == nil:
		return out, false
	case d.Head == nil:
		out.Status, out.Class = Removed, schema.Major
		return out, true
	case !d.Head.Valid():
		out.HeadPath, out.HeadVersion = d.Head.Path, d.Head.Version
		out.Status, out.Fits = Modified, false
		if base == nil {
			out.Status = Added
		}
		out.Changes = []Change{invalid(d.Head.Doc, c.Head.Commit.Hash)}
		return out, true
	}
	out.HeadPath, out.HeadVersion, out.Head = d.Head.Path, d.Head.Version, d.Head.Doc
	if c.Head.Packed || c.Tip.Packed {
		out.BasePath = out.HeadPath // a path in a bundle is not a move
	}
	if base == nil {
		out.Status, out.Class, out.BasePath = Added, schema.Minor, ""
		return out, true
	}
	out.Class, out.Required, out.Fork = d.Class(), d.Lowest(), d.Fork()
	switch {
	case len(d.Changes) > 0 || out.BaseVersion != out.HeadVersion:
		out.Status = Modified
	case out.BasePath != out.HeadPath:
		out.Status = Moved
	default:
		out.Status = Unchanged
	}
	for i := range d.Changes {
		one := &d.Changes[i]
		out.Changes = append(out.Changes, Change{
			Kind: one.Kind, Path: one.Path, Class: one.Class, Message: one.Message,
			Base: valueOf(base, one.Base), Head: valueOf(d.Head, one.Head),
		})
	}
	return out, d.Touched() || len(d.Bases) < len(c.Bases)
}

func valueOf(e *change.Edition, v *compat.Value) *Value {
	if v == nil {
		return nil
	}
	return &Value{Text: v.Text, Revision: e.Commit.Hash, File: e.Path, Position: e.Doc.File.Position(v.Span.Start)}
}

// invalid is the first error of a document.
func invalid(d *document.Document, revision string) Change {
	problems := d.Blocking()
	more := ""
	if len(problems) > 1 {
		more = fmt.Sprintf(" `rubric lint` shows all %d errors.", len(problems))
	}
	return Change{
		Kind: Unreadable, Message: "Fix this error to compare the file: " + problems[0].Message + more,
		Head: &Value{Revision: revision, File: d.File.Path, Position: d.File.Position(problems[0].Span.Start)},
	}
}

// unreadableBase describes a file of the base that can't be compared, with what the head has
// at its path.
func (c *Comparison) unreadableBase(name string) {
	d := Document{Status: Removed, BasePath: name}
	if at := slices.IndexFunc(c.Documents, func(d Document) bool { return d.HeadPath == name && d.Base == nil }); at >= 0 {
		d = c.Documents[at]
		c.Documents = slices.Delete(c.Documents, at, at+1)
		d.Status, d.BasePath, d.Class, d.Fits, d.Required = Modified, name, 0, false, ""
	} else if c.Head.Hash(name) != "" {
		d.Status, d.HeadPath = Modified, name
	}
	one := Change{Kind: Unreadable}
	content, err := c.Tip.Current(name)
	if err == nil {
		one = invalid(content, c.Tip.Commit.Hash)
		one.Base, one.Head = one.Head, nil
		d.ID, d.BaseVersion = cmp.Or(d.ID, content.ID()), content.Version()
	} else {
		one.Base = &Value{File: name, Position: source.Position{Line: 1, Column: 1}}
		one.Message = fmt.Sprintf("The file can't be read: %v.", err)
	}
	if d.Changes = []Change{one}; d.Status == Removed {
		d.Class = schema.Major
		d.Changes = []Change{c.gone(cmp.Or(d.ID, name), one.Base)}
	}
	c.Documents = append(c.Documents, d)
}

// unreadable describes a file of the head that can't be compared.
func (c *Comparison) unreadable(u *change.Unreadable) Document {
	name := u.Path
	d := Document{Status: Added, HeadPath: name}
	if u.Base != nil {
		d.ID, d.Kind, d.Status = u.Base.ID, u.Base.Kind.Name, Modified
		d.BasePath, d.BaseVersion, d.Base = u.Base.Path, u.Base.Version, u.Base.Doc
	}
	at := &Value{Revision: c.Head.Commit.Hash, File: name, Position: source.Position{Line: 1, Column: 1}}
	content, err := c.Head.Current(name)
	_, unread := c.Head.File(name)
	switch {
	case u.Copy != "" && err == nil:
		d.ID, d.Kind, d.HeadVersion = content.ID(), content.Kind.Name, content.Version()
		d.Changes = []Change{{Kind: Unreadable, Head: at, Message: fmt.Sprintf("Choose another ID: %s also has the ID %s, so references to it are ambiguous.", u.Copy, schema.Quote(d.ID))}}
	case change.IsNoFile(unread):
		d.Changes = []Change{{Kind: Unreadable, Head: at, Message: fmt.Sprintf("The document can't be read: %v. Replace it with the file itself.", unread)}}
	case err != nil:
		d.Changes = []Change{{Kind: Unreadable, Head: at, Message: fmt.Sprintf("The file can't be read: %v.", err)}}
	default:
		d.HeadVersion = content.Version()
		if content.Kind != nil {
			d.Kind = content.Kind.Name
		}
		d.Changes = []Change{invalid(content, c.Head.Commit.Hash)}
	}
	return d
}

// judge adds a verdict on a step to the document that it is about.
func (c *Comparison) judge(s *change.Step, v *change.Verdict) {
	if v.Rule == change.VersionIdle {
		return
	}
	at := slices.IndexFunc(c.Documents, func(d Document) bool { return d.ID == v.ID })
	if at < 0 {
		d := Document{ID: v.ID, Status: Unchanged, Class: schema.None, Fits: true, BaseVersion: v.Version, HeadVersion: v.Version, HeadPath: v.At.File}
		c.Documents, at = append(c.Documents, d), len(c.Documents)
	}
	d := &c.Documents[at]
	if v.Accepted != nil {
		if !slices.Contains(d.Accepted, v.Accepted.Reason) {
			d.Accepted = append(d.Accepted, v.Accepted.Reason)
		}
		return
	}
	first := d.Fits
	d.Fits = false
	switch {
	case !first:
	case v.Rule == change.DocumentGone && s.Commit == "" && d.Status == Removed:
		d.Changes = []Change{c.gone(d.ID, &Value{Text: d.ID, Revision: v.Was.Commit.Hash, File: v.Was.Path, Position: v.Was.IDAt.Start})}
	case s.Commit != "":
		d.Advice = fmt.Sprintf("At commit %.12s: %s", s.Commit, v.Message)
	case v.Required == "" && v.Rule != change.MajorChange:
		d.Advice = v.Message
	}
	if v.Required != "" && s.Commit == "" {
		d.Required = v.Required
	}
}

// gone says that a document was removed without an entry in the ledger.
func (c *Comparison) gone(name string, at *Value) Change {
	missing, retire := lib.LedgerFile+" has no entry for it", ""
	if c.LedgerHidden != "" {
		missing = c.LedgerHidden
	}
	if at.Text != "" {
		retire = fmt.Sprintf(", or retire the document with `rubric retire %s`", at.Text)
	}
	return Change{
		Kind: Gone, Base: at,
		Message: fmt.Sprintf("%s is removed, but consumers may still use it: %s. Restore the file%s.", name, missing, retire),
	}
}
