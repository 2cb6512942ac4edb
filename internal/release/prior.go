package release

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// prior is the previous bundle; its zero value is that of a build without one.
type prior struct {
	lines      map[string]bundlefile.IndexLine
	ledger     map[string]library.Retirement
	tombstones []bundlefile.Omission
}

func readPrior(b *bundlefile.Bundle) (p prior, err error) {
	if b == nil {
		return p, nil
	}
	p = prior{lines: map[string]bundlefile.IndexLine{}, tombstones: b.Manifest().Tombstones}
	for line, err := range b.Index() {
		if err != nil {
			return p, err
		}
		p.lines[line.ID] = line
	}
	p.ledger, err = bundlecheck.Retired(b)
	return p, err
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

func (p *prior) tombstone(k key) bool {
	return slices.ContainsFunc(p.tombstones, func(o bundlefile.Omission) bool { return o.ID == k.id && o.Version == k.version })
}
