package bundles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/release/site"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func (b *bundleCommand) siteCommand() *cobra.Command {
	var o site.Options
	var dir string
	var dated bool
	var approved string
	cmd := &cobra.Command{Use: "site [FROM] -o FOLDER"}
	command.ReadsFrom(cmd, 0, 0, "no argument except FROM", func(from *command.Located, _ []string) error {
		if dir == "" {
			return errors.New("-o FOLDER is required: a new or empty folder for the site")
		}
		return b.site(from, dir, o, dated, approved)
	})
	cmd.Flags().StringVarP(&dir, "output", "o", "", "the `folder` to write, new or empty (required)")
	cmd.Flags().StringVar(&o.BaseURL, "base-url", "", "the address of the published site, for the links in its feed")
	cmd.Flags().StringVar(&o.EditURL, "edit-url", "",
		"the address of the forge's editor, to which the path of a document's file is appended")
	cmd.Flags().StringVar(&o.Name, "name", site.DefaultName, "the name of the library")
	cmd.Flags().BoolVar(&dated, "history", false,
		"take owners, named reviewers, accepted exceptions, recorded runs, and changed verdicts from this repository")
	cmd.Flags().StringVar(&approved, "approvals", "",
		"a file with the releases and approvals that the release workflow asked the forge for")
	return cmd
}

// site generates a site. dated adds what the repository knows.
func (b *bundleCommand) site(from *command.Located, dir string, o site.Options, dated bool, approved string) error {
	if err := approvals(approved, &o); err != nil {
		return err
	}
	o.Docs = authoring.PageAt(command.ThisBuild().Version, "")
	for _, flag := range [][2]string{{"--base-url", o.BaseURL}, {"--edit-url", o.EditURL}} {
		if flag[1] != "" {
			if err := site.CheckBaseURL(flag[1]); err != nil {
				return fmt.Errorf("%s: %w", flag[0], err)
			}
		}
	}
	return b.ReadLibrary(from, func(l *command.Opened) error {
		watch := b.Watch()
		defer watch.Stop()
		o.Progress = watch.Report
		o.Bundle = from.Bundle
		if dated {
			watch.Report("reading the history", 0, 0)
			if err := b.history(l.Library, &o); err != nil {
				return fmt.Errorf("--history: %w", err)
			}
		}
		made, err := site.Build(l.Library, dir, o)
		if errors.As(err, new(*fs.PathError)) {
			return fmt.Errorf("the site in %s could not be generated: %w", dir, err)
		}
		if err != nil {
			return err
		}
		watch.Stop()
		missing := ""
		if n := l.CountMissing(); n > 0 {
			missing = fmt.Sprintf(", missing: %d", n)
		}
		_, err = fmt.Fprintf(b.Out, "%s: documents: %d%s, versions: %d, files: %d\n",
			dir, made.Documents, missing, made.Versions, made.Files)
		return err
	})
}

// history takes from the repository when versions and documents left the library, its people, why
// changes were accepted, and the datasets with the recorded runs of judges.
func (b *bundleCommand) history(l *library.Library, o *site.Options) error {
	w := command.OpenWorkspace()
	defer w.Close()
	if w.Repo == nil {
		return w.Missing
	}
	rev := l.Commit()
	if rev == "" {
		rev = "HEAD" // for a folder
	}
	c, err := b.commit(w, rev)
	o.Committed = c.When
	if err == nil {
		released := map[string]string{}
		if o.Forge != nil {
			for _, r := range o.Forge.Releases {
				released[r.Commit] = r.Version
			}
		}
		o.Ended, err = release.Ended(w.Repo, c, w.Folder, l.Version(), released)
	}
	if err == nil {
		err = people(w.Repo, c, w.Folder, l, o)
	}
	if err == nil {
		o.Accepted, err = release.Accepted(w.Repo, c, w.Folder)
	}
	if err != nil {
		return err
	}
	at, err := holdings.At(w.Repo, c, w.Folder)
	if err != nil {
		return err
	}
	config, err := lint.LoadConfig(at.Files, rules.All())
	if err == nil {
		o.Datasets, err = release.Datasets(w.Repo, c, w.Folder)
	}
	if err == nil {
		o.Runs, err = release.Runs(w.Repo, c, w.Folder, o.Datasets, config.Calibration)
	}
	return err
}

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
