package authoring

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// The metadata of an imported document: where it comes from, and the digest of its text as
// imported, which shows later whether an author has edited it and whether the source has changed.
const (
	metadataKey       = "metadata"
	importedFromKey   = "imported_from"
	importedDigestKey = "imported_digest"
)

// mostMetadata is the length of a text of metadata.
const mostMetadata = 256

// ending is the end of a name that is too long for a record.
func ending(name string) string {
	letters := []rune(name)
	return string(letters[max(0, len(letters)-mostMetadata/2):])
}

// text is the text of a draft.
func (d *Draft) text() []byte {
	return d.newText(d.importedDigest())
}

// importedDigest is the digest of an imported draft, or "" for another one.
func (d *Draft) importedDigest() string {
	if d.Source == "" {
		return ""
	}
	return textDigest(parse(documentPath(d.ArtifactType, d.ID), d.newText("-")))
}

// withRecord returns the content of a draft with the record of its import.
func (d *Draft) withRecord(digest string) *yamltree.Node {
	if d.Source == "" {
		return d.Content
	}
	from := []rune(d.Source + " (" + d.Part + ")")
	metadata := Mapping(importedFromKey, string(from[:min(len(from), mostMetadata)]), importedDigestKey, digest)
	root := *d.Content
	root.Entries = append(slices.Clone(root.Entries), Mapping(metadataKey, metadata).Entries...)
	return &root
}

// textDigest is the digest of a document's text with its comments, except for the ID, the version,
// and the record of the import.
func textDigest(d *document.Document) string {
	root := d.Root()
	metadata := root.Get(metadataKey)
	var edits []source.Edit
	for _, n := range []*yamltree.Node{
		root.Get(d.Kind.IDKey), root.Get(versionKey), metadata.Get(importedFromKey), metadata.Get(importedDigestKey),
	} {
		if n != nil {
			end := n.Span.Start + len(strings.TrimRight(d.File.Text(n.Span), " \r\n")) // of a block of lines
			edits = append(edits, source.Edit{Span: source.Span{Start: n.Span.Start, End: end}})
		}
	}
	text, err := source.Apply(d.File.Data, edits)
	if err != nil {
		return "" // of no document: a value is twice in it
	}
	text = bytes.TrimRight(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), "\n")
	return fmt.Sprintf("sha256:%x", sha256.Sum256(text))
}

// isImportedFrom reports whether a document comes from a file.
func isImportedFrom(d *document.Document, file string) bool {
	return strings.HasPrefix(d.Root().Get(metadataKey).Get(importedFromKey).Text(), file+" (")
}

// recordedDigest is the digest of a document's text as imported.
func recordedDigest(d *document.Document) string {
	return d.Root().Get(metadataKey).Get(importedDigestKey).Text()
}

// isEdited reports whether a document has another text than it was imported with, or no record
// of that.
func isEdited(d *document.Document) bool {
	recorded := recordedDigest(d)
	return recorded == "" || textDigest(d) != recorded
}
