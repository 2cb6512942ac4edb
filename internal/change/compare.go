package change

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Document is a document that differs from the history, or replaces another one at its
// path.
type Document struct {
	ID string
	// Path is its current or last path.
	Path string
	// Head is nil if the document is gone.
	Head *Edition
	// Bases is the document at each merge base that has it. Changes are the changes
	// since Base, the merge base with the highest class, or the tip if only that has the
	// document. If the version of Base is yanked, they are those since Instead, which
	// constraints select.
	Bases   []*Edition
	Base    *Edition
	Instead *Edition
	Changes []compat.Change
	// Hidden says that the changes are those since a version whose text is withdrawn, so that no
	// output shows them.
	Hidden bool
	// Tip is the document at the target's tip, or nil.
	Tip *Edition
	// Displaced reports whether the document is gone and its file now has the ID of
	// another one.
	Displaced bool

	judged
}

// Class is the class of the changes since the merge base.
func (d *Document) Class() schema.Class { return compat.Class(d.Changes) }

// Touched reports whether the head of a document differs from the document at a merge base,
// or whether a merge base does not have it.
func (d *Document) Touched() bool {
	return d.Head == nil || len(d.Bases) == 0 || slices.ContainsFunc(d.Bases, func(base *Edition) bool {
		return base.blob != d.Head.blob || base.Path != d.Head.Path
	})
}

// Unreadable is a file of the head that differs from the history and can't be compared: it
// has no usable ID, or another file has its ID.
type Unreadable struct {
	Path string
	// Copy is the file that has the same ID, or "". Text is then the document, unless
	// the other file has the same one.
	Copy string
	Text *Edition
	// InBase says that the file can't be read in a base without a history.
	InBase bool
	// Base is the document at a merge base that the file probably was, or nil.
	Base *Edition
}

// Comparison is a comparison of a library with its history.
type Comparison struct {
	// Head is the library that is compared.
	Head *Library
	// Bases are the merge bases, Tip is the target.
	Bases []*Library
	Tip   *Library
	// Documents are the documents that differ from a merge base or from the tip, sorted
	// by path.
	Documents []*Document
	// Unreadable are the files that can't be compared, sorted by path.
	Unreadable []*Unreadable
	// Ledger is the ledger of the head, TipLedger is the one at the target's tip, and
	// BaseLedgers are those at the merge bases; nil if they don't exist.
	Ledger, TipLedger *Ledger
	BaseLedgers       []*Ledger

	// LedgerHidden says why the ledger of the head can't be read completely, or is "".
	LedgerHidden string

	// Rewrites are the differences from recorded evidence at a merge base.
	Rewrites []calibration.Rewrite
	// Measured is what the evidence of the datasets says that differ from the first merge
	// base; only if texts are kept.
	Measured []calibration.NumbersChange

	// Founds reports whether the head has new documents, and neither a merge base nor
	// the tip has any documents.
	Founds bool

	living map[string]string            // the versions of the documents that exist although Ledger lists them
	keep   bool                         // the documents of the editions
	differ map[*Library]map[string]bool // the paths at which a library differs from the head
	held   map[*Library][]*Edition      // its documents there
	paths  map[string]string            // the path of each ID of the head
	broken []string                     // paths of the head without an ID
	copies []string                     // paths of the head with the ID of another path
}

// Compare compares a head with the libraries at the merge bases and at the tip. It reads
// only what differs, and keeps the documents only if texts is set.
func Compare(head *Library, bases []*Library, tip *Library, texts bool) (*Comparison, error) {
	c := &Comparison{
		Head: head, Bases: bases, Tip: tip, keep: texts,
		differ: map[*Library]map[string]bool{}, held: map[*Library][]*Edition{}, paths: map[string]string{},
	}
	for _, read := range []func() error{c.readDiffering, c.identify, c.readLedgers, c.match, c.findFounding, c.findRewrites, c.measure, c.findUnreadable} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	for _, l := range append(c.libraries(), c.Head) {
		clear(l.parsed)
	}
	return c, nil
}

// libraries lists the libraries, each once.
func (c *Comparison) libraries() []*Library {
	if slices.Contains(c.Bases, c.Tip) {
		return c.Bases
	}
	return append(slices.Clone(c.Bases), c.Tip)
}

// findFounding finds out whether the documents are the first of the library.
func (c *Comparison) findFounding() error {
	isNew := func(d *Document) bool { return d.Head != nil && len(d.Bases) == 0 && d.Tip == nil }
	if !slices.ContainsFunc(c.Documents, isNew) {
		return nil
	}
	for _, l := range c.libraries() {
		empty, err := l.empty()
		if err != nil || !empty {
			return err
		}
	}
	c.Founds = true
	return nil
}

// readDiffering reads the documents that a library does not share with the head.
func (c *Comparison) readDiffering() (err error) {
	for _, l := range c.libraries() {
		if c.differ[l], err = l.differing(c.Head); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(c.differ[l])) {
			if l.Hash(name) == "" {
				continue
			}
			e, err := c.editionIn(l, name)
			switch {
			case err != nil:
				return err
			case e != nil:
				c.held[l] = append(c.held[l], e)
			case l.repo == nil:
				c.Unreadable = append(c.Unreadable, &Unreadable{Path: name, InBase: true})
			}
		}
	}
	return nil
}

// editionIn is the document at a path of a library, with its text only if texts are kept. One that is
// replaced by an earlier one is read with its text.
func (c *Comparison) editionIn(l *Library, name string) (*Edition, error) {
	if !c.keep && l.repo != nil {
		e, err := l.valid(name)
		if err != nil {
			return nil, err
		}
		if e != nil {
			return c.kept(e, l), nil
		}
	}
	e, err := l.edition(name)
	if err != nil || e == nil {
		return nil, err
	}
	return c.kept(e, l), nil
}

func (c *Comparison) same(l *Library, name string) bool { return !c.differ[l][name] }

// identify finds the path of each ID of the head. Another file with the same ID is a
// copy, which has no ID.
func (c *Comparison) identify() error {
	if err := c.readIDs(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(c.Head.files)) {
		id, known := c.Head.ids[name]
		first, taken := c.paths[id]
		switch {
		case !known:
		case id == "":
			c.broken = append(c.broken, name)
		case !taken:
			c.paths[id] = name
		case c.before(id, name, first):
			c.paths[id] = name
			c.copies = append(c.copies, first)
		default:
			c.copies = append(c.copies, name)
		}
	}
	return nil
}

// readIDs finds the IDs of the files of the head that differ from a library. If a path has
// an ID on only one side, the files that are named after the ID may have it too.
func (c *Comparison) readIDs() error {
	moved := map[string]bool{}
	for l, differ := range c.differ {
		for name := range differ {
			id, err := c.Head.id(name)
			if err != nil {
				return err
			}
			before, err := l.id(name)
			if err != nil {
				return err
			}
			if id != before {
				moved[id], moved[before] = true, true
			}
		}
	}
	if len(moved) == 0 {
		return nil
	}
	names, err := c.Head.paths()
	if err != nil {
		return err
	}
	for _, name := range names {
		if !moved[stem(name)] {
			continue
		}
		if _, err := c.Head.id(name); err != nil {
			return err
		}
	}
	return nil
}

// before reports whether the first of two files with the same ID owns it: the file that
// existed before, or else the file named after the ID, or else the first by path.
func (c *Comparison) before(id, name, other string) bool {
	there, otherThere := c.unchanged(name), c.unchanged(other)
	if there != otherThere {
		return there
	}
	named, otherNamed := path.Base(name) == id+".yaml", path.Base(other) == id+".yaml"
	if named != otherNamed {
		return named
	}
	return name < other
}

func (c *Comparison) unchanged(name string) bool {
	return slices.ContainsFunc(c.libraries(), func(l *Library) bool { return c.same(l, name) })
}

func (c *Comparison) kept(e *Edition, l *Library) *Edition {
	if e.in = l; !c.keep {
		e.Doc = nil
	}
	return e
}

// Known is the edition of an ID in a library of the comparison, or nil.
func (c *Comparison) Known(id string) *Edition {
	for _, d := range c.Documents {
		if d.ID == id {
			return cmp.Or(append(append([]*Edition{d.Base}, d.Bases...), d.Tip)...)
		}
	}
	return nil
}

// Published returns whether the target or a merge base has the document with an ID. A document
// that does not differ is found by its file name, which is its ID.
func (c *Comparison) Published() (func(id string) bool, error) {
	names := map[string]bool{}
	for _, l := range c.libraries() {
		paths, err := l.paths()
		if err != nil {
			return nil, err
		}
		for _, name := range paths {
			names[stem(name)] = true
		}
	}
	return func(id string) bool { return names[id] || c.Known(id) != nil }, nil
}

// equals reports whether a head is known to have the documents, the ledger, the exceptions, and the
// calibration of the library, which is in a commit, byte for byte.
func (l *Library) equals(head *Library) (bool, error) {
	if s, ok := head.Files.(*gitrepo.Snapshot); ok {
		return s.Commit().Hash == l.Commit.Hash, nil
	}
	differ, err := l.differing(head)
	if err != nil || len(differ) > 0 || head.Files == nil {
		return false, err
	}
	for _, name := range []string{library.LedgerFile, library.ExceptionsFile} {
		before, err := l.File(name)
		if err != nil {
			return false, nil // both are read again, one by one
		}
		now, err := head.File(name)
		if err != nil || !bytes.Equal(before, now) {
			return false, nil
		}
	}
	before, err := contents(l.Files, calibration.Root)
	if err != nil {
		return false, nil
	}
	now, err := contents(head.Files, calibration.Root)
	return err == nil && maps.Equal(before, now), nil
}

// mergeBases are the library at the merge bases of a commit and the target, or the tip
// before the first commit. tip is the library at the target itself. No merge
// base is an error.
func mergeBases(repo *gitrepo.Repo, head gitrepo.Commit, target gitrepo.Target, tip *Library) ([]*Library, error) {
	if head.IsZero() {
		return []*Library{tip}, nil
	}
	commits, err := repo.MergeBases(head, target.Commit)
	if err != nil {
		return nil, err
	}
	if len(commits) == 0 {
		return nil, fmt.Errorf("this branch and %s have no commit in common, so the changes are unknown. Rebase it onto %[1]s, or name another revision to compare with", target.Name)
	}
	var bases []*Library
	for _, c := range commits {
		base := tip
		if c.Hash != target.Commit.Hash {
			if base, err = At(repo, c, tip.folder); err != nil {
				return nil, err
			}
		}
		bases = append(bases, base)
	}
	return bases, nil
}
