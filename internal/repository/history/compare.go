package history

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// BlobHash is the Git blob hash of a content.
func BlobHash(data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// Head is the library that is checked: a working tree with its uncommitted
// edits, or a commit.
type Head struct {
	// Files has the documents by path.
	Files map[string]HeadFile
	// Read returns the content of a document.
	Read func(name string) ([]byte, error)
	// Ledger is the content of the ledger, or nil. LedgerHidden reports whether the
	// ledger exists but can't be read.
	Ledger       []byte
	LedgerHidden bool
}

// HeadFile is a document before it is read again.
type HeadFile struct {
	Hash string // as BlobHash returns it
	ID   string // "" if it could not be read or is not a file
	// Doc is the document, if it is already parsed.
	Doc *document.Document
}

// Document is a document that differs from the history, or replaces another one at its
// path.
type Document struct {
	ID string
	// Path is its current or last path.
	Path string
	// Head is nil if the document is gone.
	Head *Edition
	// Bases is the document at each merge base that has it. Changes are the changes
	// since Base, the merge base with the highest class.
	Bases   []*Edition
	Base    *Edition
	Changes []compat.Change
	// Tip is the document at the target's tip, or nil.
	Tip *Edition
	// Displaced reports whether the document is gone and its file now has the ID of
	// another one.
	Displaced bool
}

// Class is the class of the changes since the merge base.
func (d *Document) Class() schema.Class { return compat.Class(d.Changes) }

// Comparison is a comparison of a library with its history.
type Comparison struct {
	// Bases are the merge bases, Tip is the target.
	Bases []*Library
	Tip   *Library
	// Documents are the documents that differ from a merge base or from the tip, sorted
	// by path.
	Documents []*Document
	// Ledger is the ledger of the head, TipLedger is the one at the target's tip, and
	// BaseLedgers are those at the merge bases; nil if they don't exist.
	Ledger, TipLedger *Ledger
	BaseLedgers       []*Ledger

	// LedgerHidden reports whether the ledger of the head exists but could not be
	// read.
	LedgerHidden bool

	// Founds reports whether the head has new documents, and neither a merge base nor
	// the tip has any documents.
	Founds bool

	head   *Head
	paths  map[string]string // the path of each ID of the head
	broken []string          // paths of the head without an ID
	copies []string          // paths of the head with the ID of another path
}

// Compare compares a head with the libraries at the merge bases and at the tip. It reads
// one path at a time and keeps no text.
func Compare(head *Head, bases []*Library, tip *Library) (*Comparison, error) {
	c := &Comparison{Bases: bases, Tip: tip, head: head}
	c.identify()
	if err := c.ledgers(); err != nil {
		return nil, err
	}
	r := &reader{c, map[*Library]map[string]*Edition{}, map[string]*Edition{}, map[*Edition][]compat.Change{}}
	for _, l := range c.libraries() {
		r.held[l] = map[string]*Edition{}
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	found := map[string]*Document{}
	for _, base := range bases {
		c.match(base, r.held[base], found, func(d *Document, e *Edition) { d.Bases = append(d.Bases, e) })
	}
	c.match(tip, r.held[tip], found, func(d *Document, e *Edition) { d.Tip = e })
	for _, d := range found {
		if err := r.complete(d); err != nil {
			return nil, err
		}
	}
	if err := c.founds(found); err != nil {
		return nil, err
	}
	c.Documents = slices.SortedFunc(maps.Values(found), func(a, b *Document) int {
		return strings.Compare(a.Path+"\x00"+a.ID, b.Path+"\x00"+b.ID)
	})
	return c, nil
}

// libraries lists the libraries, each once.
func (c *Comparison) libraries() []*Library {
	if slices.Contains(c.Bases, c.Tip) {
		return c.Bases
	}
	return append(slices.Clone(c.Bases), c.Tip)
}

func (c *Comparison) founds(found map[string]*Document) error {
	for _, d := range found {
		c.Founds = c.Founds || d.Head != nil && len(d.Bases) == 0 && d.Tip == nil
	}
	for _, l := range c.libraries() {
		if !c.Founds {
			return nil
		}
		var err error
		if c.Founds, err = l.Empty(); err != nil {
			return err
		}
	}
	return nil
}

// identify finds the path of each ID of the head. Another file with the same ID is a
// copy, which has no ID.
func (c *Comparison) identify() {
	c.paths = map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(c.head.Files)) {
		id := c.head.Files[name].ID
		first, taken := c.paths[id]
		switch {
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

// unchanged reports whether a library has the same content at a path.
func (c *Comparison) unchanged(name string) bool {
	hash := c.head.Files[name].Hash
	return slices.ContainsFunc(c.libraries(), func(l *Library) bool { return l.Hash(name) == hash })
}

// match pairs the documents of the head with those of a library by ID where they differ,
// and calls hold with the library's edition of each.
func (c *Comparison) match(l *Library, held map[string]*Edition, found map[string]*Document, hold func(*Document, *Edition)) {
	for id, name := range c.paths {
		if c.head.Files[name].Hash == l.Hash(name) {
			continue
		}
		d := at(found, id, name)
		if e := held[id]; e != nil {
			hold(d, e)
		}
	}
	for id, e := range held {
		if _, there := c.paths[id]; !there && !e.isAt(c.broken) {
			d := at(found, id, e.Path)
			d.Displaced = e.isAt(c.copies)
			hold(d, e)
		}
	}
}

func at(found map[string]*Document, id, name string) *Document {
	if found[id] == nil {
		found[id] = &Document{ID: id, Path: name}
	}
	return found[id]
}

// isAt reports whether one of the paths is the path of the document, or has its name.
func (e *Edition) isAt(paths []string) bool {
	return slices.ContainsFunc(paths, func(name string) bool {
		return name == e.Path || path.Base(name) == e.ID+".yaml"
	})
}

// Known is the edition of an ID in a library of the comparison, or nil.
func (c *Comparison) Known(id string) *Edition {
	for _, d := range c.Documents {
		if d.ID != id {
			continue
		}
		if d.Base != nil {
			return d.Base
		}
		if len(d.Bases) > 0 {
			return d.Bases[0]
		}
		return d.Tip
	}
	return nil
}

// Equals reports whether a head has the documents and the ledger of the library, byte for
// byte.
func (l *Library) Equals(head *Head) bool {
	if len(l.files) != len(head.Files) {
		return false
	}
	for name, f := range head.Files {
		if l.Hash(name) != f.Hash {
			return false
		}
	}
	ledger, err := l.File(library.LedgerFile)
	return err == nil && string(ledger) == string(head.Ledger)
}

// Bases are the library at the merge bases of HEAD and the target, or the tip before the
// first commit. tip is the library at the target itself. advice is the end of the error if
// there is no merge base.
func Bases[L any](repo *gitrepo.Repo, target gitrepo.Target, tip L, advice string, at func(gitrepo.Commit) (L, error)) ([]L, error) {
	head, err := repo.Head()
	if errors.Is(err, gitrepo.ErrNoCommit) {
		return []L{tip}, nil
	}
	if err != nil {
		return nil, err
	}
	commits, err := repo.MergeBases(head, target.Commit)
	if err == nil && len(commits) == 0 {
		err = fmt.Errorf("this branch and %s have no commit in common, so the changes are unknown. Rebase it onto %[1]s, or %s", target.Name, advice)
	}
	var bases []L
	for _, c := range commits {
		base := tip
		if c.Hash != target.Commit.Hash {
			if base, err = at(c); err != nil {
				return nil, err
			}
		}
		bases = append(bases, base)
	}
	return bases, err
}
