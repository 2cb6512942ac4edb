package history

import (
	"errors"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// Bases are what a library was where the branch of HEAD began: at the last commits that
// it has in common with the target, whose tip is that at the target itself. Before the
// first commit it is the tip. advice ends the error where the two have no such commit.
func Bases[L any](repo *gitrepo.Repo, target gitrepo.Target, tip L, advice string, at func(gitrepo.Commit) (L, error)) ([]L, error) {
	head, err := repo.Head()
	if errors.Is(err, gitrepo.ErrNoCommit) {
		return []L{tip}, nil
	}
	if err != nil {
		return nil, err
	}
	commits, err := repo.MergeBases(head, target.Commit)
	if err == nil && len(commits) == 0 {
		err = fmt.Errorf("this branch and %s have no commit in common, so nobody can tell what changed. Rebase it onto %[1]s, or %s", target.Name, advice)
	}
	var bases []L
	for _, c := range commits {
		base := tip
		if c.Hash != target.Commit.Hash {
			if base, err = at(c); err != nil {
				return nil, err
			}
		}
		bases = append(bases, base)
	}
	return bases, err
}
