package gitrepo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

// Repo is a repository. It is safe for concurrent use. Each call reads branches and
// tags again.
type Repo struct {
	workTree string
	refs     refs
	objects  *objects.Store
	trees    *objects.Cache[objects.Hash, tree]
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
	if err := config.checkFormat(); err != nil {
		return nil, err
	}
	if err := checkShallow(loc); err != nil {
		return nil, err
	}
	if err := checkTree(config, loc); err != nil {
		return nil, err
	}
	folders, err := objectFolders(append([]string{filepath.Join(loc.commonDir, "objects")}, quarantine(os.Getenv)...))
	if err != nil {
		return nil, err
	}
	r := &Repo{
		workTree: loc.workTree, tagless: config.taglessRemote(), hasOrigin: config["remote.origin.url"] != "",
		refs: refs(loc), objects: objects.New(folders, config.isPartial()),
		trees: objects.NewCache[objects.Hash, tree](maxKeptEntries), known: &known{},
	}
	if _, err := r.refs.read("HEAD"); err != nil {
		return nil, err
	}
	return r, nil
}

// Close closes the files that reading objects has left open. Using the Repo again
// reopens them.
func (r *Repo) Close() error { return r.objects.Close() }

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

// WithHead returns the repository as it would be with c checked out and HEAD detached. It
// has no working tree, and shares everything else with r.
func (r *Repo) WithHead(c Commit) *Repo {
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
