package gitrepo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Repo is a repository. It is safe for concurrent use. Each call reads branches and
// tags again.
type Repo struct {
	workTree string
	refs     refs
	objects  *objects
	trees    *cache[hash, tree]
	known    *known
	head     *Commit // replaces HEAD; see At
	tagless  string  // a remote that does not fetch tags, or ""
	// hasOrigin says that there is a server to fetch from.
	hasOrigin bool
}

// Open opens the repository that contains dir: any folder of a working tree, a linked
// working tree or a submodule, or a bare repository. The error matches ErrNoRepository if
// there is none.
func Open(dir string) (*Repo, error) { return open(dir, configFile.checkSparse) }

// OpenCommits is Open for callers that read commits only: the working tree can be a sparse
// checkout.
func OpenCommits(dir string) (*Repo, error) {
	return open(dir, func(configFile, location) error { return nil })
}

// open opens a repository whose working tree passes a check.
func open(dir string, checkTree func(configFile, location) error) (*Repo, error) {
	loc, err := locate(dir)
	if err != nil {
		return nil, err
	}
	config, err := readSettings(loc)
	if err != nil {
		return nil, err
	}
	loc.workTree = config.workTree(loc)
	if err := cmp.Or(config.checkFormat(), checkShallow(loc), checkTree(config, loc)); err != nil {
		return nil, err
	}
	objects, err := openObjects(loc.commonDir)
	if err != nil {
		return nil, err
	}
	objects.isPartial = config.isPartial()
	r := &Repo{workTree: loc.workTree, tagless: config.tagless(), hasOrigin: config["remote.origin.url"] != "", refs: refs(loc), objects: objects, trees: &cache[hash, tree]{most: maxKeptEntries}, known: &known{}}
	if _, err := r.refs.read("HEAD"); err != nil {
		return nil, err
	}
	return r, nil
}

// Close closes the files that reading objects has left open. Using the Repo again
// reopens them.
func (r *Repo) Close() error { return r.objects.close() }

// WorkTree returns the absolute path of the root of the working tree with symbolic
// links resolved, or "" for a bare repository.
func (r *Repo) WorkTree() string { return r.workTree }

// Folder returns the path of dir, which must be in the working tree, relative to its
// root: with slashes, as Snapshot takes it, and "" for the root itself.
func (r *Repo) Folder(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(r.workTree, path)
	if r.workTree == "" || err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is not in the working tree %q of the Git repository", dir, r.workTree)
	}
	if rel == "." {
		return "", nil
	}
	return filepath.ToSlash(rel), nil
}

// At returns the repository as it would be with c checked out and HEAD detached. It
// has no working tree, and shares everything else with r.
func (r *Repo) At(c Commit) *Repo {
	at := *r
	at.head, at.workTree = &c, ""
	return &at
}

// Branch returns the name of the current branch, such as "main", even if it has no
// commit yet, or "" if HEAD is detached.
func (r *Repo) Branch() (string, error) {
	if r.head != nil {
		return "", nil
	}
	head, err := r.refs.read("HEAD")
	if err != nil {
		return "", err
	}
	branch, _ := strings.CutPrefix(head.target, "refs/heads/")
	return branch, nil
}

// Head returns the commit at HEAD, or ErrNoCommit if there is none yet.
func (r *Repo) Head() (Commit, error) {
	if r.head != nil {
		return *r.head, nil
	}
	h, _, err := r.refs.resolve("HEAD")
	if errors.Is(err, errDangling) {
		return Commit{}, ErrNoCommit
	} else if err != nil {
		return Commit{}, err
	}
	return r.peel(h)
}

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
		case err == nil && !info.IsDir():
			return followGitFile(dir, dot)
		case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
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
