package history

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/schema"
	"github.com/rubric-library/rubric-library/internal/source"
)

// BlobHash is the name that Git gives to a content.
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
	// Ledger is the content of the ledger, nil if there is none. LedgerHidden
	// tells that something is there that can't be read.
	Ledger       []byte
	LedgerHidden bool
}

// HeadFile is what is known of a document before it is read again.
type HeadFile struct {
	Hash string // as BlobHash gives it
	ID   string // "" where it could not be read, or is no file
	// Doc is the document, where it is parsed already.
	Doc *document.Document
}

// Document is a document that differs from what the repository held, or that
// stands where it held another.
type Document struct {
	ID string
	// Path is where it is, or was.
	Path string
	// Head is nil if the document is gone. Blob names its content.
	Head *document.Document
	Blob string
	// Bases is the document at each merge base that has it. Changes are those
	// since one of them, Base: the one with the highest class.
	Bases   []*Held
	Base    *Held
	Changes []change.Change
	// Tip is the document at the target's tip, nil if it does not have it.
	Tip *Held
}

// Class is the class of the changes since the merge base.
func (d *Document) Class() schema.Class { return change.Class(d.Changes) }

// Comparison is a library beside what its repository held.
type Comparison struct {
	// Bases are the merge bases, Tip is the target.
	Bases []*Library
	Tip   *Library
	// Documents are those that differ from a merge base or from the tip, sorted
	// by path.
	Documents []*Document
	// Ledger is the ledger of the head, TipLedger that of the target's tip and
	// BaseLedgers those at the merge bases; nil where there is none.
	Ledger, TipLedger *Ledger
	BaseLedgers       []*Ledger

	// LedgerHidden tells that the head has something in place of the ledger that
	// could not be read.
	LedgerHidden bool

	// Founds tells that the head has new documents where neither a merge base nor
	// the tip has any.
	Founds bool

	head   *Head
	paths  map[string]string // the first path of each ID of the head
	broken []string          // paths of the head without an ID
}

// Compare compares a head with the libraries at the merge bases and at the tip.
func Compare(head *Head, bases []*Library, tip *Library) (*Comparison, error) {
	c := &Comparison{Bases: bases, Tip: tip, head: head, paths: map[string]string{}}
	for name, f := range head.Files {
		if f.ID == "" {
			c.broken = append(c.broken, name)
		} else if first, ok := c.paths[f.ID]; !ok || before(f.ID, name, first) {
			c.paths[f.ID] = name
		}
	}
	if err := c.ledgers(); err != nil {
		return nil, err
	}
	found := map[string]*Document{}
	for _, base := range bases {
		if err := c.differences(base, found, func(d *Document, h *Held) { d.Bases = append(d.Bases, h) }); err != nil {
			return nil, err
		}
	}
	if err := c.differences(tip, found, func(d *Document, h *Held) { d.Tip = h }); err != nil {
		return nil, err
	}
	for _, d := range found {
		if err := c.complete(d); err != nil {
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

func (c *Comparison) founds(found map[string]*Document) error {
	for _, d := range found {
		c.Founds = c.Founds || d.Head != nil && len(d.Bases) == 0 && d.Tip == nil
	}
	for _, l := range append([]*Library{c.Tip}, c.Bases...) {
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

// before tells which of two files with one ID is meant by it: the one that is
// named after it, else the first by path.
func before(id, name, other string) bool {
	named, otherNamed := path.Base(name) == id+".yaml", path.Base(other) == id+".yaml"
	if named != otherNamed {
		return named
	}
	return name < other
}

// differences finds the documents that differ between one library and the head,
// matched by ID, and hands over what the library has of each.
func (c *Comparison) differences(l *Library, found map[string]*Document, hold func(*Document, *Held)) error {
	held := map[string]*Held{}
	for _, name := range l.Paths() {
		if f, ok := c.head.Files[name]; ok && f.Hash == l.Hash(name) {
			continue
		}
		h, err := l.Document(name)
		if err != nil {
			return err
		}
		if h != nil {
			held[h.ID()] = h
		}
	}
	for name, f := range c.head.Files {
		if f.ID == "" || f.Hash == l.Hash(name) {
			continue
		}
		d := at(found, f.ID, c.paths[f.ID])
		if h := held[f.ID]; h != nil {
			hold(d, h)
			delete(held, f.ID)
		}
	}
	for id, h := range held {
		if _, there := c.paths[id]; !there && !c.hides(h) {
			hold(at(found, id, h.Doc.File.Path), h)
		}
	}
	return nil
}

func at(found map[string]*Document, id, name string) *Document {
	if found[id] == nil {
		found[id] = &Document{ID: id, Path: name}
	}
	return found[id]
}

// hides tells whether the head has a document that could not be read where this
// one was: then it is broken, not gone.
func (c *Comparison) hides(h *Held) bool {
	return slices.ContainsFunc(c.broken, func(name string) bool {
		return name == h.Doc.File.Path || path.Base(name) == h.ID()+".yaml"
	})
}

// complete reads the head of a document and compares it with its bases.
func (c *Comparison) complete(d *Document) error {
	name, there := c.paths[d.ID]
	if !there {
		return nil
	}
	d.Path, d.Head, d.Blob = name, c.head.Files[name].Doc, c.head.Files[name].Hash
	if d.Head == nil {
		data, err := c.head.Read(name)
		if err != nil {
			return err
		}
		d.Head = document.Parse(source.NewFile(name, data))
	}
	if !d.Head.Valid() {
		return nil
	}
	for _, l := range c.Bases {
		if l.Hash(name) == c.head.Files[name].Hash { // left as it was
			d.Bases = append(d.Bases, &Held{d.Head, l.Commit, l.Hash(name)})
		}
	}
	for _, base := range d.Bases {
		changes := change.Compare(base.Doc, d.Head)
		if d.Base == nil || change.Class(changes) > d.Class() {
			d.Base, d.Changes = base, changes
		}
	}
	return nil
}

// Known tells whether any library of the comparison ever had a document with the
// ID.
func (c *Comparison) Known(id string) *Held {
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

// Equals tells whether a head has the documents and the ledger of the library,
// byte for byte.
func (l *Library) Equals(head *Head) bool {
	if len(l.files) != len(head.Files) {
		return false
	}
	for name, f := range head.Files {
		if l.Hash(name) != f.Hash {
			return false
		}
	}
	ledger, err := l.File(LedgerFile)
	return err == nil && string(ledger) == string(head.Ledger)
}
