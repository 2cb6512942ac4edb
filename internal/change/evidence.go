package change

import (
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// EvidenceChanged is the rule that recorded evidence of calibration stays as it is.
const EvidenceChanged = "evidence-changed"

// rewritten compares the datasets at the merge bases with those of the head.
func (c *Comparison) rewritten() {
	retired := func(id string) bool { return c.Ledger.Find(id) != nil }
	for _, base := range c.Bases {
		for _, name := range base.datasets() {
			if c.Head.Packed || base.sameFolder(c.Head, name) {
				continue
			}
			if before := base.dataset(name); before != nil { // lint reports what else has its name
				c.Rewrites = append(c.Rewrites, calibration.Rewrites(before, c.Tip.dataset(name), c.Head.dataset(name), retired)...)
			}
		}
	}
}

// measured compares what the evidence says with the first merge base, for people. What a
// bundle says of it was computed by other rules.
func (c *Comparison) measured() {
	if !c.keep || len(c.Bases) == 0 || c.Bases[0].Packed != c.Head.Packed {
		return
	}
	base := c.Bases[0]
	for _, name := range slices.Compact(slices.Sorted(slices.Values(append(base.datasets(), c.Head.datasets()...)))) {
		if base.sameFolder(c.Head, name) {
			continue
		}
		one := calibration.NumbersChange{Dataset: name, Before: base.numbers(name), After: c.Head.numbers(name)}
		if !reflect.DeepEqual(one.Before, one.After) {
			c.Measured = append(c.Measured, one)
		}
	}
}

func (l *Library) datasets() []string {
	if !l.has(calibration.Root, true) {
		return slices.Collect(maps.Keys(l.said))
	}
	names, err := calibration.Names(l.Files)
	l.failed(err)
	return names
}

// numbers is what a dataset says, or nil if there is none.
func (l *Library) numbers(name string) *calibration.Numbers {
	if l.Packed {
		return l.said[name]
	}
	if d := l.dataset(name); d != nil {
		return d.Numbers()
	}
	return nil
}

// sameFolder reports whether two commits have the same content in the folder of a dataset. For
// others than commits, it is unknown.
func (l *Library) sameFolder(other *Library, name string) bool {
	return l.repo != nil && other.repo != nil && l.folderHash(name) == other.folderHash(name)
}

func (l *Library) folderHash(name string) string {
	hash, err := l.repo.Snapshot(l.Commit, l.folder).Hash(path.Join(calibration.Root, name))
	l.failed(err)
	return hash
}

// has reports whether the library has a folder or a regular file with a path.
func (l *Library) has(name string, folder bool) bool {
	if l.Files == nil {
		return false
	}
	info, err := fs.Lstat(l.Files, name)
	l.failed(safefile.Unreadable(l.Files))
	return err == nil && (info.IsDir() && folder || info.Mode().IsRegular() && !folder)
}

// dataset reads a dataset as far as it is valid; nil if there is none, or something else has
// its name or its file's.
func (l *Library) dataset(name string) *calibration.Dataset {
	at := path.Join(calibration.Root, name)
	if !calibration.IsName(name) || !l.has(calibration.Root, true) || !l.has(at, true) || !l.has(path.Join(at, calibration.DatasetFile), false) {
		return nil
	}
	d, _, err := calibration.Load(l.Files, name) // lint reports its problems
	l.failed(err)
	return d
}

func (s *Step) evidence() {
	for _, r := range s.Rewrites {
		v := &Verdict{
			Rule: EvidenceChanged, ID: r.Dataset, Item: r.Item, At: r.At, Message: r.Message,
			Final: r.Final && !s.isHistory(), Damage: r.Final && s.isHistory(),
		}
		if v.Final {
			v.Message += " An exception lets all answers to an item be removed, but not this."
		}
		s.add(v)
	}
}
