package bundle

import (
	"bytes"
	"encoding/json"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/source"
)

// changelogFile is the content of changelog.json.
type changelogFile struct {
	SchemaVersion int                 `json:"schema_version"`
	Documents     []changelogDocument `json:"documents"`
}

type changelogDocument struct {
	ID       string             `json:"id"`
	Kind     string             `json:"kind"`
	Versions []changelogVersion `json:"versions"` // from lowest to highest
}

// changelogVersion says what a version changed on the one before it.
type changelogVersion struct {
	Version string  `json:"version"`
	Since   *string `json:"since"` // null for the first
	// Class is null for the first version, and where the two can't be compared.
	Class   *string           `json:"class"`
	Changes []changelogChange `json:"changes"`
}

type changelogChange struct {
	Kind    string  `json:"kind"`
	Path    string  `json:"path"`
	Class   string  `json:"class"`
	Base    *string `json:"base"`
	Head    *string `json:"head"`
	Message string  `json:"message"`
}

// changelog says for each version what it changed on the one before it in the
// bundle. It follows from the bundle's documents alone.
func (b *builder) changelog() ([]byte, error) {
	out := changelogFile{SchemaVersion: 1, Documents: make([]changelogDocument, len(b.Index))}
	for i := range b.Index {
		line := &b.Index[i]
		d := changelogDocument{ID: line.ID, Kind: line.Kind}
		var before *content
		for _, v := range line.Versions {
			c := b.chosen[key{line.ID, v.Version}]
			d.Versions = append(d.Versions, changed(before, c))
			before = c
		}
		out.Documents[i] = d
	}
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	err := enc.Encode(out)
	return data.Bytes(), err
}

func changed(before, after *content) changelogVersion {
	v := changelogVersion{Version: after.version, Changes: []changelogChange{}}
	if before == nil {
		return v
	}
	v.Since = &before.version
	changes, ok := Changes(before.data, after.data)
	if !ok {
		return v
	}
	class := change.Class(changes).String()
	v.Class = &class
	for _, c := range changes {
		v.Changes = append(v.Changes, changelogChange{
			Kind: string(c.Kind), Path: c.Path, Class: c.Class.String(), Base: valueText(c.Base), Head: valueText(c.Head), Message: c.Message,
		})
	}
	return v
}

func valueText(v *change.Value) *string {
	if v == nil {
		return nil
	}
	return &v.Text
}

// Changes compares the canonical forms of two versions of a document. ok is
// false where one can't be read as YAML: the canonical form of a document just
// below the limit of 256 KiB can be longer than that.
func Changes(before, after []byte) (changes []change.Change, ok bool) {
	base, head := parseCanonical(before), parseCanonical(after)
	if !base.Valid() || !head.Valid() {
		return nil, false
	}
	return change.Compare(base, head), true
}

// parseCanonical reads a canonical form as what it also is: YAML.
func parseCanonical(data []byte) *document.Document {
	return document.Parse(source.NewFile("", data))
}
