package comparison

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// findLeft finds the rubrics that leave a dataset. One with other words can: what judges answered
// says nothing about those.
func (c *Comparison) findLeft() error {
	if c.Head.Packed {
		return nil
	}
	for _, base := range c.Bases {
		names, err := c.everyDataset(base)
		if err != nil {
			return err
		}
		for _, d := range c.Changed {
			known := slices.ContainsFunc(c.Left, func(l *Left) bool { return l.Document == d })
			changed := d.Head != nil && !c.isSame(base, d.Path) && !c.isSame(c.Tip, d.Path)
			if len(names) == 0 || known || !changed {
				continue
			}
			l, err := c.leaves(d, base, names)
			if err != nil {
				return err
			}
			if l != nil {
				c.Left = append(c.Left, l)
			}
		}
	}
	return nil
}

// pointing is what matters of a rubric for its dataset.
type pointing struct {
	*calibration.Subject
	doc     *document.Document
	dataset string // the dataset of the library that it names, or ""
}

// readPointing reads a rubric, or returns nil if it is not a valid one.
func (c *Comparison) readPointing(e *holdings.Edition, l *holdings.Library) (*pointing, error) {
	if e == nil || e.Kind != &document.Rubric || !e.IsValid() {
		return nil, nil
	}
	doc := e.Doc
	if doc == nil {
		again, err := l.Edition(e.Path)
		if again == nil || err != nil {
			return nil, err
		}
		doc = again.Doc
	}
	s, err := calibration.NewSubject(doc)
	if err != nil {
		return nil, nil // lint reports what is wrong with it
	}
	return &pointing{s, doc, calibration.NameOf(s.Rubric.CalibrationDataset)}, nil
}

// sameAs reports whether two rubrics have the same dataset for the same words.
func (n *pointing) sameAs(other *pointing) bool {
	return other != nil && n.dataset == other.dataset && n.Digest == other.Digest &&
		n.Rubric.ArtifactType == other.Rubric.ArtifactType
}

// leaves returns the first of some datasets that a rubric leaves since a merge base, or nil. That
// the target's tip left it is not the fault of the head.
func (c *Comparison) leaves(d *ChangedDocument, base *holdings.Library, names []string) (*Left, error) {
	now, err := c.readPointing(d.Head, c.Head)
	if now == nil || err != nil {
		return nil, err
	}
	var before *pointing
	for _, e := range append(slices.Clone(d.Bases), d.Tip) {
		if e == nil || e.In != base && e.In != c.Tip {
			continue
		}
		was, err := c.readPointing(e, e.In)
		if err != nil || now.sameAs(was) {
			return nil, err
		}
		if e.In == base {
			before = was
		}
	}
	if before != nil && before.dataset != "" {
		names = slices.Insert(slices.Clone(names), 0, before.dataset)
	} else if now.dataset == "" {
		return nil, nil // it names none, and did not before
	}
	for _, name := range names {
		if name == now.dataset {
			continue
		}
		bound, lists, err := c.binds(name, d.ID, now, base)
		if err != nil {
			return nil, err
		}
		if bound {
			return newLeft(d, now, name, lists), nil
		}
	}
	return nil, nil
}

func newLeft(d *ChangedDocument, now *pointing, dataset string, lists bool) *Left {
	l := &Left{Document: d, Dataset: dataset, Names: now.dataset, Lists: lists, At: d.Head.IDAt}
	if n := now.doc.Root().Get("calibration_dataset"); n != nil {
		l.At = source.Locate(now.doc.File, n.Span)
	}
	return l
}

// everyDataset are the names of the datasets of a merge base, the target's tip, and the head.
func (c *Comparison) everyDataset(base *holdings.Library) ([]string, error) {
	all := map[string]bool{}
	for _, l := range []*holdings.Library{base, c.Tip, c.Head} {
		names, err := l.Datasets()
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all)), nil
}

// binds reports whether a rubric must name a dataset: judges answered there for its words, and the
// dataset is for the rubric, or for another one for the same type of artifacts. It binds none if a
// rubric with these words already names another dataset: then, it was left before.
func (c *Comparison) binds(name, id string, now *pointing, base *holdings.Library) (bound, lists bool, err error) {
	var rubrics []string
	for _, l := range []*holdings.Library{base, c.Tip, c.Head} {
		bond, err := l.Bond(name)
		if err != nil {
			return false, false, err
		}
		if bond != nil {
			rubrics = append(rubrics, bond.AppliesTo...)
			lists = lists || slices.Contains(bond.AppliesTo, id)
			bound = bound || bond.Binds(now.Subject)
		}
	}
	if !bound {
		return false, lists, nil
	}
	related := lists
	for _, other := range slices.Compact(slices.Sorted(slices.Values(rubrics))) {
		e, err := base.Find(other)
		if err != nil {
			return false, false, err
		}
		was, err := c.readPointing(e, base)
		if err != nil {
			return false, false, err
		}
		if was == nil || was.Rubric.ArtifactType != now.Rubric.ArtifactType {
			continue
		}
		if was.Digest == now.Digest && was.dataset != "" && was.dataset != name {
			return false, lists, nil
		}
		related = true
	}
	return related, lists, nil
}
