package comparison

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
)

// Compare compares a head with the libraries at the merge bases and at the tip. It reads
// only what differs, and keeps the documents only if texts is set.
func Compare(
	head *holdings.Library, bases []*holdings.Library, tip *holdings.Library, texts bool,
) (*Comparison, error) {
	c := newComparison(head, bases, tip)
	c.keep = texts
	return c, c.read()
}

// CompareStep compares a commit with the one before it, without what the commit leaves as it is.
func CompareStep(before, after *holdings.Library) (*Comparison, error) {
	c := newComparison(after, []*holdings.Library{before}, before)
	c.step = !before.Commit.IsZero()
	return c, c.read()
}

func newComparison(head *holdings.Library, bases []*holdings.Library, tip *holdings.Library) *Comparison {
	return &Comparison{
		Head: head, Bases: bases, Tip: tip,
		differ: map[*holdings.Library]map[string]bool{}, held: map[*holdings.Library][]*holdings.Edition{},
		headPaths: headPaths{paths: map[string]string{}},
	}
}

func (c *Comparison) read() error {
	phases := []func() error{
		c.readDiffering, c.identify, c.readLedgers, c.match, c.findFounding,
		c.findRewrites, c.findLeft, c.measure, c.findUnreadable,
	}
	for _, read := range phases {
		if err := read(); err != nil {
			return err
		}
	}
	for _, l := range append(c.Libraries(), c.Head) {
		l.Forget()
	}
	return nil
}

// findFounding finds out whether the documents are the first of the library.
func (c *Comparison) findFounding() error {
	isNew := func(d *ChangedDocument) bool { return d.Head != nil && len(d.Bases) == 0 && d.Tip == nil }
	if !slices.ContainsFunc(c.Changed, isNew) {
		return nil
	}
	for _, l := range c.Libraries() {
		empty, err := l.IsEmpty()
		if err != nil || !empty {
			return err
		}
	}
	c.Founds = true
	return nil
}

// readDiffering reads the documents that a library does not share with the head.
func (c *Comparison) readDiffering() (err error) {
	for _, l := range c.Libraries() {
		if c.differ[l], err = l.DifferingPaths(c.Head); err != nil {
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
			case l.Repo == nil:
				c.Unreadable = append(c.Unreadable, &Unreadable{Path: name, InBase: true})
			}
		}
	}
	return nil
}

// editionIn is the document at a path of a library, with its text only if texts are kept. One that is
// replaced by an earlier one is read with its text.
func (c *Comparison) editionIn(l *holdings.Library, name string) (*holdings.Edition, error) {
	if !c.keep && l.Repo != nil {
		e, err := l.ValidEdition(name)
		if err != nil {
			return nil, err
		}
		if e != nil {
			return c.keepEdition(e, l), nil
		}
	}
	e, err := l.Edition(name)
	if err != nil || e == nil {
		return nil, err
	}
	return c.keepEdition(e, l), nil
}

// identify finds the path of each ID of the head. Another file with the same ID is a
// copy, which has no ID.
func (c *Comparison) identify() error {
	if err := c.readIDs(); err != nil {
		return err
	}
	for _, name := range c.Head.ListedPaths() {
		id, known := c.Head.KnownID(name)
		first, taken := c.paths[id]
		switch {
		case !known:
		case id == "":
			c.nameless = append(c.nameless, name)
		case !taken:
			c.paths[id] = name
		case c.owns(id, name, first):
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
			id, err := c.Head.ID(name)
			if err != nil {
				return err
			}
			before, err := l.ID(name)
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
	names, err := c.Head.Paths()
	if err != nil {
		return err
	}
	for _, name := range names {
		if !moved[holdings.Stem(name)] {
			continue
		}
		if _, err := c.Head.ID(name); err != nil {
			return err
		}
	}
	return nil
}
