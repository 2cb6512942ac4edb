package bundle

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/library"
)

// prior is what a build needs to know about the previous bundle. Its zero value is that
// of a build without one.
type prior struct {
	lines      []*library.Line // sorted by ID
	byID       map[string]*library.Line
	ledger     map[string]Retirement
	tombstones []bundlefile.Omission
}

func readPrior(l *library.Library) (r prior, err error) {
	if l == nil {
		return r, nil
	}
	if r.lines, err = l.Lines(); err != nil {
		return r, err
	}
	r.byID = map[string]*library.Line{}
	for _, line := range r.lines {
		r.byID[line.ID] = line
	}
	r.tombstones = l.Bundle.Manifest().Tombstones
	r.ledger, err = l.Ledger()
	return r, err
}

// digestOf is the document digest of a version, or "".
func (r *prior) digestOf(k key) string {
	if line := r.byID[k.id]; line != nil {
		for _, v := range line.Versions {
			if v.Version == k.version {
				return v.Digest
			}
		}
	}
	return ""
}

// tombstone reports whether a version was withdrawn.
func (r *prior) tombstone(k key) bool {
	return slices.ContainsFunc(r.tombstones, func(o bundlefile.Omission) bool { return o.ID == k.id && o.Version == k.version })
}
