package calibrate

import (
	"errors"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

// datasetWithPast reads a dataset, and what exceptions and the Git history say about it.
func (c *calibrateCommand) datasetWithPast(name string) (*calibration.Dataset, error) {
	d, err := c.dataset(name)
	if err != nil {
		return nil, err
	}
	exceptions, err := holdings.ExceptionsIn(gitrepo.NewWorkTree(c.library))
	if err != nil {
		return nil, err
	}
	d.Removed = change.Removed(exceptions, d)
	d.Together, err = c.countTogether(d)
	return d, err
}

// countElsewhere counts what judges answered for rubrics in other datasets than those that they name,
// which are known. One that is for these rubrics, or does not say for which it is, must be valid.
func (c *calibrateCommand) countElsewhere(known map[string]*calibration.Dataset) error {
	fsys := safefile.DirFS(c.library)
	names, err := calibration.Names(fsys)
	if err != nil {
		return err
	}
	all, rubrics := slices.Collect(maps.Values(known)), map[string]bool{}
	for _, d := range all {
		for _, id := range d.AppliesTo {
			rubrics[id] = true
		}
	}
	for _, name := range names {
		if known[name] != nil {
			continue
		}
		d, problems, err := calibration.Load(fsys, name)
		if err == nil && len(problems) > 0 {
			isForOne := slices.ContainsFunc(d.AppliesTo, func(id string) bool { return rubrics[id] })
			if isForOne || !d.Head.Valid() {
				d, err = c.dataset(name)
			}
		}
		if err != nil {
			return err
		}
		all = append(all, d)
	}
	for _, d := range known {
		d.CountElsewhere(all)
	}
	return nil
}

// countTogether counts the labels that reached the history together with answers. An absent or incomplete
// history does not say.
func (c *calibrateCommand) countTogether(d *calibration.Dataset) (int, error) {
	repo, err := gitrepo.OpenCommits(c.library)
	if errors.Is(err, gitrepo.ErrNoRepository) || errors.Is(err, gitrepo.ErrIncomplete) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer repo.Close()
	head, err := repo.Head()
	if errors.Is(err, gitrepo.ErrNoCommit) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	folder, err := repo.Folder(c.library)
	if err != nil {
		return 0, err
	}
	n, err := holdings.Together(repo, head, folder, d)
	if missing := (*objects.Error)(nil); errors.As(err, &missing) && missing.Partial {
		return 0, nil
	}
	return n, err
}
