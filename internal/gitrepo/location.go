package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// location has the absolute paths of the parts of a repository.
type location struct {
	// gitDir has the files of one working tree, such as HEAD.
	gitDir string
	// commonDir has what all working trees share: objects, branches, tags. It differs
	// from gitDir only in a linked working tree.
	commonDir string
	// workTree is the root of the working tree, or empty.
	workTree string
}

// locate finds the repository that contains dir, as Git does: in dir and then in each
// parent, first a .git folder or file, then a bare repository. It resolves symbolic
// links in dir first.
func locate(dir string) (location, error) {
	start, err := filepath.Abs(dir)
	if err == nil {
		start, err = filepath.EvalSymlinks(start)
	}
	if err != nil {
		return location{}, fmt.Errorf("can't search for a Git repository: %w", err)
	}
	for at := start; ; at = filepath.Dir(at) {
		dot := filepath.Join(at, ".git")
		info, err := os.Stat(dot)
		switch {
		case err == nil && info.IsDir() && isGitDir(dot):
			return location{gitDir: dot, commonDir: dot, workTree: at}, nil
		case err == nil && info.IsDir() && hasHead(dot): // Git would take it for no repository
			return location{}, damagedRepository(dir,
				"%s has a HEAD, but no folder objects or refs. Clone the repository again", dot)
		case err == nil && !info.IsDir():
			return followGitFile(dir, dot)
		case err != nil && !safefile.IsAbsent(err):
			return location{}, damagedRepository(dir, "%v", err)
		}
		if isGitDir(at) {
			return location{gitDir: at, commonDir: at}, nil
		}
		if at == filepath.Dir(at) {
			return location{}, fmt.Errorf("%s is %w", dir, ErrNoRepository)
		}
	}
}

// isGitDir reports whether dir looks like the folder of a repository. Git checks the
// same three things.
func isGitDir(dir string) bool {
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return hasHead(dir)
}

func hasHead(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "HEAD"))
	return err == nil && info.Mode().IsRegular()
}

// followGitFile reads the .git file of a linked working tree or a submodule, which
// names the folder to use.
func followGitFile(dir, file string) (location, error) {
	broken := func(format string, args ...any) (location, error) {
		return location{}, damagedRepository(dir, format, args...)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return broken("%v", err)
	}
	target, ok := strings.CutPrefix(string(data), "gitdir:")
	if !ok {
		return broken("%s does not start with \"gitdir:\"", file)
	}
	root := filepath.Dir(file)
	loc := location{gitDir: absolute(root, target), workTree: root}
	loc.commonDir = loc.gitDir
	data, err = os.ReadFile(filepath.Join(loc.gitDir, "commondir"))
	if err == nil {
		loc.commonDir = absolute(loc.gitDir, string(data))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return broken("%v", err)
	}
	for _, name := range []string{filepath.Join(loc.gitDir, "HEAD"), filepath.Join(loc.commonDir, "objects")} {
		if _, err := os.Stat(name); err != nil {
			return broken("%s points to %s, which is not a Git repository. If a folder was moved, run: git worktree repair", file, filepath.Dir(name))
		}
	}
	return loc, nil
}

// absolute resolves path, a line of a file in base.
func absolute(base, path string) string {
	path = filepath.FromSlash(strings.TrimRight(strings.TrimLeft(path, " "), "\r\n"))
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}
