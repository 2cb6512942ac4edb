package gitrepo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
)

// FileChange is one path at which two snapshots differ.
type FileChange struct {
	// Path is relative to the folders of the snapshots.
	Path string
	// A and B are the entries of the two snapshots; nil if there is none.
	A, B *SnapshotEntry
}

// Changed lists the paths at which b differs from a in content or mode, sorted by
// their bytes. Renames are not detected: a renamed file is one path that only a has
// and one that only b has. Folders with equal content are not read, so the cost
// depends on the size of the difference.
//
// Both snapshots must be from the same Repo.
func Changed(a, b *Snapshot) ([]FileChange, error) {
	d := differ{repo: b.repo}
	before, err := a.rootEntry()
	if err != nil {
		return nil, err
	}
	after, err := b.rootEntry()
	if err != nil {
		return nil, err
	}
	err = d.folders("", before, after)
	return d.changes, err
}

// rootEntry returns the folder as an entry, or nil if it does not exist.
func (s *Snapshot) rootEntry() (*treeEntry, error) {
	e, err := s.topEntry()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return &e, err
}

// differ walks down two folders simultaneously.
type differ struct {
	repo    *Repo
	changes []FileChange
	visited int
}

// folders compares two folders, one of which can be nil. Prefix is their path with a
// slash at the end, or empty.
func (d *differ) folders(prefix string, a, b *treeEntry) error {
	if a != nil && b != nil && a.hash == b.hash {
		return nil
	}
	as, err := d.read(prefix, a)
	if err != nil {
		return err
	}
	bs, err := d.read(prefix, b)
	if err != nil {
		return err
	}
	for i, j := 0, 0; i < as.len() || j < bs.len(); {
		order := 0
		switch {
		case i == as.len():
			order = 1
		case j == bs.len():
			order = -1
		default:
			x, y := as.rawEntry(i), bs.rawEntry(j)
			if bytes.Equal(x, y) {
				i, j = i+1, j+1
				continue
			}
			order = compareEntries(x, y)
		}
		var before, after *treeEntry
		if order <= 0 {
			e := as.rawEntry(i).parse()
			before, i = &e, i+1
		}
		if order >= 0 {
			e := bs.rawEntry(j).parse()
			after, j = &e, j+1
		}
		if err := d.entries(prefix, before, after); err != nil {
			return err
		}
	}
	return nil
}

// read returns the entries of a folder, or none for nil.
func (d *differ) read(prefix string, e *treeEntry) (tree, error) {
	if e == nil {
		return tree{}, nil
	}
	t, err := d.repo.tree(e.hash)
	if err != nil {
		return tree{}, err
	}
	if d.visited += 1 + t.len(); d.visited > maxVisited || len(prefix) > maxPath {
		return tree{}, fmt.Errorf("the folder %.80q has too many files or is nested too deeply", prefix)
	}
	return t, nil
}

// entries compares two entries with the same place in Git's order, so that both or
// neither is a folder; one can be nil.
func (d *differ) entries(prefix string, a, b *treeEntry) error {
	if a != nil && b != nil && a.hash == b.hash && a.mode == b.mode {
		return nil
	}
	one := cmp.Or(a, b)
	if one.mode == folderMode {
		return d.folders(prefix+one.name+"/", a, b)
	}
	path := prefix + one.name
	d.changes = append(d.changes, FileChange{Path: path, A: a.entry(path), B: b.entry(path)})
	return nil
}

func (e *treeEntry) entry(path string) *SnapshotEntry {
	if e == nil {
		return nil
	}
	return &SnapshotEntry{Path: path, Hash: e.hash.String(), Mode: e.mode}
}

// A few small objects can describe a folder of any size, so a walk needs limits: the
// number of files and folders that it visits, and the bytes in a folder's path. No
// working tree comes near them.
const (
	maxVisited = 4 << 20
	maxPath    = 16 << 10
)
