package check

import (
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/lint"
)

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
	c := &command.Committed{Repo: repo.WithHead(head), Files: repo.Snapshot(head, "")}
	if s.library, err = command.FindLibrary(command.Place{Commit: c, Here: here}, args); err != nil {
		return s, err
	}
	s.fsys = c.Repo.Snapshot(head, c.Folder)
	if len(s.library.Only) == 0 {
		s.around = &lint.Repository{Files: c.Files, Folder: c.Folder}
	}
	return s, nil
}
