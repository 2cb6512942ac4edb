package authoring

import (
	"errors"
	"fmt"

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
	head, err := libraryAt(repo, commit, folder)
	if err != nil {
		return nil, err
	}
	if target.OnMain || target.Commit.IsZero() {
		return &Past{Name: "the last commit", Bases: []*history.Library{head}, Tip: head, Head: head}, nil
	}
	p := &Past{Name: target.Name, Head: head}
	if p.Tip, err = libraryAt(repo, target.Commit, folder); err != nil {
		return nil, err
	}
	p.Bases, err = readBases(repo, commit, target, folder)
	return p, err
}

// libraryAt is the library at a commit, and one without documents before the first.
func libraryAt(repo *gitrepo.Repo, commit gitrepo.Commit, folder string) (*history.Library, error) {
	if commit.IsZero() {
		return history.Nothing(), nil
	}
	return history.At(repo, commit, folder)
}

// readBases are the libraries where the branch of a commit began.
func readBases(repo *gitrepo.Repo, head gitrepo.Commit, target gitrepo.Target, folder string) ([]*history.Library, error) {
	commits := []gitrepo.Commit{target.Commit}
	if !head.IsZero() {
		var err error
		if commits, err = repo.MergeBases(head, target.Commit); err != nil {
			return nil, err
		}
	}
	if len(commits) == 0 {
		return nil, fmt.Errorf("this branch and %s have no commit in common, so nobody can tell what changed. Rebase it onto %s, or name another one: --base REV", target.Name, target.Name)
	}
	var bases []*history.Library
	for _, commit := range commits {
		l, err := libraryAt(repo, commit, folder)
		if err != nil {
			return nil, err
		}
		bases = append(bases, l)
	}
	return bases, nil
}
