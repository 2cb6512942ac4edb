package diff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/comparison"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/render"
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

// The kinds of the only change of a document that can't be compared; of one that was removed,
// unless the ledger or an exception of the head lists it; and of one whose version before is
// withdrawn, so that its changes are not shown.
const (
	Unreadable compat.ChangeKind = "unreadable"
	Gone       compat.ChangeKind = "gone"
	Hidden     compat.ChangeKind = "hidden"
)

// Comparison is a comparison of two libraries.
type Comparison struct {
	*change.Step
	// Base is what was compared. Its Why is "" if that was requested.
	Base change.Base
	// Documents are those whose files differ: unreadable ones first, then by class,
	// the highest first, then by ID.
	Documents []DocumentDiff
	// Evidence are the changes of recorded evidence of calibration.
	Evidence []Evidence
}

// Fits reports whether every document fits, and no recorded evidence changed without an exception.
func (c *Comparison) Fits() bool {
	fails := func(d DocumentDiff) bool { return !d.Fits }
	return !slices.ContainsFunc(c.Documents, fails) && !slices.ContainsFunc(c.Evidence, Evidence.Fails)
}

// IsSame reports whether nothing differs that a reader of the change wants to know.
func (c *Comparison) IsSame() bool {
	return len(c.Documents)+len(c.Evidence)+len(c.Fallbacks)+len(c.Measured) == 0
}

// DocumentDiff is a document whose file differs.
type DocumentDiff struct {
	// ID is the ID, or an empty text if the file has none.
	ID string `json:"id"`
	// Kind is null if the file does not state it.
	Kind render.Optional `json:"kind"`
	// Status is the kind of difference. moved: the same document in another file. unchanged: the
	// file differs, but not its meaning or its version.
	Status Status `json:"status"`
	// BaseVersion is null if the document is not in the base.
	BaseVersion render.Optional `json:"base_version"`
	// HeadVersion is null if the document is not in the head.
	HeadVersion render.Optional `json:"head_version"`
	// Class is the highest class of the changes; minor for an added document, major for a
	// removed one. null: the document can't be read.
	Class schema.Class `json:"class"`
	// Required is the lowest version that fits; for a new document that skips its first
	// version, that version. null: any version fits, or there is nothing to compare with.
	Required render.Optional `json:"required_version"`
	// Fits is whether the version in the head fits. For a removed document, whether the ledger or
	// an exception lists it. Never true for an unreadable document.
	Fits bool `json:"ok"`
	// Unreleased is whether the document keeps its version with another text because it is a draft
	// that no release carried.
	Unreleased bool `json:"unreleased,omitempty"`
	// Accepted are the reasons for which exceptions accept what does not fit.
	Accepted []string `json:"accepted,omitempty"`
	// Changes are the changes, highest class first; empty for documents that were added, or
	// removed with an entry in the ledger.
	Changes render.List[compat.MeaningChange] `json:"changes"`

	// Base and Head are both sides. A side that does not have the document has no path,
	// and one that can't be compared is not valid.
	Base, Head holdings.Edition `json:"-"`
	// TooLow says that the version is lower than Required.
	TooLow bool `json:"-"`
	// Advice says what to do if the document does not fit and no change says it, or is "".
	Advice string `json:"-"`
}

// IsUnreadable reports whether a side of the document can't be read.
func (d *DocumentDiff) IsUnreadable() bool { return d.Class == 0 }

// Evidence is a change of recorded evidence of calibration.
type Evidence struct {
	Dataset string `json:"dataset"`
	// Item is the ID of the item, or dataset.yaml.
	Item    string `json:"item"`
	File    string `json:"file"`
	Message string `json:"message"`
	// Accepted is the reason of the exception, or null.
	Accepted render.Optional `json:"accepted"`
}

// Fails reports whether no exception accepts the change.
func (e Evidence) Fails() bool { return e.Accepted == "" }

// Of describes a judgment of texts for a reader.
func Of(j *change.Judgment) *Comparison {
	c := &Comparison{Step: j.Whole, Base: *j.Base}
	for _, d := range j.Whole.Documents {
		c.document(d)
	}
	for _, u := range j.Whole.Unreadable {
		if u.InBase {
			c.unreadableBase(u.Path)
		} else {
			c.addUnreadable(u)
		}
	}
	steps := append(slices.Clone(j.Earlier), j.Last)
	if j.OnlyApart {
		steps = append(steps, j.Apart...)
	}
	for _, s := range steps {
		for _, v := range s.Broken {
			c.judge(s, v)
		}
	}
	for i := range c.Documents {
		c.Documents[i].locate()
	}
	slices.SortFunc(c.Documents, func(a, b DocumentDiff) int {
		return cmp.Or(
			cmp.Compare(rank(b.Class), rank(a.Class)),
			cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Head.Path, b.Head.Path),
			cmp.Compare(a.Base.Path, b.Base.Path),
		)
	})
	return c
}

// locate adds what the sides say: the kind, the versions, and the places of changed values.
func (d *DocumentDiff) locate() {
	if kind := cmp.Or(d.Head.Kind, d.Base.Kind); kind != nil {
		d.Kind = render.Optional(kind.Name)
	}
	d.BaseVersion, d.HeadVersion = render.Optional(d.Base.Version), render.Optional(d.Head.Version)
	in := func(e *holdings.Edition, v *compat.Value) {
		if v == nil {
			return
		}
		v.Revision, v.File, v.Position = e.Commit.Hash, e.Path, source.Position{Line: 1, Column: 1}
		if e.Doc != nil { // it can be read
			v.File, v.Position = e.Doc.File.Path, e.Doc.File.Position(v.Span.Start)
		}
	}
	for _, one := range d.Changes {
		in(&d.Base, one.Base)
		in(&d.Head, one.Head)
	}
}

// rank orders the unknown class above all others.
func rank(c schema.Class) schema.Class {
	if c == 0 {
		return schema.Major + 1
	}
	return c
}

// document adds a document, unless it differs only from the tip.
func (c *Comparison) document(d *change.JudgedDocument) {
	out := DocumentDiff{ID: d.ID, Status: Added, Class: schema.Minor, Fits: true}
	var base *holdings.Edition
	if len(d.Bases) > 0 {
		base = cmp.Or(d.Instead, d.Base, d.Bases[0])
		out.Base = *base
	}
	if d.Head != nil {
		out.Head = *d.Head
	}
	switch {
	case d.Head == nil && base == nil, d.Head != nil && !d.IsTouched() && len(d.Bases) == len(c.Bases):
		return
	case d.Head == nil:
		out.Status, out.Class = Removed, schema.Major
	case !d.Head.IsValid():
		c.addUnreadable(&comparison.Unreadable{Path: d.Head.Path, Base: base})
		return
	case base != nil:
		if c.Head.Packed || c.Tip.Packed {
			out.Base.Path = out.Head.Path // a path in a bundle is not a move
		}
		out.Class, out.Changes = d.Class(), d.Changes
		out.Required, out.TooLow = render.Optional(d.LowestVersion()), d.TooLow()
		out.Status, out.Unreleased = out.modifiedStatus(), d.KeepsDraft()
		if d.Hidden && len(d.Changes) > 0 {
			out.Changes = []compat.MeaningChange{{
				Kind: Hidden, Class: d.Class(),
				Message: fmt.Sprintf("The changes since %s are not shown, because its text is withdrawn.", base.Version),
			}}
		}
	}
	c.Documents = append(c.Documents, out)
}

func (d *DocumentDiff) modifiedStatus() Status {
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
func unread(l *holdings.Library, name, first string) (holdings.Edition, compat.MeaningChange) {
	e := holdings.Edition{Path: name, Commit: l.Commit}
	one := compat.MeaningChange{Kind: Unreadable, Head: &compat.Value{}}
	d, err := l.CurrentDocument(name)
	_, link := l.File(name)
	switch {
	case holdings.IsNoFile(link):
		one.Message = fmt.Sprintf("The document can't be read: %v. Replace it with the file itself.", link)
		return e, one
	case err != nil:
		one.Message = fmt.Sprintf("The file can't be read: %v.", err)
		return e, one
	}
	e.Doc, e.ID, e.Version, e.Kind = d, d.ID(), d.Version(), d.Kind
	if first != "" {
		one.Message = fmt.Sprintf("Choose another ID: %s also has the ID %s, so references to it are ambiguous.",
			first, schema.Quote(e.ID))
		return e, one
	}
	problems := d.BlockingProblems()
	one.Head.Span, one.Message = problems[0].Span, "Fix this error to compare the file: "+problems[0].Message
	if len(problems) > 1 {
		one.Message += fmt.Sprintf(" `rubric lint` shows all %d errors.", len(problems))
	}
	return e, one
}

// addUnreadable adds a file of the head that can't be compared.
func (c *Comparison) addUnreadable(u *comparison.Unreadable) {
	e, one := unread(c.Head, u.Path, u.Copy)
	d := DocumentDiff{ID: e.ID, Status: Added, Head: e, Changes: []compat.MeaningChange{one}}
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
	at := slices.IndexFunc(c.Documents, func(d DocumentDiff) bool { return d.Head.Path == name && d.Base.Path == "" })
	if at < 0 {
		c.Documents, at = append(c.Documents, DocumentDiff{Status: Removed}), len(c.Documents)
	}
	d := &c.Documents[at]
	if c.Head.Hash(name) != "" {
		d.Status, d.Head.Path = Modified, name
	}
	d.ID, d.Base, d.Changes = cmp.Or(d.ID, e.ID), e, []compat.MeaningChange{one}
	d.Class, d.Required, d.Fits = 0, "", false
}

// judge adds a rule that a step breaks to the document that it is about.
func (c *Comparison) judge(s *change.Step, v *change.BrokenRule) {
	reason := ""
	if v.Accepted != nil {
		reason = v.Accepted.Reason
	}
	switch {
	case v.Rule == change.VersionIdle:
		return
	case v.Item != "":
		c.Evidence = append(c.Evidence, Evidence{v.ID, v.Item, v.At.File, v.Message, render.Optional(reason)})
		return
	}
	d, last := c.documentOf(v), s.Commit == ""
	if last {
		d.require(v)
	}
	if v.Accepted != nil {
		if !slices.Contains(d.Accepted, reason) {
			d.Accepted = append(d.Accepted, reason)
		}
		return
	}
	switch {
	case !d.Fits: // the first advice is enough
	case !last:
		d.Advice = fmt.Sprintf("At commit %.12s: %s", s.Commit, v.Text())
	case v.Rule == change.DocumentGone && d.Status == Removed:
		was := v.EarlierEdition()
		d.Base.Doc, d.Base.Commit = was.Doc, was.Commit // the step removed this one
		id := &compat.Value{Text: d.ID, Span: was.Doc.Root().Get(was.Kind.IDKey).Span}
		d.Changes = []compat.MeaningChange{{Kind: Gone, Base: id, Message: v.Message}}
	default:
		d.Advice = v.Message + sinceStep(d, v)
	}
	d.Fits = false
}

// documentOf is the document that a broken rule is about. One that does not differ is added.
func (c *Comparison) documentOf(v *change.BrokenRule) *DocumentDiff {
	at := slices.IndexFunc(c.Documents, func(d DocumentDiff) bool { return d.ID == v.ID })
	if at < 0 {
		d := DocumentDiff{ID: v.ID, Status: Unchanged, Class: schema.None, Fits: true}
		d.Base.Version, d.Head.Version, d.Head.Path = v.Version, v.Version, v.At.File
		c.Documents, at = append(c.Documents, d), len(c.Documents)
	}
	return &c.Documents[at]
}

// require sets the version that a rule requires which the last step breaks.
func (d *DocumentDiff) require(v *change.BrokenRule) {
	switch {
	case v.Required != "" && v.Accepted != nil:
		d.Required = render.Optional(d.Head.Version)
	case v.Required != "":
		d.Required = render.Optional(v.Required)
	case v.Rule == change.MajorChange: // as a whole, the changes may be those of a draft
		d.Required = render.Optional(v.Document.LowestVersion())
	}
}

// sinceStep are the changes that require another version, if they are not those of the document: it
// can have changed in several steps, or be new since the target.
func sinceStep(d *DocumentDiff, v *change.BrokenRule) string {
	if v.Document == nil || v.Document.Base == nil || v.Reasons == "" || v.Document.Base.Digest == d.Base.Digest {
		return ""
	}
	return fmt.Sprintf(" Since commit %.12s: %s", v.Document.Base.Commit.Hash, v.Reasons)
}
