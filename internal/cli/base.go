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

// compareWith finds the repository of the library and what its change goes into,
// and takes the configuration from there: a change must not decide by which
// rules it is judged.
func (l *lintCommand) compareWith() error {
	if l.base == noBase {
		if l.audit {
			return errors.New("--audit checks the history, and --base none asks to leave it aside")
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

// decide lets the library at the target's tip decide by what the change is judged:
// its configuration, unless --config names one, and its baseline.
func (l *lintCommand) decide(opts *lint.Options, tip *history.Library, fsys fs.FS) (err error) {
	if l.config == "" {
		if opts.Config, err = lint.ConfigAt(tip, rules.All()); err != nil {
			return err
		}
	}
	return opts.LimitBaseline(tip, fsys)
}

// repository is the one that the library is in, with the folder of the library and
// the files at its root; nil where there is none and none is needed.
func (l *lintCommand) repository() (repo *gitrepo.Repo, folder string, files fs.FS, err error) {
	if c := l.library.commit; c != nil {
		return c.repo, c.folder, c.files, nil
	}
	repo, err = gitrepo.Open(l.library.root)
	// Without history, a check that was asked for, or one of a change in CI, would be a
	// gate that stands open.
	if gitrepo.IsNoRepository(err) && l.base == "" && !l.audit && !gitrepo.ForChange(l.Getenv) {
		return nil, "", nil, nil
	}
	if err != nil {
		return nil, "", nil, fmt.Errorf("%w\n`--base none` checks the library without its history", err)
	}
	folder, err = repo.Folder(l.library.root)
	return repo, folder, safefile.DirFS(repo.WorkTree()), err
}

// target is what a change goes into: the revision base, or without one what the
// repository and the event of CI say.
func (s Streams) target(repo *gitrepo.Repo, base string) (gitrepo.Target, error) {
	if base == "" {
		return repo.Target(s.environment())
	}
	c, err := repo.Resolve(base)
	return gitrepo.Target{Commit: c, Name: base, Why: "it was asked for"}, err
}

// environment is what says in CI what a change goes into.
func (s Streams) environment() gitrepo.Env {
	return gitrepo.Env{Getenv: s.Getenv, ReadFile: os.ReadFile, TagPrefix: lint.TagPrefix}
}
