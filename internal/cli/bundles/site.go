package bundles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/release/site"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// approvals reads what a release workflow asked the forge. name is "" if there is no file.
func approvals(name string, o *site.Options) error {
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err == nil {
		o.Forge, err = site.ReadForge(data)
	}
	if err != nil {
		return fmt.Errorf("--approvals: %w", err)
	}
	return nil
}

// people takes from a repository who owns the files of a commit, and whom the commits of the
// library's versions name as reviewers.
func people(repo *gitrepo.Repo, c gitrepo.Commit, folder string, l *library.Library, o *site.Options) error {
	owners, err := ownersAt(repo.Snapshot(c, ""))
	if err != nil {
		return err
	}
	o.Owners = func(name string) []string { return owners.Owners(path.Join(folder, name)) }
	entries, err := release.Entries(l)
	named := map[string][]string{}
	for _, e := range entries {
		for _, v := range e.Versions {
			if v.Commit == "" || named[v.Commit] != nil {
				continue
			}
			at, err := repo.Resolve(v.Commit)
			if err != nil {
				return err
			}
			message, err := repo.Message(at)
			if err != nil {
				return err
			}
			named[v.Commit] = append([]string{}, site.Reviewers(message)...)
		}
	}
	o.Reviewers = func(commit string) []string { return named[commit] }
	return err
}

// ownersAt reads the CODEOWNERS file that GitHub uses. Sections are GitLab's, whose owners are
// not read.
func ownersAt(fsys fs.FS) (*codeowners.File, error) {
	for _, name := range codeowners.Locations {
		data, err := limits.ReadFile(fsys, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		file := source.NewFile(name, data)
		if _, sections := codeowners.Section(file); sections {
			break
		}
		return codeowners.Parse(file), nil
	}
	return &codeowners.File{}, nil
}
