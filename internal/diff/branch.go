package diff

import (
	"errors"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// Branch compares a working tree with the target that it is going to be merged
// into: what changed counts from the commits that both have in common, the
// versions count from the target's tip. head is the library in the folder of the
// repository.
func Branch(repo *gitrepo.Repo, target gitrepo.Target, folder string, head *Library) (*Comparison, error) {
	tip := Nothing("nothing")
	before := []*Library{tip}
	var err error
	if !target.Commit.IsZero() {
		if tip, err = At(repo, target.Commit, target.Name, folder); err != nil {
			return nil, err
		}
		if before, err = inCommon(repo, tip, folder); err != nil {
			return nil, err
		}
	}
	c, err := Compare(before, tip, head)
	if err != nil {
		return nil, err
	}
	c.Why = target.Why
	return c, nil
}

// inCommon is the library at the last commits that HEAD has in common with the
// target's tip.
func inCommon(repo *gitrepo.Repo, tip *Library, folder string) ([]*Library, error) {
	head, err := repo.Head()
	if errors.Is(err, gitrepo.ErrNoCommit) {
		return []*Library{tip}, nil
	}
	if err != nil {
		return nil, err
	}
	commits, err := repo.MergeBases(head, tip.Commit)
	if err != nil {
		return nil, err
	}
	if len(commits) == 0 {
		return nil, fmt.Errorf("this branch and %s have no commit in common, so nobody can tell what changed. "+
			"Rebase it onto %s, or name the revision to compare with", tip.Name, tip.Name)
	}
	var libraries []*Library
	for _, c := range commits {
		l := tip
		if c.Hash != tip.Commit.Hash {
			if l, err = At(repo, c, c.Hash, folder); err != nil {
				return nil, err
			}
		}
		libraries = append(libraries, l)
	}
	return libraries, nil
}
