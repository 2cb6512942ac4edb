package cli

import (
	"errors"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// open finds the library around the working folder and what was published of it.
func (c *editCommand) open() (*authoring.Library, error) {
	var err error
	if c.library, err = findLibrary(nil, ""); err != nil {
		return nil, err
	}
	past, err := c.past()
	if err != nil {
		return nil, err
	}
	return authoring.Open(safefile.DirFS(c.library.root), past)
}

// close closes the repository. What was read is read, so an error says nothing.
func (c *editCommand) close() {
	if c.repo != nil {
		_ = c.repo.Close()
	}
}

// past is what the repository of the library holds, nil where there is none or
// --base none leaves it aside.
func (c *editCommand) past() (*authoring.Past, error) {
	if c.base == noBase {
		return nil, nil
	}
	repo, err := gitrepo.Open(c.library.root)
	if missing := (*gitrepo.NotARepositoryError)(nil); errors.As(err, &missing) && missing.Reason == "" && c.base == "" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w\n`--base none` leaves the history aside", err)
	}
	c.repo = repo
	folder, err := repo.Folder(c.library.root)
	if err != nil {
		return nil, err
	}
	at := func(commit gitrepo.Commit) (*history.Library, error) {
		if commit.IsZero() {
			return history.Nothing(), nil
		}
		return history.At(repo, commit, folder)
	}
	commit, err := repo.Head()
	if err != nil && !errors.Is(err, gitrepo.ErrNoCommit) {
		return nil, err
	}
	head, err := at(commit)
	if err != nil {
		return nil, err
	}
	target, err := c.Streams.target(c.repo, c.base)
	if err != nil {
		return nil, err
	}
	// What the main branch itself has is published.
	if target.OnMain || target.Commit.IsZero() {
		return &authoring.Past{Name: "the last commit", Bases: []*history.Library{head}, Tip: head, Head: head}, nil
	}
	p := &authoring.Past{Name: target.Name, Head: head}
	if p.Tip, err = at(target.Commit); err != nil {
		return nil, err
	}
	p.Bases, err = c.bases(commit, target, at)
	return p, err
}

// bases are the libraries where the branch of a commit began.
func (c *editCommand) bases(head gitrepo.Commit, target gitrepo.Target, at func(gitrepo.Commit) (*history.Library, error)) ([]*history.Library, error) {
	commits := []gitrepo.Commit{target.Commit}
	if !head.IsZero() {
		var err error
		if commits, err = c.repo.MergeBases(head, target.Commit); err != nil {
			return nil, err
		}
	}
	if len(commits) == 0 {
		return nil, fmt.Errorf("this branch and %s have no commit in common, so nobody can tell what changed. Rebase it onto %s, or name another one: --base REV", target.Name, target.Name)
	}
	var bases []*history.Library
	for _, commit := range commits {
		l, err := at(commit)
		if err != nil {
			return nil, err
		}
		bases = append(bases, l)
	}
	return bases, nil
}
