package change

import (
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// findRewrites compares the datasets at the merge bases with those of the head.
func (c *Comparison) findRewrites() error {
	if c.Head.Packed {
		return nil
	}
	for _, base := range c.Bases {
		names, err := base.datasets()
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := c.findRewritesOf(base, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// findRewritesOf compares a dataset at a merge base with that of the head.
func (c *Comparison) findRewritesOf(base *Library, name string) error {
	same, err := base.sameFolder(c.Head, name)
	if same || err != nil {
		return err
	}
	before, err := base.dataset(name)
	if before == nil || err != nil { // lint reports what else has its name
		return err
	}
	tip, err := c.Tip.dataset(name)
	if err != nil {
		return err
	}
	now, err := c.Head.dataset(name)
	if err != nil {
		return err
	}
	gone := map[string]bool{}
	for _, id := range before.AppliesTo {
		if now != nil && slices.Contains(now.AppliesTo, id) {
			continue
		}
		rubric, err := c.Head.Find(id)
		if limits.IsPointer(err) {
			continue // lint reports it
		}
		if err != nil {
			return err
		}
		gone[id] = rubric == nil || c.Ledger.Find(id) != nil
	}
	c.Rewrites = append(c.Rewrites, calibration.Rewrites(before, tip, now, gone)...)
	return nil
}

// measure compares what the evidence says with the first merge base, for people. What a
// bundle says of it was computed by other rules.
func (c *Comparison) measure() error {
	if !c.keep || len(c.Bases) == 0 || c.Bases[0].Packed != c.Head.Packed {
		return nil
	}
	base := c.Bases[0]
	names, err := base.datasets()
	if err != nil {
		return err
	}
	now, err := c.Head.datasets()
	if err != nil {
		return err
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(append(names, now...)))) {
		if err := c.measureDataset(base, name); err != nil {
			return err
		}
	}
	return nil
}

func (c *Comparison) measureDataset(base *Library, name string) error {
	same, err := base.sameFolder(c.Head, name)
	if same || err != nil {
		return err
	}
	one := report.NumbersChange{Dataset: name}
	if one.Before, err = base.numbers(name); err != nil {
		return err
	}
	if one.After, err = c.Head.numbers(name); err != nil {
		return err
	}
	if !reflect.DeepEqual(one.Before, one.After) {
		c.Measured = append(c.Measured, one)
	}
	return nil
}

func (l *Library) datasets() ([]string, error) {
	there, err := l.has(calibration.Root, true)
	if err != nil {
		return nil, err
	}
	if !there {
		return slices.Collect(maps.Keys(l.said)), nil
	}
	return calibration.Names(l.Files)
}

// numbers is what a dataset says, or nil if there is none.
func (l *Library) numbers(name string) (*measure.Numbers, error) {
	if l.Packed {
		return l.said[name], nil
	}
	d, err := l.dataset(name)
	if d == nil || err != nil {
		return nil, err
	}
	return measure.NumbersOf(d, decide.Defaults().MinimumItems), nil
}

// sameFolder reports whether two commits have the same content in the folder of a dataset. For
// others than commits, it is unknown.
func (l *Library) sameFolder(other *Library, name string) (bool, error) {
	if l.repo == nil || other.repo == nil {
		return false, nil
	}
	hash, err := l.folderHash(name)
	if err != nil {
		return false, err
	}
	otherHash, err := other.folderHash(name)
	return hash == otherHash, err
}

func (l *Library) folderHash(name string) (string, error) {
	return l.repo.Snapshot(l.Commit, l.folder).Hash(path.Join(calibration.Root, name))
}

// has reports whether the library has a folder or a regular file with a path.
func (l *Library) has(name string, folder bool) (bool, error) {
	if l.Files == nil {
		return false, nil
	}
	info, err := fs.Lstat(l.Files, name)
	if err := safefile.Unreadable(l.Files); err != nil {
		return false, err
	}
	return err == nil && (info.IsDir() && folder || info.Mode().IsRegular() && !folder), nil
}

// dataset reads a dataset as far as it is valid; nil if there is none, or something else has
// its name or its file's.
func (l *Library) dataset(name string) (*calibration.Dataset, error) {
	if !calibration.IsName(name) {
		return nil, nil
	}
	at := path.Join(calibration.Root, name)
	for _, folder := range []string{calibration.Root, at} {
		there, err := l.has(folder, true)
		if !there || err != nil {
			return nil, err
		}
	}
	there, err := l.has(path.Join(at, calibration.DatasetFile), false)
	if !there || err != nil {
		return nil, err
	}
	d, _, err := calibration.Load(l.Files, name) // lint reports its problems
	if limits.IsPointer(err) {
		return nil, nil
	}
	return d, err
}

func (s *Step) judgeEvidence() {
	for _, r := range s.Rewrites {
		v := &BrokenRule{
			Rule: EvidenceChanged, ID: r.Dataset, Item: r.Item, At: r.At, Message: r.Message,
			Final: r.Final && !s.isHistory(), Damage: r.Final && s.isHistory(),
		}
		if v.Final {
			v.Message += " An exception lets all answers to an item be removed, but not this."
		}
		s.add(v)
	}
}
