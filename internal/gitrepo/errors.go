package gitrepo

import (
	"errors"
	"fmt"
)

// ErrNoCommit is the error of Head if the current branch has no commit yet, as in a
// new repository.
var ErrNoCommit = errors.New("the repository has no commit yet")

// ErrNotAFolder is in the error of reading a Snapshot whose path is something else in the
// commit.
var ErrNotAFolder = errors.New("not a folder")

// ErrNoRepository is in the error of Open for a folder that is in no repository.
var ErrNoRepository = errors.New("not in a Git repository")

// ErrIncomplete is in the error of Open for a repository without some of its history or files, such
// as a shallow clone.
var ErrIncomplete = errors.New("can't be read completely")

func damagedRepository(dir, format string, args ...any) error {
	return fmt.Errorf("the Git repository of %s can't be opened: %s", dir, fmt.Sprintf(format, args...))
}

// unsupported is the error for a repository that is intact but can't be read completely, so
// nothing that seems absent is known to be. The advice is the command that fixes it, to be run
// in the working tree.
func unsupported(advice, detail string, args ...any) error {
	return fmt.Errorf("the Git repository %w: %s. To fix this, run: %s",
		ErrIncomplete, fmt.Sprintf(detail, args...), advice)
}

// RevisionError explains why a revision does not name a commit.
type RevisionError struct {
	Revision string
	Reason   string
	// Absent is true if nothing has this name.
	Absent bool
	// Candidates are the full names and full hashes that an ambiguous revision can
	// mean; the hashes are sorted.
	Candidates []string
	// Advice says how to fetch what has no name here, or is "".
	Advice string
}

func (e *RevisionError) Error() string {
	text := fmt.Sprintf("revision %q: %s", e.Revision, e.Reason)
	if e.Advice != "" {
		text += ". " + e.Advice
	}
	return text
}
