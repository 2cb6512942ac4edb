package diff

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/gitrepo"
	lib "github.com/rubric-library/rubric-library/internal/library"
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
	if name, isPath := strings.CutPrefix(arg, PathPrefix); isPath {
		s, _ := sideAt(name)
		return s, nil
	}
	name, isRevision := strings.CutPrefix(arg, RevPrefix)
	onDisk, found := sideAt(name)
	found = found && !isRevision
	if w.Repo == nil {
		if found && (onDisk.File != "" || errors.Is(w.Missing, gitrepo.ErrNoRepository)) {
			return onDisk, nil
		}
		return Side{}, fmt.Errorf("%w\nWithout a repository, only folders can be compared: %sFOLDER", w.Missing, PathPrefix)
	}
	commit, err := w.Repo.Resolve(name)
	missing, unknown := errors.AsType[*gitrepo.RevisionError](err)
	switch {
	case err == nil && found:
		return Side{}, fmt.Errorf("%q is both a revision and a path: write %s%[1]s or %[3]s%[1]s",
			name, RevPrefix, PathPrefix)
	case err == nil:
		return Side{Name: name, Commit: commit}, nil
	case !unknown || isRevision || len(missing.Candidates) > 0:
		return Side{}, err
	case found:
		return onDisk, nil
	case missing.Absent:
		text := fmt.Sprintf("%q is not a branch, tag, or commit, not a folder that contains %s/, and not a bundle. %s",
			name, lib.Root, missing.Advice)
		return Side{}, errors.New(strings.TrimSuffix(text, ". "))
	}
	return Side{}, fmt.Errorf("%w\nNo folder with this name contains %s/ either", err, lib.Root)
}

// sideAt is the file or folder with a name. It reports whether it is a file, or the folder of a
// library.
func sideAt(name string) (s Side, found bool) {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return Side{Name: name, File: name}, true
	}
	info, err := os.Stat(filepath.Join(name, lib.Root))
	return Side{Name: name, Dir: filepath.Clean(name)}, err == nil && info.IsDir()
}
