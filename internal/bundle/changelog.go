package bundle

import (
	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// changelog lists the changes of each version since the previous one in the bundle. It
// follows only from the bundle's documents.
func (b *builder) changelog() ([]byte, error) {
	out := bundlecheck.Changelog{SchemaVersion: 1, Documents: make([]bundlecheck.ChangelogDocument, len(b.Index))}
	for i := range b.Index {
		line := &b.Index[i]
		d := bundlecheck.ChangelogDocument{ID: line.ID, Kind: line.Kind}
		var before *content
		for _, v := range line.Versions {
			c := b.chosen[key{line.ID, v.Version}]
			d.Versions = append(d.Versions, changed(before, c))
			before = c
		}
		out.Documents[i] = d
	}
	return out.Encode()
}

func changed(before, after *content) bundlecheck.ChangelogVersion {
	v := bundlecheck.ChangelogVersion{Version: after.version, Changes: []bundlecheck.ChangelogChange{}}
	if before == nil {
		return v
	}
	v.Since = &before.version
	changes, ok := Changes(before.data, after.data)
	if !ok {
		return v
	}
	class := compat.Class(changes).String()
	v.Class = &class
	for _, c := range changes {
		v.Changes = append(v.Changes, bundlecheck.ChangelogChange{
			Kind: string(c.Kind), Path: c.Path, Class: c.Class.String(), Base: valueText(c.Base), Head: valueText(c.Head), Message: c.Message,
		})
	}
	return v
}

func valueText(v *compat.Value) *string {
	if v == nil {
		return nil
	}
	return &v.Text
}

// Changes compares the canonical forms of two versions of a document. ok is false if one
// can't be read as YAML: the canonical form of a document just below the limit of 256
// KiB can exceed it.
func Changes(before, after []byte) (changes []compat.Change, ok bool) {
	base, head := parseCanonical(before), parseCanonical(after)
	if !base.Valid() || !head.Valid() {
		return nil, false
	}
	return compat.Compare(base, head), true
}

// parseCanonical reads a canonical form as YAML, which it also is.
func parseCanonical(data []byte) *document.Document {
	return document.Parse(source.NewFile("", data))
}
