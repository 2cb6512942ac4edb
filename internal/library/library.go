package library

import (
	"cmp"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/document"
)

// Library is the documents of a bundle or of a folder. It is safe for concurrent use.
// Its lines are shared and must not be changed.
type Library struct {
	// Bundle is nil for a folder.
	Bundle *bundlefile.Bundle
	folder map[string]*Line // by ID; nil for a bundle

	// known caches the lines of single IDs of a bundle, as *Line by ID.
	known sync.Map

	mu     sync.Mutex
	index  []byte                // of a bundle, nil until it is read
	ledger map[string]Retirement // nil until it is read
	lines  []*Line               // nil until they are read
}

// Line is what is needed to list a document and to choose a version of it.
type Line struct {
	bundlefile.IndexLine
	// Retirement is the reason why a document is gone, nil unless Retired is set. It
	// is empty if the library gives no reason.
	Retirement *Retirement

	numbers []*semver.Version // of Versions, nil for an invalid one
	data    []byte            // the canonical form of the only version of a folder
}

// NewLine parses the versions of a line. An invalid version is never chosen.
func NewLine(l bundlefile.IndexLine) *Line {
	line := &Line{IndexLine: l}
	for _, v := range l.Versions {
		n, _ := semver.StrictNewVersion(v.Version)
		line.numbers = append(line.numbers, n)
	}
	return line
}

// Highest returns the highest version that satisfies a constraint, "" for any, and
// false if none does. The error means that the constraint is not valid.
func (l *Line) Highest(constraint string) (v bundlefile.Version, ok bool, err error) {
	allowed := func(*semver.Version) bool { return true }
	if constraint != "" {
		c, err := newConstraint(constraint)
		if err != nil {
			return v, false, err
		}
		allowed = c.Check
	}
	for i, number := range slices.Backward(l.numbers) {
		if number != nil && allowed(number) {
			return l.Versions[i], true, nil
		}
	}
	return v, false, nil
}

// OpenFolder reads the library in a folder, as Read does. Each document has one
// version. A retired ID has a line without versions.
func OpenFolder(fsys fs.FS) (*Library, error) {
	l := &Library{folder: map[string]*Line{}, ledger: map[string]Retirement{}}
	retired, err := Read(fsys, l.add)
	if err != nil {
		return nil, err
	}
	for _, gone := range retired {
		l.ledger[gone.ID] = gone
		index := bundlefile.IndexLine{ID: gone.ID, Kind: gone.Kind, Latest: gone.LastVersion, Retired: true}
		l.folder[gone.ID] = &Line{IndexLine: index, Retirement: &gone}
	}
	l.lines = slices.SortedFunc(maps.Values(l.folder), func(a, b *Line) int { return cmp.Compare(a.ID, b.ID) })
	return l, nil
}

func (l *Library) add(d *document.Document) error {
	data, err := d.Canonical()
	if err != nil {
		return err
	}
	digest, err := d.Digest()
	if err != nil {
		return err
	}
	index, err := bundlefile.LineOf(d.ID(), d.Kind.Name, data, []bundlefile.Version{{Version: d.Version(), Digest: digest}})
	if err != nil {
		return err
	}
	line := NewLine(index)
	line.data = data
	l.folder[line.ID] = line
	return nil
}

// Line returns the line of an ID, or nil if there is none.
func (l *Library) Line(id string) (*Line, error) {
	if l.Bundle != nil {
		return l.bundleLine(id)
	}
	return l.folder[id], nil
}

// Digest returns the document digest of a version, or "" if there is none. It reads no
// other version, so it is cheap.
func (l *Library) Digest(kind, id, version string) string {
	if l.Bundle != nil {
		return l.Bundle.EntryDigest(bundlefile.DocumentPath(kind, id, version))
	}
	if line := l.folder[id]; line != nil && line.Kind == kind && !line.Retired && line.Latest == version {
		return line.Versions[0].Digest
	}
	return ""
}

// Read returns the canonical form of a version that has a digest.
func (l *Library) Read(kind, id, version string) ([]byte, error) {
	if l.Bundle != nil {
		return l.readBundle(kind, id, version)
	}
	return l.folder[id].data, nil
}
