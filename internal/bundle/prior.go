package bundle

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/library"
)

// prior is the previous bundle; its zero value is that of a build without one.
type prior struct {
	lines      map[string]*library.Line
	ledger     map[string]Retirement
	tombstones []bundlefile.Omission
}

func readPrior(l *library.Library) (prior, error) {
	if l == nil {
		return prior{}, nil
	}
	p := prior{lines: map[string]*library.Line{}, tombstones: l.Bundle.Manifest().Tombstones}
	all, err := l.Lines()
	for _, line := range all {
		p.lines[line.ID] = line
	}
	if err == nil {
		p.ledger, err = l.Ledger()
	}
	return p, err
}

// digestOf is the document digest of a version, or "".
func (b *builder) digestOf(k key) string {
	if line := b.lines[k.id]; line != nil {
		return b.Previous.Digest(line.Kind, k.id, k.version)
	}
	return ""
}

// tombstone reports whether a version was withdrawn.
func (p *prior) tombstone(k key) bool {
	return slices.ContainsFunc(p.tombstones, func(o bundlefile.Omission) bool { return o.ID == k.id && o.Version == k.version })
}
