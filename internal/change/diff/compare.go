package diff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document/schema"
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
	// Evidence are the changes of recorded evidence of calibration.
	Evidence []*change.Verdict
}

// Fits reports whether every document fits, and no recorded evidence changed without an exception.
func (c *Comparison) Fits() bool {
	return !slices.ContainsFunc(c.Documents, func(d Document) bool { return !d.Fits }) && !slices.ContainsFunc(c.Evidence, (*change.Verdict).Fails)
}

// Document is a document whose file differs.
type Document struct {
	// ID is the ID in the file, or "" if it is unknown.
	ID     string
	Status Status
	// Base and Head are both sides. A side that does not have the document has no path,
	// and one that can't be compared is not valid.
	Base, Head change.Edition
	// Class is the highest class of the changes. It is minor for an added document,
	// major for a removed one, and 0 if a side can't be read.
	Class schema.Class
	// Required is the lowest version that fits, or "" if the document is new or a
	// side can't be read. TooLow says that the version is lower.
	Required string
	TooLow   bool
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
	Changes  []compat.Change
}

// Unreadable reports whether a side of the document can't be read.
func (d *Document) Unreadable() bool { return d.Class == 0 }

// Of describes a judgment of texts for a reader.
func Of(j *change.Judgment) *Comparison {
	c := &Comparison{Step: j.Whole, Why: j.Base.Why}
	for _, d := range j.Whole.Documents {
		c.document(d)
	}
	for _, u := range j.Whole.Unreadable {
		if u.InBase {
			c.unreadableBase(u.Path)
		} else {
			c.unreadable(u)
		}
	}
	steps := append(slices.Clone(j.Earlier), j.Last)
	if j.OnlyApart {
		steps = append(steps, j.Apart...)
	}
	for _, s := range steps {
		for _, v := range s.Verdicts {
			c.judge(s, v)
		}
	}
	slices.SortFunc(c.Documents, func(a, b Document) int {
		return cmp.Or(
			cmp.Compare(rank(b.Class), rank(a.Class)),
			cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Head.Path, b.Head.Path),
			cmp.Compare(a.Base.Path, b.Base.Path),
		)
	})
	return c
}

// rank orders the unknown class above all others.
func rank(c schema.Class) schema.Class {
	if c == 0 {
		return schema.Major + 1
	}
	return c
}

// document adds a document, unless it differs only from the tip.
func (c *Comparison) document(d *change.Document) {
	out := Document{ID: d.ID, Status: Added, Class: schema.Minor, Fits: true}
	var base *change.Edition
	if len(d.Bases) > 0 {
		base = cmp.Or(d.Instead, d.Base, d.Bases[0])
		out.Base = *base
	}
	if d.Head != nil {
		out.Head = *d.Head
	}
	switch {
	case d.Head == nil && base == nil, d.Head != nil && !d.Touched() && len(d.Bases) == len(c.Bases):
		return
	case d.Head == nil:
		out.Status, out.Class = Removed, schema.Major
	case !d.Head.Valid():
		c.unreadable(&change.Unreadable{Path: d.Head.Path, Base: base})
		return
	case base != nil:
		if c.Head.Packed || c.Tip.Packed {
			out.Base.Path = out.Head.Path // a path in a bundle is not a move
		}
		out.Class, out.Fork, out.Changes = d.Class(), d.Fork(), d.Changes
		out.Required, out.TooLow = d.Lowest(), d.TooLow()
		out.Status = out.modified()
	}
	c.Documents = append(c.Documents, out)
}

func (d *Document) modified() Status {
	switch {
	case len(d.Changes) > 0 || d.Base.Version != d.Head.Version:
		return Modified
	case d.Base.Path != d.Head.Path:
		return Moved
	}
	return Unchanged
}

// unread returns the edition of a file that can't be compared, and its only change, with the
// reason on the side of the head. first is the file that has the same ID, or "".
func unread(l *change.Library, name, first string) (change.Edition, compat.Change) {
	e := change.Edition{Path: name, Commit: l.Commit}
	one := compat.Change{Kind: Unreadable, Head: &compat.Value{}}
	d, err := l.Current(name)
	_, link := l.File(name)
	switch {
	case change.IsNoFile(link):
		one.Message = fmt.Sprintf("The document can't be read: %v. Replace it with the file itself.", link)
		return e, one
	case err != nil:
		one.Message = fmt.Sprintf("The file can't be read: %v.", err)
		return e, one
	}
	e.Doc, e.ID, e.Version, e.Kind = d, d.ID(), d.Version(), d.Kind
	if first != "" {
		one.Message = fmt.Sprintf("Choose another ID: %s also has the ID %s, so references to it are ambiguous.", first, schema.Quote(e.ID))
		return e, one
	}
	problems := d.Blocking()
	one.Head.Span, one.Message = problems[0].Span, "Fix this error to compare the file: "+problems[0].Message
	if len(problems) > 1 {
		one.Message += fmt.Sprintf(" `rubric lint` shows all %d errors.", len(problems))
	}
	return e, one
}

// unreadable adds a file of the head that can't be compared.
func (c *Comparison) unreadable(u *change.Unreadable) {
	e, one := unread(c.Head, u.Path, u.Copy)
	d := Document{ID: e.ID, Status: Added, Head: e, Changes: []compat.Change{one}}
	if u.Base != nil {
		d.ID, d.Status, d.Base = u.Base.ID, Modified, *u.Base
	}
	c.Documents = append(c.Documents, d)
}

// unreadableBase adds a file of the base that can't be compared, with what the head has at
// its path.
func (c *Comparison) unreadableBase(name string) {
	e, one := unread(c.Tip, name, "")
	one.Base, one.Head = one.Head, nil
	d := Document{Status: Removed, Class: schema.Major}
	if at := slices.IndexFunc(c.Documents, func(d Document) bool { return d.Head.Path == name && d.Base.Path == "" }); at >= 0 {
		d = c.Documents[at]
		c.Documents = slices.Delete(c.Documents, at, at+1)
		d.Status, d.Class, d.Fits, d.Required = Modified, 0, false, ""
	} else if c.Head.Hash(name) != "" {
		d.Status, d.Class, d.Head.Path = Modified, 0, name
	}
	if d.ID, d.Base = cmp.Or(d.ID, e.ID), e; d.Status == Removed {
		one = c.gone(cmp.Or(d.ID, name), one.Base)
	}
	d.Changes = []compat.Change{one}
	c.Documents = append(c.Documents, d)
}

// judge adds a verdict on a step to the document that it is about.
func (c *Comparison) judge(s *change.Step, v *change.Verdict) {
	switch {
	case v.Rule == change.VersionIdle:
		return
	case v.Item != "":
		c.Evidence = append(c.Evidence, v)
		return
	}
	at := slices.IndexFunc(c.Documents, func(d Document) bool { return d.ID == v.ID })
	if at < 0 {
		d := Document{ID: v.ID, Status: Unchanged, Class: schema.None, Fits: true}
		d.Base.Version, d.Head.Version, d.Head.Path = v.Version, v.Version, v.At.File
		c.Documents, at = append(c.Documents, d), len(c.Documents)
	}
	d := &c.Documents[at]
	if v.Accepted != nil {
		if !slices.Contains(d.Accepted, v.Accepted.Reason) {
			d.Accepted = append(d.Accepted, v.Accepted.Reason)
		}
		if v.Required != "" && s.Commit == "" {
			d.Required = d.Head.Version
		}
		return
	}
	first := d.Fits
	d.Fits = false
	switch {
	case !first:
	case v.Rule == change.DocumentGone && s.Commit == "" && d.Status == Removed:
		d.Base.Doc, d.Base.Commit = v.Was.Doc, v.Was.Commit // the step removed this one
		id := v.Was.Doc.Root().Get(v.Was.Kind.IDKey)
		d.Changes = []compat.Change{c.gone(d.ID, &compat.Value{Text: d.ID, Span: id.Span})}
	case s.Commit != "":
		d.Advice = fmt.Sprintf("At commit %.12s: %s", s.Commit, v.Message)
	case v.Rule == change.MajorChange: // as a whole, the changes may be those of a draft
		d.Fork, d.Required = v.Document.Fork(), v.Document.Lowest()
	case v.Required == "":
		d.Advice = v.Message
	}
	if v.Required != "" && s.Commit == "" {
		d.Required = v.Required
	}
}

// gone says that a document was removed without an entry in the ledger. at has the ID, if it
// is known.
func (c *Comparison) gone(name string, at *compat.Value) compat.Change {
	missing, retire := lib.LedgerFile+" has no entry for it", ""
	if c.LedgerHidden != "" {
		missing = c.LedgerHidden
	}
	if at.Text != "" {
		retire = fmt.Sprintf(", or retire the document with `rubric retire %s`", at.Text)
	}
	return compat.Change{
		Kind: Gone, Base: at,
		Message: fmt.Sprintf("%s is removed, but consumers may still use it: %s. Restore the file%s.", name, missing, retire),
	}
}
