package holdings

import (
	"maps"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// Datasets are the names of the datasets.
func (l *Library) Datasets() ([]string, error) {
	there, err := l.has(calibration.Root, true)
	if err != nil {
		return nil, err
	}
	if !there {
		return slices.Collect(maps.Keys(l.said)), nil
	}
	return calibration.Names(l.Files)
}

// Numbers is what a dataset says, or nil if there is none.
func (l *Library) Numbers(name string) (*measure.Numbers, error) {
	if l.Packed {
		return l.said[name], nil
	}
	d, err := l.Dataset(name)
	if d == nil || err != nil {
		return nil, err
	}
	return measure.NumbersOf(d, decide.Defaults().MinimumItems), nil
}

// SameDataset reports whether two commits have the same content in the folder of a dataset. For
// others than commits, it is unknown.
func (l *Library) SameDataset(other *Library, name string) (bool, error) {
	if l.Repo == nil || other.Repo == nil {
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
	return l.Repo.Snapshot(l.Commit, l.Folder).Hash(path.Join(calibration.Root, name))
}

// has reports whether the library has a folder or a regular file with a path.
func (l *Library) has(name string, folder bool) (bool, error) {
	if l.Files == nil {
		return false, nil
	}
	info, err := safefile.Find(l.Files, name)
	if info == nil || err != nil {
		return false, err
	}
	return info.IsDir() && folder || info.Mode().IsRegular() && !folder, nil
}

// Dataset reads a dataset as far as it is valid; nil if there is none, or something else has
// its name or its file's.
func (l *Library) Dataset(name string) (*calibration.Dataset, error) {
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
	if safefile.IsPointer(err) {
		return nil, nil
	}
	return d, err
}

// Bond is what binds rubrics to a dataset, or nil if there is none. In a commit, it is found once for the same
// content.
func (l *Library) Bond(name string) (*calibration.Bond, error) {
	find := func() (*calibration.Bond, error) {
		d, err := l.Dataset(name)
		if d == nil || err != nil {
			return nil, err
		}
		return d.Bond(), nil
	}
	if l.Repo == nil {
		return find()
	}
	hash, err := l.folderHash(name)
	if hash == "" || err != nil {
		return nil, err
	}
	return gitrepo.Once(l.Repo, "bond "+hash, find)
}
