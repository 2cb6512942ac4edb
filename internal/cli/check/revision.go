package check

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// findCommitted finds the library in a commit, as findLibrary does on disk. The names
// of files and folders are relative to here, which is also the default. At the root of
// a repository, a single library does not need to be named.
func findCommitted(c *command.Committed, here string, names []string) (*command.Paths, error) {
	l := &command.Paths{Commit: c}
	err := l.Choose(names, func(name string) (folder, relative string, err error) {
		at := path.Join(here, name)
		if path.IsAbs(name) || at == ".." || strings.HasPrefix(at, "../") {
			return "", "", fmt.Errorf("%s is not inside the repository: expected a file or folder of the commit, relative to the working folder", name)
		}
		_, unknown := fs.Lstat(c.Files, at)
		if err := safefile.Unreadable(c.Files); err != nil {
			return "", "", err
		}
		if unknown != nil && len(names) > 0 {
			return "", "", fmt.Errorf("%s does not exist in this commit", name)
		}
		if len(names) == 0 {
			name = here
		}
		if at == "." {
			at = ""
		}
		folder, found := library.FindIn(c.Files, at)
		if err := safefile.Unreadable(c.Files); err != nil {
			return "", "", err
		}
		switch {
		case !found && name == "":
			head, err := c.Repo.Head()
			if err == nil {
				folder, err = change.Locate(c.Repo, head)
			}
			return folder, "", err
		case !found:
			return "", "", fmt.Errorf("%s is not inside a library in this commit: no %s/ folder there or in any parent", name, library.Root)
		}
		return folder, strings.TrimPrefix(strings.TrimPrefix(at, folder), "/"), nil
	})
	c.Folder, l.Root = l.Root, ""
	prefix, unrelated := filepath.Rel(filepath.FromSlash(here), filepath.FromSlash(c.Folder))
	l.Prefix = filepath.ToSlash(prefix)
	return l, cmp.Or(err, unrelated)
}

// openRevision opens the repository that contains the working folder, and the library
// in the commit that --rev or --range names.
func (f *lintFlags) openRevision(args []string) (s subject, err error) {
	repo, err := gitrepo.OpenCommits(".")
	if err != nil {
		return s, err
	}
	var head gitrepo.Commit
	if f.steps == "" {
		head, err = repo.Resolve(f.rev)
	} else if s.span, err = change.ParseRange(repo, f.steps); err == nil {
		head = s.span.Steps[len(s.span.Steps)-1]
	}
	if err != nil {
		return s, err
	}
	here := ""
	if repo.WorkTree() != "" {
		if here, err = repo.Folder("."); err != nil {
			return s, err
		}
	}
	c := &command.Committed{Repo: repo.At(head), Files: repo.Snapshot(head, "")}
	if s.library, err = findCommitted(c, here, args); err != nil {
		return s, err
	}
	s.fsys = c.Repo.Snapshot(head, c.Folder)
	if len(s.library.Only) == 0 {
		s.around = &lint.Repository{Files: c.Files, Folder: c.Folder}
	}
	return s, nil
}
