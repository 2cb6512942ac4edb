package authoring

import (
	"errors"

	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// Past is what the repository of a library holds.
type Past struct {
	// Name is how messages call the place where documents are published:
	// "origin/main".
	Name string
	// Bases are what the library is compared with: where its branch began, or
	// the last commit of the main branch itself.
	Bases []*history.Library
	// Tip is what is published. Head is the last commit.
	Tip, Head *history.Library
}

// ReadPast reads what the repository holds of the library in a folder. What the
// main branch itself has is published; on another branch, what the target has is.
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
	p.Bases, err = history.Bases(repo, target, p.Tip, "name another one: --base REV", func(c gitrepo.Commit) (*history.Library, error) {
		return history.At(repo, c, folder)
	})
	return p, err
}
