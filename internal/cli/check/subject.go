package check

import (
	"fmt"
	"io/fs"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// subject is what a check reads: a library on disk or in a commit, or documents outside of one.
type subject struct {
	library *command.Located
	// documents are what is checked outside of a library, or nil.
	documents *documents
	span      *change.Range // nil without --range
	fsys      fs.FS
	around    *lint.Repository // nil if only a part of a library is checked
	ignored   func() []string  // as in lint.Options
}

// options are those of a check without a configuration.
func (s *subject) options() lint.Options {
	opts := lint.Options{Only: s.library.Only, Repository: s.around, Ignored: s.ignored}
	if s.documents != nil {
		opts.Alone = s.documents.names
	}
	return opts
}

// open finds the library: in a commit with --rev and --range, or else on disk.
func (f *lintFlags) open(args []string) (subject, error) {
	if f.rev != "" || f.steps != "" {
		return f.openRevision(args)
	}
	d, err := documentsOf(args, f.stdinFilename)
	if err != nil {
		return subject{}, err
	}
	if d != nil {
		return f.openDocuments(d)
	}
	library, err := command.FindLibrary(command.Place{Unsaved: f.stdinFilename}, args)
	if err != nil && len(args) == 0 {
		return subject{}, fmt.Errorf("%w. To check files on their own, name them: rubric lint FILE", err)
	}
	if err != nil {
		return subject{}, err
	}
	files := gitrepo.NewWorkTree(library.Root)
	s := subject{library: library, fsys: files, ignored: files.IgnoredFiles}
	root, folder, found := library.Repository()
	if found && len(library.Only) == 0 {
		s.around = &lint.Repository{Files: gitrepo.NewWorkTree(root), Folder: folder}
	}
	return s, nil
}
