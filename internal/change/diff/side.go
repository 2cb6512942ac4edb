package diff

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// Side is one of the two libraries to compare, as an argument names it.
type Side struct {
	// Name is the argument without its prefix.
	Name string
	// Dir is a folder and File a bundle; both are "" for a revision, whose commit is
	// Commit.
	Dir, File string
	Commit    gitrepo.Commit
}

// The prefixes that specify the kind of an argument.
const (
	RevPrefix  = "rev:"
	PathPrefix = "path:"
)

// Side resolves an argument, which is a revision, a folder, or a bundle.
func (w *Workspace) Side(arg string) (Side, error) {
	if name, ok := strings.CutPrefix(arg, PathPrefix); ok {
		if isFile(name) {
			return Side{Name: name, File: name}, nil
		}
		return Side{Name: name, Dir: filepath.Clean(name)}, nil
	}
	name, isRevision := strings.CutPrefix(arg, RevPrefix)
	if !isRevision && isFile(name) {
		return w.fileSide(name)
	}
	isFolder := !isRevision && isDir(filepath.Join(name, lib.Root))
	if w.Repo == nil {
		if isFolder && gitrepo.IsNoRepository(w.Missing) {
			return Side{Name: name, Dir: name}, nil
		}
		return Side{}, fmt.Errorf("%w\nWithout a repository, only folders can be compared: %sFOLDER", w.Missing, PathPrefix)
	}
	commit, err := w.Repo.Resolve(name)
	unknown := isUnknown(err)
	missing, _ := errors.AsType[*gitrepo.RevisionError](err)
	switch {
	case err != nil && !unknown:
		return Side{}, err
	case isFolder && err == nil:
		return Side{}, fmt.Errorf("%q is both a revision and a folder: write %s%s or %s%s", name, RevPrefix, name, PathPrefix, name)
	case isFolder:
		return Side{Name: name, Dir: name}, nil
	case unknown && !isRevision && isDir(name):
		return Side{}, fmt.Errorf("%q is not a revision, and the folder with this name has no %s/", name, lib.Root)
	case unknown && !isRevision && missing.Absent:
		names, _ := w.Repo.Names() // they only help
		return Side{}, &UnknownSideError{Name: name, Near: suggest.Word(name, names)}
	case unknown && !isRevision:
		return Side{}, fmt.Errorf("%w\nNo folder with this name contains %s/ either", err, lib.Root)
	}
	return Side{Name: name, Commit: commit}, err
}

// UnknownSideError says that nothing that can be compared has a name.
type UnknownSideError struct {
	Name string
	// Near is the branch or tag that was probably meant, or "".
	Near string
}

func (e *UnknownSideError) Error() string {
	message := fmt.Sprintf("%q is not a branch, tag, or commit, not a folder that contains %s/, and not a bundle", e.Name, lib.Root)
	if e.Near != "" {
		return message + fmt.Sprintf(". Did you mean %q?", e.Near)
	}
	return message + ". If the server has a branch of this name, run `git fetch` first"
}

// isUnknown reports whether an error says that no revision has a name. An ambiguous
// name is not unknown.
func isUnknown(err error) bool {
	e, ok := errors.AsType[*gitrepo.RevisionError](err)
	return ok && len(e.Candidates) == 0
}

// fileSide is the side for the name of a file. A file that is not a zip file counts
// only if no revision has its name.
func (w *Workspace) fileSide(name string) (Side, error) {
	if w.Repo == nil {
		return Side{Name: name, File: name}, nil
	}
	commit, err := w.Repo.Resolve(name)
	switch {
	case isUnknown(err):
		return Side{Name: name, File: name}, nil
	case err == nil && isZip(name):
		return Side{}, fmt.Errorf("%q is both a revision and a file: write %s%s or %s%s", name, RevPrefix, name, PathPrefix, name)
	}
	return Side{Name: name, Commit: commit}, err
}

// isZip reports whether a file begins like a zip file.
func isZip(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, 4)
	_, err = io.ReadFull(f, begin)
	return err == nil && string(begin) == "PK\x03\x04"
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
