package diff

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// Packed is the library in a bundle with a version. documents has the canonical form of
// each document by the name of its entry, and others has the other released files; ended
// are the IDs of documents that were retired or withdrawn. The path of a document in the
// bundle is unrelated to its path in the library.
func Packed(name, version string, documents, others map[string][]byte, ended []string) *Library {
	listed := &listing{}
	for _, id := range ended {
		listed.Retired = append(listed.Retired, struct{ ID string }{id})
	}
	rest := map[string]string{}
	for name, data := range others {
		rest[name] = history.BlobHash(data)
	}
	return &Library{
		Name: name, version: version, documents: packed(documents), packed: true, parsed: map[string]*file{}, listed: listed,
		rest: func() (map[string]string, error) { return rest, nil },
	}
}

// packed is the documents of a bundle by the name of their entries.
type packed map[string][]byte

func (p packed) Paths() []string { return slices.Sorted(maps.Keys(p)) }

func (p packed) Hash(name string) string {
	if data, ok := p[name]; ok {
		return history.BlobHash(data)
	}
	return ""
}

func (p packed) File(name string) ([]byte, error) { return p[name], nil }
