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

const appliesTo = "applies_to"

func listed(d *document.Document) []string {
	var ids []string
	for _, item := range items(d, appliesTo) {
		ids = append(ids, item.Value)
	}
	return ids
}

const reaffirmedKey = "reaffirmed"

// reaffirmation makes the labels of a dataset count for the current text of its rubrics.
type reaffirmation struct {
	// criteria are the reworded criteria, and rubrics the IDs of their rubrics.
	criteria, rubrics []string

	library *Local
	// stale are the criteria and digests without valid labels.
	stale []calibration.Labeled
}

// Reaffirm computes the edit that records, with a date, that the labels of a dataset still
// count. why returns the reason, and gets the reworded criteria. Earlier entries stay, because
// runs rely on them. The error is fs.ErrNotExist if the dataset does not exist.
func (l *Local) Reaffirm(dataset, date string, why func(criteria []string) (string, error)) (*Edit, error) {
	name := path.Join(calibration.Root, dataset, calibration.DatasetFile)
	data, err := l.read(name)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, fs.ErrNotExist
	}
	head := parse(name, data)
	if !head.Valid() {
		return nil, mistakes(name)
	}
	d, r := &calibration.Dataset{Name: dataset}, &reaffirmation{library: l}
	head.Decode(d)
	for _, id := range d.AppliesTo {
		if err := r.compare(d, id); err != nil {
			return nil, err
		}
	}
	if len(r.stale) == 0 {
		return nil, fmt.Errorf("nothing to reaffirm: the labels of %s already count for the current text of %s",
			dataset, schema.Or(d.AppliesTo, "and"))
	}
	reason, err := why(r.criteria)
	if err != nil {
		return nil, err
	}
	if err := CheckReason(reason); err != nil {
		return nil, err
	}
	after := head
	for _, c := range r.stale {
		after = withEntry(after, reaffirmedKey, len(items(after, reaffirmedKey)), braces([]pair{
			{"criterion", c.Name}, {"digest", c.Digest}, {"date", date}, {"reason", reason},
		}))
		if after == nil {
			return nil, fmt.Errorf("%s can't be edited safely because of its layout. Write %q on its own line, with one entry per line below it",
				name, reaffirmedKey+":")
		}
	}
	note := fmt.Sprintf("the labels of %s count for the current text of %s",
		schema.Or(r.criteria, "and"), schema.Or(r.rubrics, "and"))
	return l.finish(&Edit{Files: []File{{Path: name, Before: data, After: after.File.Data, Note: note}}})
}

// compare finds the criteria of a rubric whose labels are for another text.
func (r *reaffirmation) compare(d *calibration.Dataset, id string) error {
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
		if now.Digest == "" || d.AreFresh(now.Name, now.Digest) {
			continue
		}
		r.rubrics = appendNew(r.rubrics, id)
		r.criteria = appendNew(r.criteria, now.Name)
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
