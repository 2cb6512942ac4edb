package conformance

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// openVector opens a bundle, gets a document, and lists all.
type openVector struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
	// Entry is the entry in which the text New replaces Old, or "".
	Entry      string `json:"entry"`
	Old        string `json:"old"`
	New        string `json:"new"`
	ID         string `json:"id"`
	Constraint string `json:"constraint"`
	expected
}

// opened is what a reader learns of a document.
type opened struct {
	Version string `json:"version"`
	// Versions are those of the entry, without commits and times.
	Versions []library.Version `json:"versions"`
}

// retired are the fields of a RetiredError.
type retired struct {
	LastVersion string `json:"last_version,omitempty"`
	Reason      string `json:"reason,omitempty"`
	ReplacedBy  string `json:"replaced_by,omitempty"`
}

// The first of these steps that fails with an IntegrityError.
const (
	toOpen = "open"
	toGet  = "get"
	toList = "list"
)

func (v *openVector) compute(t *testing.T, base map[string]string) {
	data := v.bundle(t, base)
	lib, err := library.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		v.refused(t, toOpen, err)
		return
	}
	d, err := lib.Get(t.Context(), v.ID, v.Constraint)
	if err != nil {
		v.refused(t, toGet, err)
		return
	}
	all, err := lib.Search(library.Query{IncludeDeprecated: true, IncludeRetired: true})
	if err != nil {
		v.refused(t, toList, err)
		return
	}
	i := slices.IndexFunc(all, func(m library.Match) bool { return m.ID == v.ID })
	v.expected = expected{Result: opened{d.Reference.Version, all[i].Versions}}
}

// refused sets the error of a step.
func (v *openVector) refused(t *testing.T, step string, err error) {
	var of *library.RetiredError
	switch {
	case errors.As(err, new(*library.IntegrityError)):
		v.expected = expected{Error: &refusal{Integrity: step}}
	case errors.As(err, &of):
		v.expected = expected{Error: &refusal{Retired: &retired{of.LastVersion, of.Reason, of.ReplacedBy}}}
	case errors.As(err, new(*library.NotFoundError)):
		v.expected = expected{Error: &refusal{NotFound: true}}
	case errors.As(err, new(*library.ConstraintError)):
		v.expected = expected{Error: &refusal{Unsatisfied: true}}
	default:
		t.Fatalf("%s: %v", v.Name, err)
	}
}

// bundle is the changed bundle, with the sums of the changed entries.
func (v *openVector) bundle(t *testing.T, base map[string]string) []byte {
	t.Helper()
	first := []string{bundlefile.ManifestName, bundlefile.SumsName, bundlefile.IndexName, bundlefile.CalibrationName}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(base)), func(name string) bool { return slices.Contains(first, name) })
	var files []bundlefile.File
	for _, name := range append(first, names...) {
		text := base[name]
		if name == v.Entry {
			if !strings.Contains(text, v.Old) {
				t.Fatalf("%s: %s has no %q", v.Name, name, v.Old)
			}
			text = strings.Replace(text, v.Old, v.New, 1)
		}
		files = append(files, bundlefile.File{Path: name, Data: []byte(text)})
	}
	return bundletest.Pack(bundletest.Resum(files), nil)
}
