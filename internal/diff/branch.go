package diff

import (
	"errors"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// Branch compares a working tree with the target that it is going to be merged
// into: what changed counts from the commits that both have in common, the
// versions count from the target's tip. head is the library in the folder of the
// repository.
func Branch(repo *gitrepo.Repo, target gitrepo.Target, folder string, head *Library) (*Comparison, error) {
	if target.Commit.IsZero() {
		return explained(Nothing("nothing"), target, head)
	}
	tip, err := At(repo, target.Commit, target.Name, folder)
	if err != nil {
		return nil, err
	}
	commit, err := repo.Head()
	if errors.Is(err, gitrepo.ErrNoCommit) {
		return explained(tip, target, head)
	}
	if err != nil {
		return nil, err
	}
	commits, err := repo.MergeBases(commit, target.Commit)
	if err != nil {
		return nil, err
	}
	if len(commits) == 0 {
		return nil, fmt.Errorf("this branch and %s have no commit in common, so nobody can tell what changed. "+
			"Rebase it onto %s, or name the revision to compare with", target.Name, target.Name)
	}
	var before []*Library
	for _, c := range commits {
		l := tip
		if c.Hash != tip.Commit.Hash {
			if l, err = At(repo, c, c.Hash[:12], folder); err != nil {
				return nil, err
			}
		}
		before = append(before, l)
	}
	c, err := Compare(before, tip, head)
	if err == nil {
		c.Why = target.Why
	}
	return c, err
}

func explained(tip *Library, target gitrepo.Target, head *Library) (*Comparison, error) {
	c, err := Compare([]*Library{tip}, tip, head)
	if err == nil {
		c.Why = target.Why
	}
	return c, err
}
