package release

import (
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// readIndex reads the index of a bundle, which can be nil, by ID.
func readIndex(b *bundlefile.Bundle) (map[string]bundlefile.IndexLine, error) {
	lines := map[string]bundlefile.IndexLine{}
	if b == nil {
		return lines, nil
	}
	for line, err := range b.Index() {
		if err != nil {
			return nil, err
		}
		lines[line.ID] = line
	}
	return lines, nil
}

// digestOf is the document digest of a version, or "".
func (b *builder) digestOf(k key) string {
	if line, ok := b.lines[k.id]; ok {
		return b.Previous.EntryDigest(bundlefile.DocumentPath(line.Kind, k.id, k.version))
	}
	return ""
}

// released is a version in the previous bundle, as it was released. Its digest in NFC, in which a
// canonical form was not always, is that of the same text in the history.
func (b *builder) released(kind string, k key) (c *content, inNFC string, err error) {
	data, err := bundlecheck.Read(b.Previous, kind, k.id, k.version)
	if err != nil {
		return nil, "", err
	}
	d, err := bundlecheck.Document(kind, k.id, k.version, data)
	if err == nil {
		inNFC, err = d.Digest()
	}
	return &content{key: k, kind: kind, digest: b.digestOf(k), data: data}, inNFC, err
}
