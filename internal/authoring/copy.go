package authoring

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// derivedFromKey is the metadata of a copy: the reference of the version that it began as.
const derivedFromKey = "derived_from"

// OriginalText returns the text of a document of the library: of a version as it is published, or as
// it is in the library if version is "". A digest, unless it is "", must be that of the text.
func (l *Local) OriginalText(id, version, digest string) (*document.Document, error) {
	ledger, err := l.ledger()
	if err != nil {
		return nil, err
	}
	work, err := l.document(id)
	switch {
	case err != nil:
		return nil, err
	case version == "":
		return l.inPlace(id, work, ledger)
	case l.past == nil && work == nil:
		return l.knownDocument(id) // an error that names similar IDs
	case l.past == nil && !isVersion(work, version, digest):
		return nil, fmt.Errorf("the version %s of %s is not the one in %s, and its history is not available here",
			version, id, work.File.Path)
	case l.past == nil:
		return work, nil
	}
	d, err := l.past.OriginalText(id, version, digest)
	if err != nil && work != nil && isVersion(work, version, digest) {
		return work, nil
	}
	return d, err
}

// inPlace is a document as it is in the library, or the error that it is not there or not valid.
func (l *Local) inPlace(id string, work, ledger *document.Document) (*document.Document, error) {
	switch {
	case work == nil && retired(ledger, id):
		return nil, retiredError(ledger, id)
	case work == nil:
		return l.knownDocument(id) // an error that names similar IDs
	case !work.Valid():
		return nil, mistakes(work.File.Path)
	}
	return work, nil
}

// isVersion reports whether a document is valid, and has a version and, unless it is "", a digest.
func isVersion(d *document.Document, version, digest string) bool {
	got, err := d.Digest()
	return err == nil && d.Version() == version && (digest == "" || got == digest)
}

func retiredError(ledger *document.Document, id string) error {
	entries := items(ledger, listKey)
	entry := entries[slices.IndexFunc(entries, func(n *yamltree.Node) bool { return n.Get("id").Text() == id })]
	message := fmt.Sprintf("%s is retired: %s", id, entry.Get("reason").Text())
	if by := entry.Get("replaced_by").Text(); by != "" {
		message += fmt.Sprintf(" Start from %s, or", by)
	} else {
		message += " To start from it anyway,"
	}
	return fmt.Errorf("%s name its last version: %s@%s", message, id, entry.Get("last_version").Text())
}

// CheckCopied returns why a version can't be copied, and what its author should know about it.
func (l *Local) CheckCopied(d *document.Document) (note string, err error) {
	ledger, err := l.ledger()
	if err != nil {
		return "", err
	}
	id, version := d.ID(), d.Version()
	if at := yankOf(ledger, id, version); at >= 0 {
		entry := items(ledger, yankedKey)[at]
		note = fmt.Sprintf("version %s of %s is yanked: %s", version, id, entry.Get("reason").Text())
		if entry.Get(withdrawnKey).IsTrue() {
			return "", withdrawnError(id, version, entry.Get("reason").Text())
		}
	}
	if l.past == nil {
		return note, nil
	}
	why, err := l.past.Withdrawn(ledger, id, version)
	if err == nil && why != "" {
		err = withdrawnError(id, version, why)
	}
	return note, err
}

func withdrawnError(id, version, reason string) error {
	return fmt.Errorf("version %s of %s is withdrawn, so its text is not copied: %s", version, schema.Quote(id), reason)
}

// begun gives a draft that begins as a copy its content.
func (d *Draft) begin() (err error) {
	if d.Original != nil {
		d.Content, err = copied(d.Original)
	}
	return err
}

// origin says what a draft is a copy of, or is "".
func (d *Draft) origin() string {
	if d.Original == nil {
		return ""
	}
	return fmt.Sprintf(", a copy of %s@%s", d.Original.ID(), d.Original.Version())
}

// mostKeys is how many keys of metadata a document can have.
const mostKeys = 32

// copied is the content of a document that begins as a copy of another one: without what is true
// of that one only, and with its reference.
func copied(original *document.Document) (*yamltree.Node, error) {
	digest, err := original.Digest()
	if err != nil {
		return nil, mistakes(original.File.Path)
	}
	k := original.Kind
	root := *original.NormalRoot()
	without := func(entries []yamltree.KeyValue, keys ...string) []yamltree.KeyValue {
		return slices.DeleteFunc(slices.Clone(entries), func(e yamltree.KeyValue) bool {
			return slices.Contains(keys, e.Key.Value)
		})
	}
	metadata := yamltree.Node{Kind: yamltree.Mapping}
	if old := root.Get(metadataKey); old != nil {
		metadata.Entries = without(old.Entries, importedFromKey, importedDigestKey, derivedFromKey)
	}
	origin := Mapping(derivedFromKey, original.ID()+"@"+original.Version()+"#"+digest)
	metadata.Entries = append(metadata.Entries, origin.Entries...)
	if n := len(metadata.Entries); n > mostKeys {
		return nil, fmt.Errorf("the metadata of %s would have %d keys with %s: at most %d are allowed. Copy its file by hand, and remove a key",
			original.ID(), n, derivedFromKey, mostKeys)
	}
	root.Entries = without(root.Entries, k.IDKey, "name", versionKey, "artifact_type", deprecatedKey,
		"calibration_dataset", metadataKey)
	root.Entries = append(root.Entries, Mapping(metadataKey, &metadata).Entries...)
	return &root, nil
}
