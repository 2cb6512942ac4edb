package calibration

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Subject is a rubric together with what names the words that a judge reads.
type Subject struct {
	Rubric *rubric.Rubric
	// Digest is the judge digest of the whole rubric, and Criteria has that of
	// each criterion by its name.
	Digest   string
	Criteria map[string]string
}

// NewSubject is the rubric of a document. The error says that it is none.
func NewSubject(d *document.Document) (*Subject, error) {
	r := d.Rubric()
	if r == nil {
		return nil, fmt.Errorf("%s is no valid rubric", d.File.Path)
	}
	digests, err := d.JudgeDigests()
	if err != nil {
		return nil, err
	}
	return &Subject{Rubric: r, Digest: digests.Whole, Criteria: digests.Parts}, nil
}

// Joins tells whether a dataset is the one that a rubric names, and is for it.
func (d *Dataset) Joins(s *Subject) bool {
	if NameOf(s.Rubric.CalibrationDataset) != d.Name {
		return false
	}
	for _, id := range d.AppliesTo {
		if id == s.Rubric.ID {
			return true
		}
	}
	return false
}
