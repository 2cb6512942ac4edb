package gitrepo

import (
	"cmp"
	"errors"
	"fmt"
)

// ErrNoCommit is the error of Head if the current branch has no commit yet, as in a
// new repository.
var ErrNoCommit = errors.New("the repository has no commit yet")

// ErrNotAFolder is in the error of reading a Snapshot whose path is something else in the
// commit.
var ErrNotAFolder = errors.New("not a folder")

// NotARepositoryError means that a folder is not in a Git repository, or in one that
// is too damaged to be opened.
type NotARepositoryError struct {
	Dir string
	// Reason describes the damage; empty if there is no repository.
	Reason string
}

func (e *NotARepositoryError) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("%s is not in a Git repository", e.Dir)
	}
	return fmt.Sprintf("the Git repository of %s can't be opened: %s", e.Dir, e.Reason)
}

// IsNoRepository reports whether an error means that there is no repository.
func IsNoRepository(err error) bool {
	e, ok := errors.AsType[*NotARepositoryError](err)
	return ok && e.Reason == ""
}

// UnsupportedError means that a repository is intact but can't be read completely, so
// nothing that seems absent is known to be.
type UnsupportedError struct {
	// Detail says what was found.
	Detail string
	// Advice is the command that fixes it, to be run in the working tree.
	Advice string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the Git repository can't be read completely: %s. To fix this, run: %s", e.Detail, e.Advice)
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
}

func (e *RevisionError) Error() string {
	return fmt.Sprintf("revision %q: %s", e.Revision, e.Reason)
}

// ObjectError means that an object that the repository should have is missing or
// damaged. It never matches fs.ErrNotExist: an unreadable object is not absent.
type ObjectError struct {
	Hash string
	// Missing is true if the object does not exist.
	Missing bool
	Reason  string
	// Advice says what to do; empty for the default advice about a damaged repository.
	Advice string
}

func (e *ObjectError) Error() string {
	return fmt.Sprintf("object %s of the Git repository %s. %s",
		e.Hash, e.Reason, cmp.Or(e.Advice, "Run \"git fsck\" to list all damage, then clone the repository again"))
}
