package release

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// prior is the previous bundle, which is nil before the first, with its index by ID.
type prior struct {
	bundle   *bundlefile.Bundle
	manifest bundlefile.Manifest
	lines    map[string]bundlefile.IndexLine
}

func readPrior(b *bundlefile.Bundle) (*prior, error) {
	p := &prior{bundle: b, lines: map[string]bundlefile.IndexLine{}}
	if b == nil {
		return p, nil
	}
	p.manifest = b.Manifest()
	for line, err := range b.Index() {
		if err != nil {
			return nil, err
		}
		p.lines[line.ID] = line
	}
	return p, nil
}

// digestOf is the document digest of a version, or "".
func (p *prior) digestOf(k key) string {
	if line, ok := p.lines[k.id]; ok {
		return p.bundle.EntryDigest(bundlefile.DocumentPath(line.Kind, k.id, k.version))
	}
	return ""
}

// versionsOf lists a version, or all of its document if the version is unknown, as far as the bundle
// has them.
func (p *prior) versionsOf(k key) (all []key) {
	for _, v := range p.lines[k.id].Versions {
		if k.version == "" || k.version == v.Version {
			all = append(all, key{k.id, v.Version})
		}
	}
	return all
}

// read is a version as it was released. Its digest in NFC, in which a canonical form was not always,
// is that of the same text in the history.
func (p *prior) read(k key) (c *content, inNFC string, err error) {
	kind := p.lines[k.id].Kind
	d, err := bundlecheck.Read(p.bundle, kind, k.id, k.version)
	if err != nil {
		return nil, "", err
	}
	inNFC, err = d.Digest()
	return &content{key: k, kind: kind, digest: p.digestOf(k), data: d.File.Data}, inNFC, err
}

// among returns the content of a version that was released, if it is one of a list: as it was
// released, and as it is in the list.
func (p *prior) among(list []*content, k key) (released, same *content, err error) {
	digest := p.digestOf(k)
	if digest == "" {
		return nil, nil, nil
	}
	with := func(digest string) int {
		return slices.IndexFunc(list, func(c *content) bool { return c.digest == digest })
	}
	if i := with(digest); i >= 0 {
		return list[i], list[i], nil
	}
	c, inNFC, err := p.read(k)
	if err != nil {
		return nil, nil, err
	}
	if i := with(inNFC); i >= 0 {
		return c, list[i], nil
	}
	return nil, nil, nil
}
