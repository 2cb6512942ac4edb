package calibration

import (
	"crypto/sha256"
	"encoding/json"
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

// Names returns the names of those criteria of the rubric that are what a function says, in
// its order; all if it is nil.
func (s *Subject) Names(are func(name string) bool) []string {
	var names []string
	for i := range s.Rubric.Criteria {
		if name := s.Rubric.Criteria[i].Name; are == nil || are(name) {
			names = append(names, name)
		}
	}
	return names
}

// Joins reports whether the rubric names the dataset and the dataset applies to the
// rubric.
func (d *Dataset) Joins(s *Subject) bool {
	return NameOf(s.Rubric.CalibrationDataset) == d.Name && slices.Contains(d.AppliesTo, s.Rubric.ID)
}

// LabelsDigest returns a digest, "sha256:" and 64 hexadecimal digits, of the items,
// their labels, and the wording that was labeled. Reports with the same digest are
// about the same labels.
func (d *Dataset) LabelsDigest() string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	// Map keys are written in order, and a hash never fails.
	_ = enc.Encode(d.Criteria)
	_ = enc.Encode(d.Reaffirmed)
	for i := range d.Items {
		_ = enc.Encode(&d.Items[i])
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}
