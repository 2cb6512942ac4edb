package gitrepo

import (
	"cmp"
	"errors"
	"fmt"
)

// ErrNoCommit is what Head answers where the current branch has no commit yet,
// as in a repository that was just made.
var ErrNoCommit = errors.New("the repository has no commit yet")

// ErrNotAFolder is in the error of Repo.Snapshot where the commit has something
// else at the path.
var ErrNotAFolder = errors.New("not a folder")

// NotARepositoryError says that a folder is in no Git repository, or in one
// that is broken so far that it can't be opened.
type NotARepositoryError struct {
	Dir string
	// Reason says what is broken; empty where there is no repository at all.
	Reason string
}

func (e *NotARepositoryError) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("%s is not in a Git repository", e.Dir)
	}
	return fmt.Sprintf("the Git repository of %s can't be opened: %s", e.Dir, e.Reason)
}

// IsNoRepository reports whether an error says that there is no repository at all.
func IsNoRepository(err error) bool {
	e, ok := errors.AsType[*NotARepositoryError](err)
	return ok && e.Reason == ""
}

// UnsupportedError says that a repository is sound but can't be read, or not
// whole, so that nothing can be said about what it lacks.
type UnsupportedError struct {
	// Detail says what was found.
	Detail string
	// Advice is the command that mends it, to be run in the working tree.
	Advice string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the Git repository can't be read whole: %s; to mend it, run: %s", e.Detail, e.Advice)
}

// RevisionError says why a revision names no commit.
type RevisionError struct {
	Revision string
	Reason   string
	// Absent is true where nothing has this name.
	Absent bool
	// Candidates are the full names and the full hashes that an ambiguous
	// revision can mean; those of the hashes are sorted.
	Candidates []string
}

func (e *RevisionError) Error() string {
	return fmt.Sprintf("revision %q: %s", e.Revision, e.Reason)
}

// ObjectError says that an object that the repository should have is missing or
// damaged. It never matches fs.ErrNotExist: what can't be read is not absent.
type ObjectError struct {
	Hash string
	// Missing is true where the object is not there at all.
	Missing bool
	// Reason says what is wrong.
	Reason string
	// Advice says what to do; empty for what a damaged repository needs.
	Advice string
}

func (e *ObjectError) Error() string {
	return fmt.Sprintf("object %s of the Git repository %s; %s",
		e.Hash, e.Reason, cmp.Or(e.Advice, "run \"git fsck\" to see all the damage, then clone the repository again"))
}

// OffLineError says that the highest release tag is not in the line of first
// parents, so that what was released last can't be told.
type OffLineError struct {
	// Tag is the highest release tag, Commit the hash that it marks, and From
	// the hash whose line was walked.
	Tag, Commit, From string
}

func (e *OffLineError) Error() string {
	return fmt.Sprintf("the highest release %s (commit %.12s) is not in the main line of commit %.12s: "+
		"update the branch with \"git pull\", or release from the branch that holds it", e.Tag, e.Commit, e.From)
}
