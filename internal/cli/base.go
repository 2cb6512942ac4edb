package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// noBase is the value of --base that compares with nothing.
const noBase = "none"

// compareWith finds the library's repository and the target of the change, and takes
// the configuration from the target: a change must not choose its own rules.
func (l *lintCommand) compareWith() error {
	if l.base == noBase {
		if l.audit {
			return errors.New("--audit checks the history, which --base none ignores: remove one of them")
		}
		return nil
	}
	repo, folder, files, err := l.repository()
	if err != nil || repo == nil {
		return err
	}
	target, err := l.Streams.target(repo, l.base)
	if err != nil {
		return err
	}
	l.opts.History = &lint.History{Repo: repo, Folder: folder, Files: files, Target: target, Own: l.opts.Config, Audit: l.audit, Lines: l.annotates()}
	tip, err := lint.Deciding(repo, target, folder)
	if err != nil || tip == nil {
		return err
	}
	return l.decide(&l.opts, tip, l.fsys)
}

// decide takes the configuration (unless --config names one) and the baseline from
// the library at the target's tip.
func (l *lintCommand) decide(opts *lint.Options, tip *history.Library, fsys fs.FS) (err error) {
	if l.config == "" {
		if opts.Config, err = lint.ConfigAt(tip, rules.All()); err != nil {
			return err
		}
	}
	return opts.LimitBaseline(tip, fsys)
}

// repository is the library's repository, with the folder of the library in it and
// the files at its root. It is nil if there is no repository and none is needed.
func (l *lintCommand) repository() (repo *gitrepo.Repo, folder string, files fs.FS, err error) {
	if c := l.library.commit; c != nil {
		return c.repo, c.folder, c.files, nil
	}
	repo, err = gitrepo.Open(l.library.root)
	// A requested check, or a check of a change in CI, must not pass because there is
	// no history.
	if gitrepo.IsNoRepository(err) && l.base == "" && !l.audit && !gitrepo.ForChange(l.Getenv) {
		return nil, "", nil, nil
	}
	if err != nil {
		return nil, "", nil, fmt.Errorf("%w\n`--base none` checks the library without its history", err)
	}
	folder, err = repo.Folder(l.library.root)
	return repo, folder, safefile.DirFS(repo.WorkTree()), err
}

// target is the target of a change: the revision base, or by default the one that the
// repository and the CI event determine.
func (s Streams) target(repo *gitrepo.Repo, base string) (gitrepo.Target, error) {
	if base == "" {
		return repo.Target(s.environment())
	}
	c, err := repo.Resolve(base)
	return gitrepo.Target{Commit: c, Name: base, Why: "from --base"}, err
}

// environment is what determines the target of a change in CI.
func (s Streams) environment() gitrepo.Env {
	return gitrepo.Env{Getenv: s.Getenv, ReadFile: os.ReadFile, TagPrefix: lint.TagPrefix}
}
