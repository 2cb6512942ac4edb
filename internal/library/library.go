package library

import (
	"cmp"
	"io/fs"
	"maps"
	"os"
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
	file   *os.File         // of OpenFile
	folder map[string]*Line // by ID; nil for a bundle

	// known caches what Line returns for a bundle, as *Line by ID.
	known sync.Map

	mu     sync.Mutex
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
	places  func() []place    // what a search covers
}

// NewLine parses the versions of a line. An invalid version is never chosen.
func NewLine(l bundlefile.IndexLine) *Line {
	line := &Line{IndexLine: l}
	line.places = sync.OnceValue(func() []place { return placesOf(line) })
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
		l.folder[gone.ID] = retiredLine(gone)
	}
	l.lines = slices.SortedFunc(maps.Values(l.folder), func(a, b *Line) int { return cmp.Compare(a.ID, b.ID) })
	return l, nil
}

// retiredLine returns the line of a document of which only the ledger is left.
func retiredLine(gone Retirement) *Line {
	line := NewLine(bundlefile.IndexLine{ID: gone.ID, Kind: gone.Kind, Latest: gone.LastVersion, Retired: true})
	line.Retirement = &gone
	return line
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

// Line returns what is needed to choose a version of a document, or nil if there is none
// with the ID. In a bundle, this follows from the manifest and the names of the entries,
// so the line has only ID, Kind, Latest, Versions, and Retired. The line of an ID that only
// the ledger has is without versions, as in a folder.
func (l *Library) Line(id string) (*Line, error) {
	if l.Bundle != nil {
		return l.bundleLine(id)
	}
	return l.folder[id], nil
}

// FullLine returns the whole line of an ID, or nil if there is none. In a bundle, it reads
// the index.
func (l *Library) FullLine(id string) (*Line, error) {
	if l.Bundle == nil {
		return l.folder[id], nil
	}
	lines, err := l.Lines()
	if i, found := slices.BinarySearchFunc(lines, id, func(line *Line, id string) int { return cmp.Compare(line.ID, id) }); found {
		return lines[i], nil
	}
	if err != nil {
		return nil, err
	}
	return l.Line(id)
}

// ID is the ID of a document, and its kind.
type ID struct{ ID, Kind string }

// IDs returns the IDs of all documents that are not retired, sorted. In a bundle, they
// follow from the names of the entries.
func (l *Library) IDs() []ID {
	var ids []ID
	if l.Bundle == nil {
		for _, line := range l.lines {
			if !line.Retired {
				ids = append(ids, ID{line.ID, line.Kind})
			}
		}
		return ids
	}
	retired := l.Bundle.Manifest().Retired
	for path := range l.Bundle.Paths("ru") { // rubrics/ and rulesets/
		kind, id, _, ok := bundlefile.SplitDocumentPath(path)
		_, gone := slices.BinarySearch(retired, id)
		if ok && !gone && (len(ids) == 0 || ids[len(ids)-1].ID != id) {
			ids = append(ids, ID{id, kind})
		}
	}
	slices.SortFunc(ids, func(a, b ID) int { return cmp.Compare(a.ID, b.ID) })
	return ids
}

// Calibration returns how well a judge agrees with people on the latest version of a
// document, or nil if the document names no labeled items. A folder has no calibrations.
func (l *Library) Calibration(id string) (*bundlefile.Calibration, error) {
	if l.Bundle == nil {
		return nil, nil
	}
	return l.Bundle.Calibration(id)
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
