package authoring

import (
	"errors"

	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// Past is the history of a library in its repository.
type Past struct {
	// Name is the name in messages of the place where documents are published, such as
	// "origin/main".
	Name string
	// Bases are the libraries to compare with: those where the branch began, or the
	// one in the last commit on the main branch.
	Bases []*history.Library
	// Tip is the published library. Head is the library in the last commit.
	Tip, Head *history.Library
}

// ReadPast reads the history of the library in a folder. On the main branch, its own
// content is published. On another branch, the content of the target is.
func ReadPast(repo *gitrepo.Repo, target gitrepo.Target, folder string) (*Past, error) {
	commit, err := repo.Head()
	if err != nil && !errors.Is(err, gitrepo.ErrNoCommit) {
		return nil, err
	}
	head := history.Nothing()
	if !commit.IsZero() {
		if head, err = history.At(repo, commit, folder); err != nil {
			return nil, err
		}
	}
	if target.OnMain || target.Commit.IsZero() {
		return &Past{Name: "the last commit", Bases: []*history.Library{head}, Tip: head, Head: head}, nil
	}
	p := &Past{Name: target.Name, Head: head}
	if p.Tip, err = history.At(repo, target.Commit, folder); err != nil {
		return nil, err
	}
	p.Bases, err = history.Bases(repo, target, p.Tip, "choose another target with --base REV", func(c gitrepo.Commit) (*history.Library, error) {
		return history.At(repo, c, folder)
	})
	return p, err
}
