package calibrate

import (
	"errors"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// datasetWithPast reads a dataset, and what exceptions and the Git history say about it.
func (c *calibrateCommand) datasetWithPast(name string) (*calibration.Dataset, error) {
	d, err := c.dataset(name)
	if err != nil {
		return nil, err
	}
	exceptions, err := change.ExceptionsIn(gitrepo.NewWorkTree(c.library))
	if err != nil {
		return nil, err
	}
	d.Removed = change.Removed(exceptions, d)
	d.Together, err = c.together(d)
	return d, err
}

// together counts the labels that reached the history together with answers. An absent or incomplete
// history does not say.
func (c *calibrateCommand) together(d *calibration.Dataset) (int, error) {
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
	n, err := change.Together(repo, head, folder, d)
	if missing := (*gitrepo.ObjectError)(nil); errors.As(err, &missing) && missing.Missing {
		return 0, nil // a partial clone
	}
	return n, err
}
