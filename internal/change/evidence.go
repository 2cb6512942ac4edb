package change

import (
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// EvidenceChanged is the rule that recorded evidence of calibration stays as it is.
const EvidenceChanged = "evidence-changed"

// rewritten compares the datasets at the merge bases with those of the head.
func (c *Comparison) rewritten() error {
	if err := c.rewrites(); err != nil || len(c.Rewrites) == 0 {
		return err
	}
	for _, base := range c.Bases {
		exceptions, err := base.Exceptions()
		if err != nil {
			return err
		}
		c.standing = append(c.standing, exceptions...)
	}
	return nil
}

func (c *Comparison) rewrites() error {
	for _, base := range c.Bases {
		if c.Head.Packed || !base.has(calibration.Root, true) {
			continue
		}
		names, err := calibration.Names(base.Files)
		if err != nil {
			return err
		}
		for _, name := range names {
			same, err := base.sameFolder(c.Head, path.Join(calibration.Root, name))
			if err != nil {
				return err
			}
			if same {
				continue
			}
			before, err := base.dataset(name)
			if err != nil {
				return err
			}
			if before == nil { // lint reports what has its name
				continue
			}
			target, err := c.Tip.dataset(name)
			if err != nil {
				return err
			}
			now, err := c.Head.dataset(name)
			if err != nil {
				return err
			}
			c.Rewrites = append(c.Rewrites, calibration.Rewrites(before, target, now, func(id string) bool { return c.Ledger.Find(id) != nil })...)
		}
	}
	return nil
}

// measured compares what the evidence says with the first merge base, for people. What a
// bundle says of it was computed by other rules.
func (c *Comparison) measured() error {
	if !c.keep || len(c.Bases) == 0 || c.Bases[0].Packed != c.Head.Packed {
		return nil
	}
	base := c.Bases[0]
	before, err := base.datasets()
	if err != nil {
		return err
	}
	after, err := c.Head.datasets()
	if err != nil {
		return err
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(before, after)))) {
		same, err := base.sameFolder(c.Head, path.Join(calibration.Root, name))
		if err != nil {
			return err
		}
		if same {
			continue
		}
		one := calibration.NumbersChange{Dataset: name}
		if one.Before, err = base.numbers(name); err != nil {
			return err
		}
		if one.After, err = c.Head.numbers(name); err != nil {
			return err
		}
		if !reflect.DeepEqual(one.Before, one.After) {
			c.Measured = append(c.Measured, one)
		}
	}
	return nil
}

func (l *Library) datasets() ([]string, error) {
	if !l.has(calibration.Root, true) {
		return slices.Collect(maps.Keys(l.said)), nil
	}
	return calibration.Names(l.Files)
}

// numbers is what a dataset says, or nil if there is none.
func (l *Library) numbers(name string) (*calibration.Numbers, error) {
	if l.Packed {
		return l.said[name], nil
	}
	d, err := l.dataset(name)
	if d == nil || err != nil {
		return nil, err
	}
	return d.Numbers(), nil
}

// sameFolder reports whether two commits have the same content in a folder. For others than
// commits, it is unknown.
func (l *Library) sameFolder(other *Library, name string) (bool, error) {
	if l.repo == nil || other.repo == nil {
		return false, nil
	}
	hash, err := l.repo.Snapshot(l.Commit, l.folder).Hash(name)
	if err != nil {
		return false, err
	}
	otherHash, err := other.repo.Snapshot(other.Commit, other.folder).Hash(name)
	return hash == otherHash, err
}

// has reports whether the library has a folder or a regular file with a path.
func (l *Library) has(name string, folder bool) bool {
	if l.Files == nil {
		return false
	}
	info, err := fs.Lstat(l.Files, name)
	return err == nil && (info.IsDir() && folder || info.Mode().IsRegular() && !folder)
}

// dataset reads a dataset as far as it is valid; nil if there is none, or something else has
// its name or its file's.
func (l *Library) dataset(name string) (*calibration.Dataset, error) {
	at := path.Join(calibration.Root, name)
	if !calibration.IsName(name) || !l.has(calibration.Root, true) || !l.has(at, true) || !l.has(path.Join(at, calibration.DatasetFile), false) {
		return nil, nil
	}
	d, _, err := calibration.Load(l.Files, name) // lint reports its problems
	return d, err
}

// stands reports whether a merge base has an exception for evidence already. It accepted an
// earlier change, and nobody approved another one.
func (c *Comparison) stands(e *Exception) bool {
	return slices.ContainsFunc(c.standing, func(other *Exception) bool {
		return other.ID == e.ID && other.Item == e.Item && other.Reason == e.Reason
	})
}

func (s *Step) evidence() {
	for _, r := range s.Rewrites {
		history := s.Commit != "" && s.OnBranch // which nobody can change any more
		v := &Verdict{Rule: EvidenceChanged, ID: r.Dataset, Item: r.Item, At: r.At, Message: r.Message, Final: r.Final && !history}
		if v.Final {
			v.Message += " An exception lets all answers to an item be removed, but not this."
		}
		s.add(v)
	}
}
