package comparison

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/library"
)

// match pairs the documents of the head with those of the libraries by ID where they differ.
func (c *Comparison) match() error {
	found := map[string]*ChangedDocument{}
	for _, l := range c.Libraries() {
		held := map[string]*holdings.Edition{}
		for _, e := range c.held[l] {
			if other := held[e.ID]; other == nil || other.Path != c.paths[e.ID] { // e is the copy that did not change
				held[e.ID] = e
			}
		}
		for id, name := range c.paths {
			if !c.isSame(l, name) {
				c.hold(documentFor(found, id, name), l, held[id])
			}
		}
		for id, e := range held {
			if _, there := c.paths[id]; !there && !slices.ContainsFunc(c.nameless, e.CouldBe) {
				d := documentFor(found, id, e.Path)
				d.Displaced = slices.ContainsFunc(c.copies, e.CouldBe)
				c.hold(d, l, e)
			}
		}
	}
	for _, d := range found {
		if err := c.complete(d); err != nil {
			return err
		}
	}
	c.Changed = slices.SortedFunc(maps.Values(found), func(a, b *ChangedDocument) int {
		return strings.Compare(a.Path+"\x00"+a.ID, b.Path+"\x00"+b.ID)
	})
	return nil
}

// hold adds what a library has of a document, if it has it.
func (c *Comparison) hold(d *ChangedDocument, l *holdings.Library, e *holdings.Edition) {
	if e != nil && slices.Contains(c.Bases, l) {
		d.Bases = append(d.Bases, e)
	}
	if e != nil && l == c.Tip {
		d.Tip = e
	}
}

// complete adds the head of a document and compares it with its bases.
func (c *Comparison) complete(d *ChangedDocument) error {
	name, there := c.paths[d.ID]
	if !there {
		return nil
	}
	head, err := c.Head.ReadAt(name)
	if err != nil {
		return err
	}
	if c.keep {
		if head.Doc, err = c.Head.CurrentDocument(name); err != nil {
			return err
		}
	}
	d.Path, d.Head = name, c.keepEdition(head, c.Head)
	if !d.Head.IsValid() {
		return nil
	}
	for _, l := range c.Bases {
		if c.isSame(l, name) { // unchanged
			d.Bases = append(d.Bases, d.Head.InCommit(l.Commit))
		}
	}
	if len(d.Bases) == 0 && d.Tip == nil {
		return nil
	}
	text, err := c.Head.CurrentDocument(name)
	if err != nil {
		return err
	}
	return d.CompareWithBases(text)
}

// CompareWithBases finds the changes of the head since the bases, or since the tip if no base has
// the document.
func (d *ChangedDocument) CompareWithBases(head *document.Document) error {
	bases := d.Bases
	if len(bases) == 0 && d.Tip != nil {
		bases = []*holdings.Edition{d.Tip} // both sides added it
	}
	for _, base := range bases {
		changes, err := base.ChangesTo(head, d.Head.Blob)
		if err != nil {
			return err
		}
		if d.Base == nil || compat.Class(changes) > d.Class() {
			d.Base, d.Changes = base, changes
		}
	}
	return nil
}

func documentFor(found map[string]*ChangedDocument, id, name string) *ChangedDocument {
	if found[id] == nil {
		found[id] = &ChangedDocument{ID: id, Path: name}
	}
	return found[id]
}

// findUnreadable lists the files of the head that can't be compared: documents that differ from a
// merge base, and the ledger and the exceptions.
func (c *Comparison) findUnreadable() error {
	broken, err := c.brokenSettings()
	if err != nil {
		return err
	}
	for _, name := range broken {
		c.Unreadable = append(c.Unreadable, &Unreadable{Path: name})
	}
	for _, name := range append(slices.Clone(c.nameless), c.copies...) {
		if !slices.ContainsFunc(c.Bases, func(l *holdings.Library) bool { return !c.isSame(l, name) }) {
			continue
		}
		u := &Unreadable{Path: name}
		if id, _ := c.Head.KnownID(name); id != "" {
			u.Copy = c.paths[id]
		}
		for _, l := range c.Bases {
			for _, e := range c.held[l] {
				if _, there := c.paths[e.ID]; !there && u.Base == nil && u.Copy == "" && e.CouldBe(name) {
					u.Base = e
				}
			}
		}
		c.Unreadable = append(c.Unreadable, u)
	}
	slices.SortFunc(c.Unreadable, func(a, b *Unreadable) int { return strings.Compare(a.Path, b.Path) })
	return c.readCopies()
}

// brokenSettings lists the ledger and the exceptions of the head if they can't be read completely.
func (c *Comparison) brokenSettings() (broken []string, err error) {
	if c.step {
		return nil, nil // they can be valid again
	}
	if c.LedgerHidden != "" {
		broken = append(broken, library.LedgerFile)
	}
	_, hidden, err := c.Head.Settings(library.ExceptionsFile, &document.Exceptions)
	if hidden != "" {
		broken = append(broken, library.ExceptionsFile)
	}
	return broken, err
}

// readCopies reads the files that have the ID of another one.
func (c *Comparison) readCopies() error {
	for _, u := range c.Unreadable {
		if u.Copy == "" {
			continue
		}
		copied, err := c.Head.CurrentDocument(u.Path)
		if err != nil {
			return err
		}
		owner, err := c.Head.CurrentDocument(u.Copy)
		if err != nil {
			return err
		}
		text := c.keepEdition(holdings.EditionOf(copied, c.Head.Commit, c.Head.Hash(u.Path)), c.Head)
		if text.IsValid() && text.Digest != holdings.EditionOf(owner, c.Head.Commit, "").Digest {
			u.Text = text
		}
	}
	return nil
}
