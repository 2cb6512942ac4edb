package lint

import (
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Facts is what is kept of a document after its tree is dropped.
type Facts struct {
	Path string
	Kind *document.Kind
	ID   string
	// At is the place of the ID.
	At source.Location
	// ReplacedBy is the replacement that the deprecation names, or nil.
	ReplacedBy *Reference
	// Calibrated is set if a rubric names a dataset of the library.
	Calibrated *Calibrated
	// Invalid says that the structure of the document is not valid.
	Invalid bool

	kept map[*Rule]any // what lint rules keep of the document
}

// Reference is an ID that a document names, and its place.
type Reference struct {
	ID string
	At source.Location
}

// Calibrated is what is kept of a rubric that names a dataset of its library.
type Calibrated struct {
	// Dataset is the name of the dataset, and At the place where the rubric names it.
	Dataset string
	At      source.Location
	// Digest is the judge digest of the rubric, and Criteria has the digest of each
	// criterion. They are empty if the structure of the rubric is not valid.
	Digest   string
	Criteria map[string]string
}

// factsOf returns what the library rules need of a document.
func factsOf(d *document.Document) *Facts {
	if d == nil || d.Kind == nil || d.Kind.IDKey == "" {
		return nil
	}
	f := &Facts{
		Path: d.File.Path, Kind: d.Kind, ID: d.ID(), Invalid: !d.Valid(),
	}
	if n := d.Root().Get(d.Kind.IDKey); n != nil {
		f.At = source.Locate(d.File, n.Span)
	}
	if n := d.Root().Get("deprecated").Get("replaced_by"); n != nil {
		f.ReplacedBy = &Reference{ID: n.Value, At: source.Locate(d.File, n.Span)}
	}
	f.Calibrated = calibratedOf(d)
	return f
}

// calibratedOf returns what the dataset rules need of a rubric, or nil if it names no
// dataset of the library.
func calibratedOf(d *document.Document) *Calibrated {
	n := d.Root().Get("calibration_dataset")
	if n == nil || d.Kind != &document.Rubric || calibration.NameOf(n.Value) == "" {
		return nil
	}
	c := &Calibrated{Dataset: calibration.NameOf(n.Value), At: source.Locate(d.File, n.Span)}
	s, err := calibration.NewSubject(d)
	if err != nil {
		return c
	}
	c.Digest, c.Criteria = s.Digest, s.Criteria
	return c
}
