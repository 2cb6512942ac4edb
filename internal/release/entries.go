package release

import (
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// laid are entries of a bundle.
type laid struct {
	files []bundlefile.File
	remarks
}

// entries are those of the documents, the schemas, the conformance vectors, the changelog, and the
// ledger.
func entries(h *History, d *documents, conformance map[string][]byte) (out laid, err error) {
	for _, c := range d.chosen {
		out.files = append(out.files, bundlefile.File{Path: bundlefile.DocumentPath(c.kind, c.id, c.version), Data: c.data})
	}
	schemas, problems, err := library.Schemas(h.head.Files)
	if err != nil {
		return out, err
	}
	out.files = append(out.files, schemas...)
	for _, p := range problems {
		out.problem(key{}, "%s", p)
	}
	for name, data := range conformance {
		out.files = append(out.files, bundlefile.File{Path: name, Data: data})
	}
	changelog, err := changelogOf(d)
	out.files = append(out.files,
		bundlefile.File{Path: bundlecheck.ChangelogName, Data: changelog},
		bundlefile.File{Path: bundlecheck.LedgerName, Data: append(d.retiredIDs(), '\n')})
	return out, err
}

// changelogOf lists the changes of each version since the previous one in the bundle. It
// follows only from the bundle's documents.
func changelogOf(documents *documents) ([]byte, error) {
	out := bundlecheck.Changelog{SchemaVersion: 1, Documents: make([]bundlecheck.ChangelogDocument, len(documents.index))}
	for i := range documents.index {
		line := &documents.index[i]
		d := bundlecheck.ChangelogDocument{ID: line.ID, Kind: line.Kind}
		var before *content
		for _, v := range line.Versions {
			c := documents.chosen[key{line.ID, v.Version}].content
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
			Kind: string(c.Kind), Path: c.Path, Class: c.Class.String(), Base: valueText(c.Base),
			Head: valueText(c.Head), Message: c.Message,
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
func Changes(before, after []byte) (changes []compat.MeaningChange, ok bool) {
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
