package comparison

import (
	"cmp"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// ChangedDocument is a document that differs from the history, or replaces another one at its
// path.
type ChangedDocument struct {
	ID string
	// Path is its current or last path.
	Path string
	// Head is nil if the document is gone.
	Head *holdings.Edition
	// Bases is the document at each merge base that has it. Changes are the changes
	// since Base, the merge base with the highest class, or the tip if only that has the
	// document. A judgment can replace both.
	Bases   []*holdings.Edition
	Base    *holdings.Edition
	Changes []compat.MeaningChange
	// Tip is the document at the target's tip, or nil.
	Tip *holdings.Edition
	// Displaced reports whether the document is gone and its file now has the ID of
	// another one.
	Displaced bool
}

// Class is the class of the changes since the merge base.
func (d *ChangedDocument) Class() schema.Class { return compat.Class(d.Changes) }

// IsTouched reports whether the head of a document differs from the document at a merge base,
// or whether a merge base does not have it.
func (d *ChangedDocument) IsTouched() bool {
	return d.Head == nil || len(d.Bases) == 0 || slices.ContainsFunc(d.Bases, func(base *holdings.Edition) bool {
		return base.Blob != d.Head.Blob || base.Path != d.Head.Path
	})
}

// Unreadable is a file of the head that differs from the history and can't be compared: it
// has no usable ID, or another file has its ID.
type Unreadable struct {
	Path string
	// Copy is the file that has the same ID, or "". Text is then the document, unless
	// the other file has the same one.
	Copy string
	Text *holdings.Edition
	// InBase says that the file can't be read in a base without a history.
	InBase bool
	// Base is the document at a merge base that the file probably was, or nil.
	Base *holdings.Edition
}

// Comparison is a comparison of a library with its history.
type Comparison struct {
	// Head is the library that is compared.
	Head *holdings.Library
	// Bases are the merge bases, Tip is the target.
	Bases []*holdings.Library
	Tip   *holdings.Library
	// Changed are the documents that differ from a merge base or from the tip, sorted by path.
	Changed []*ChangedDocument
	// Unreadable are the files that can't be compared, sorted by path.
	Unreadable []*Unreadable
	Ledgers

	// Rewrites are the differences from recorded evidence at a merge base.
	Rewrites []calibration.Rewrite
	// Left are the rubrics that no longer name the dataset with the evidence for their words.
	Left []*Left
	// Measured is what the evidence of the datasets says that differ from the first merge
	// base; only if texts are kept.
	Measured []report.NumbersChange

	// Founds reports whether the head has new documents, and neither a merge base nor
	// the tip has any documents.
	Founds bool

	extent
	differ map[*holdings.Library]map[string]bool     // the paths at which a library differs from the head
	held   map[*holdings.Library][]*holdings.Edition // its documents there
	headPaths
}

// extent is how much is compared.
type extent struct {
	keep bool // the documents of the editions are kept
	step bool // only what a commit changes is judged
}

// Ledgers are what the compared libraries no longer have.
type Ledgers struct {
	// Ledger is the ledger of the head, TipLedger is the one at the target's tip, and
	// BaseLedgers are those at the merge bases; nil if they don't exist.
	Ledger, TipLedger *holdings.Ledger
	BaseLedgers       []*holdings.Ledger
	// LedgerHidden says why the ledger of the head can't be read completely, or is "".
	LedgerHidden string

	// Living are the versions of the documents that exist although Ledger lists them, by ID.
	Living map[string]string
}

// headPaths are the paths of the head by what they have.
type headPaths struct {
	paths    map[string]string // the path of each ID
	nameless []string          // without an ID
	copies   []string          // with the ID of another path
}

// Libraries lists the libraries, each once.
func (c *Comparison) Libraries() []*holdings.Library {
	if slices.Contains(c.Bases, c.Tip) {
		return c.Bases
	}
	return append(slices.Clone(c.Bases), c.Tip)
}

func (c *Comparison) isSame(l *holdings.Library, name string) bool { return !c.differ[l][name] }

func (c *Comparison) isUnchanged(name string) bool {
	return slices.ContainsFunc(c.Libraries(), func(l *holdings.Library) bool { return c.isSame(l, name) })
}

// owns reports whether the first of two files with the same ID owns it: the file that
// existed before, or else the file named after the ID, or else the first by path.
func (c *Comparison) owns(id, name, other string) bool {
	there, otherThere := c.isUnchanged(name), c.isUnchanged(other)
	if there != otherThere {
		return there
	}
	named, otherNamed := path.Base(name) == id+".yaml", path.Base(other) == id+".yaml"
	if named != otherNamed {
		return named
	}
	return name < other
}

func (c *Comparison) keepEdition(e *holdings.Edition, l *holdings.Library) *holdings.Edition {
	e.In = l
	if !c.keep {
		e.Doc = nil
	}
	return e
}

// KnownEdition is the edition of an ID in a library of the comparison, or nil.
func (c *Comparison) KnownEdition(id string) *holdings.Edition {
	for _, d := range c.Changed {
		if d.ID == id {
			return cmp.Or(append(append([]*holdings.Edition{d.Base}, d.Bases...), d.Tip)...)
		}
	}
	return nil
}

// PublishedIDs returns whether the target or a merge base has the document with an ID. A document
// that does not differ is found by its file name, which is its ID.
func (c *Comparison) PublishedIDs() (func(id string) bool, error) {
	names := map[string]bool{}
	for _, l := range c.Libraries() {
		paths, err := l.Paths()
		if err != nil {
			return nil, err
		}
		for _, name := range paths {
			names[holdings.Stem(name)] = true
		}
	}
	return func(id string) bool { return names[id] || c.KnownEdition(id) != nil }, nil
}

// OnTarget reports whether the target's tip has the version of a document that the head has, with the
// same content: a draft can change under its number.
func (c *Comparison) OnTarget(id string) bool {
	for _, d := range c.Changed {
		if d.ID == id {
			return d.Head != nil && d.Tip != nil && d.Head.Version == d.Tip.Version && d.Head.Content == d.Tip.Content
		}
	}
	return id != "" // what does not differ is not listed
}

// Left is a rubric that does not name a dataset in which judges answered for its words.
type Left struct {
	Document *ChangedDocument
	Dataset  string
	// Names is the dataset that the rubric names instead, or "", and Lists says that the dataset
	// that it left is for this rubric.
	Names string
	Lists bool
	// At is the place where the rubric names a dataset, or else its ID.
	At source.Location
}
