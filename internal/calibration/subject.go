package calibration

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Subject is a rubric with the digests of the wording that a judge reads.
type Subject struct {
	Rubric *rubric.Rubric
	// Digest is the judge digest of the whole rubric, and Criteria has that of
	// each criterion by its name.
	Digest   string
	Criteria map[string]string
}

// NewSubject returns the rubric of a document, or an error if the document is not a
// valid rubric.
func NewSubject(d *document.Document) (*Subject, error) {
	r := d.Rubric()
	if r == nil {
		return nil, fmt.Errorf("%s is not a valid rubric", d.File.Path)
	}
	digests, err := d.JudgeDigests()
	if err != nil {
		return nil, err
	}
	return &Subject{Rubric: r, Digest: digests.Whole, Criteria: digests.Parts}, nil
}

// Joins reports whether the rubric names the dataset and the dataset applies to the
// rubric.
func (d *Dataset) Joins(s *Subject) bool {
	return NameOf(s.Rubric.CalibrationDataset) == d.Name && slices.Contains(d.AppliesTo, s.Rubric.ID)
}
