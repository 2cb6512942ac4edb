package history

import (
	"errors"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// Bases are the library at the merge bases of HEAD and the target, or the tip before the
// first commit. tip is the library at the target itself. advice is the end of the error if
// there is no merge base.
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
		err = fmt.Errorf("this branch and %s have no commit in common, so the changes are unknown. Rebase it onto %[1]s, or %s", target.Name, advice)
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
