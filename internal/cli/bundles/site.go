package bundles

import (
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/lint"
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

// ownersAt reads the CODEOWNERS file that the host of a repository uses. What can't be used has
// no owners.
func ownersAt(fsys fs.FS) (*codeowners.File, error) {
	r := &lint.Repository{Files: fsys}
	host := codeowners.HostsOf(r)[0]
	return codeowners.Find(r, host).Parsed, safefile.Unreadable(fsys)
}
