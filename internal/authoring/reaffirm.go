package authoring

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

const reaffirmedKey = "reaffirmed"

// Reaffirmation makes the labels of a dataset count for the current text of its
// rubrics.
type Reaffirmation struct {
	// Criteria are the reworded criteria, and Rubrics the IDs of their rubrics.
	Criteria, Rubrics []string

	library *Library
	head    *document.Document
	// stale are the criteria and digests without valid labels, and current are those of
	// all rubrics.
	stale, current []calibration.Labeled
}

// Reaffirm finds the labels of a dataset that no longer count. The error is
// fs.ErrNotExist if the dataset does not exist.
func (l *Library) Reaffirm(dataset string) (*Reaffirmation, error) {
	name := path.Join(calibration.Root, dataset, calibration.DatasetFile)
	data, err := l.read(name)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, fs.ErrNotExist
	}
	r := &Reaffirmation{library: l, head: parse(name, data)}
	if !r.head.Valid() {
		return nil, mistakes(name)
	}
	d := &calibration.Dataset{Name: dataset}
	r.head.Decode(d)
	for _, id := range d.AppliesTo {
		if err := r.compare(d, id); err != nil {
			return nil, err
		}
	}
	if len(r.stale) == 0 {
		return nil, fmt.Errorf("nothing to reaffirm: the labels of %s already count for the current text of %s", dataset, schema.Or(d.AppliesTo, "and"))
	}
	return r, nil
}

// compare finds the criteria of a rubric whose labels are for another text.
func (r *Reaffirmation) compare(d *calibration.Dataset, id string) error {
	doc, err := r.library.document(id)
	if err != nil || doc == nil || doc.Kind != &document.Rubric {
		return err // a lint rule reports that it is missing
	}
	if !doc.Valid() {
		return mistakes(doc.File.Path)
	}
	s, err := calibration.NewSubject(doc)
	if err != nil || !d.Joins(s) {
		return err // and that it does not name the dataset
	}
	for _, c := range d.Criteria {
		now := calibration.Labeled{Name: c.Name, Digest: s.Criteria[c.Name]}
		r.current = append(r.current, now)
		if now.Digest == "" || d.Fresh(now.Name, now.Digest) {
			continue
		}
		r.Rubrics = appendNew(r.Rubrics, id)
		r.Criteria = appendNew(r.Criteria, now.Name)
		r.stale = appendNew(r.stale, now)
	}
	return nil
}

func appendNew[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// Edit records the reason and the date. It replaces earlier entries for the same criteria
// whose text no rubric has anymore.
func (r *Reaffirmation) Edit(reason, date string) (*Edit, error) {
	if err := CheckReason(reason); err != nil {
		return nil, err
	}
	after := r.head
	for _, c := range r.stale {
		after = withEntry(after, reaffirmedKey, len(items(after, reaffirmedKey)), []pair{
			{"criterion", c.Name, true}, {"digest", c.Digest, true}, {"date", date, false}, {"reason", reason, false},
		})
		if after == nil {
			return nil, fmt.Errorf("%s can't be edited safely because of its layout. Write %q on its own line, with one entry per line below it",
				r.head.File.Path, reaffirmedKey+":")
		}
	}
	for i, n := range slices.Backward(items(r.head, reaffirmedKey)) {
		c := calibration.Labeled{Name: n.Get("criterion").Text(), Digest: n.Get("digest").Text()}
		if !slices.Contains(r.Criteria, c.Name) || slices.Contains(r.current, c) {
			continue
		}
		if without := withoutEntry(after, reaffirmedKey, i); without != nil {
			after = without
		}
	}
	note := fmt.Sprintf("the labels of %s count for the current text of %s", schema.Or(r.Criteria, "and"), schema.Or(r.Rubrics, "and"))
	return r.library.finish(&Edit{Files: []File{{Path: r.head.File.Path, Before: r.head.File.Data, After: after.File.Data, Note: note}}})
}
