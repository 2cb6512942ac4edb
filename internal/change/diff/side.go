package diff

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/gitrepo"
	lib "github.com/rubric-library/rubric-library/internal/library"
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
	name, isPath := strings.CutPrefix(arg, PathPrefix)
	if isPath {
		if isFile(name) {
			return Side{Name: name, File: name}, nil
		}
		return Side{Name: name, Dir: filepath.Clean(name)}, nil
	}
	name, isRevision := strings.CutPrefix(arg, RevPrefix)
	file := !isRevision && isFile(name)
	folder := !isRevision && isDir(filepath.Join(name, lib.Root))
	if w.Repo == nil {
		switch {
		case file:
			return Side{Name: name, File: name}, nil
		case folder && errors.Is(w.Missing, gitrepo.ErrNoRepository):
			return Side{Name: name, Dir: name}, nil
		}
		return Side{}, fmt.Errorf("%w\nWithout a repository, only folders can be compared: %sFOLDER", w.Missing, PathPrefix)
	}
	commit, err := w.Repo.Resolve(name)
	missing, unknown := errors.AsType[*gitrepo.RevisionError](err)
	switch {
	case err == nil && folder:
		return Side{}, ambiguous(name, "folder")
	case err == nil && file && isZip(name):
		return Side{}, ambiguous(name, "file")
	case err == nil:
		return Side{Name: name, Commit: commit}, nil
	case !unknown || isRevision || len(missing.Candidates) > 0:
		return Side{}, err
	case file:
		return Side{Name: name, File: name}, nil
	case folder:
		return Side{Name: name, Dir: name}, nil
	case isDir(name):
		return Side{}, fmt.Errorf("%q is not a revision, and the folder with this name has no %s/", name, lib.Root)
	case missing.Absent:
		names, _ := w.Repo.Names() // they only help
		advice := cmp.Or(suggest.Question("Did you mean %q?", name, names), "If the server has a branch of this name, run `git fetch` first")
		return Side{}, fmt.Errorf("%q is not a branch, tag, or commit, not a folder that contains %s/, and not a bundle. %s", name, lib.Root, advice)
	}
	return Side{}, fmt.Errorf("%w\nNo folder with this name contains %s/ either", err, lib.Root)
}

func ambiguous(name, kind string) error {
	return fmt.Errorf("%q is both a revision and a %s: write %s%s or %s%s", name, kind, RevPrefix, name, PathPrefix, name)
}

// isZip reports whether a file begins like a zip file. Any other counts only if no revision has
// its name.
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
