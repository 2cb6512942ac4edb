package check

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// compareWith finds the library's repository and the target of the change, and takes the
// configuration (unless --config names one) and the baseline from the target: a change must
// not choose its own rules.
func (l *lintCommand) compareWith(opts lint.Options) (lint.Options, error) {
	opts.Own = opts.Config
	if l.base == command.NoBase {
		return opts, nil
	}
	repo, folder, files, err := l.repository()
	if err != nil || repo == nil {
		return opts, err
	}
	commit, err := command.HeadOf(repo)
	if err != nil {
		return opts, err
	}
	target := gitrepo.Target{}
	if l.span != nil {
		target.Commit = l.span.Old // the configuration is that of the commit before the push
	} else if target, err = l.Streams.Target(repo, folder, l.base); err != nil {
		return opts, err
	}
	opts.History = &change.Question{
		Repo: repo, Folder: folder, Files: files, Commit: commit, Target: target, Range: l.span, Audit: l.audit,
	}
	opts.History.Texts = l.span == nil && slices.ContainsFunc(l.outputs, l.describes)
	// They become annotations of the change.
	opts.Changed = slices.ContainsFunc(l.outputs, func(o command.Output) bool { return o.Format == "github" })
	tip, err := opts.History.DecidingLibrary()
	if err != nil || tip == nil {
		return opts, err
	}
	if l.config == "" {
		if opts.Config, err = lint.ConfigAt(tip, rules.All(), opts.Own); err != nil {
			return opts, err
		}
	}
	err = opts.LimitBaseline(tip, l.fsys)
	return opts, err
}

// repository is the library's repository, with the folder of the library in it and
// the files at its root. It is nil if there is no repository and none is needed.
func (l *lintCommand) repository() (repo *gitrepo.Repo, folder string, files fs.FS, err error) {
	if c := l.library.Commit; c != nil {
		return c.Repo, c.Folder, c.Files, nil
	}
	repo, err = gitrepo.Open(l.library.Root)
	// A requested check, or a check of a change in CI, must not pass because there is
	// no history.
	if errors.Is(err, gitrepo.ErrNoRepository) && l.base == "" && !l.audit && !hosts.OfRun(l.Getenv).Proposes(l.Getenv) {
		return nil, "", nil, nil
	}
	if err != nil {
		return nil, "", nil, fmt.Errorf("%w\n`--base none` checks the library without its history", err)
	}
	folder, err = repo.Folder(l.library.Root)
	return repo, folder, gitrepo.NewWorkTree(repo.WorkTree()), err
}

// ConfigOf is the configuration that decides about the library in a folder: a change must
// not choose its own.
func ConfigOf(s command.Streams, root string) (*lint.Config, error) {
	l := lintCommand{Streams: s, subject: subject{library: &command.Located{Root: root}}}
	config, err := l.loadConfig(gitrepo.NewWorkTree(root))
	if err != nil {
		return nil, err
	}
	opts, err := l.compareWith(lint.Options{Config: config})
	return opts.Config, err
}
