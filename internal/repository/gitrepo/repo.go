// Package gitrepo reads a Git repository on disk: revisions, folders of a commit as
// read-only snapshots, the differences between two snapshots, common ancestors, first
// parents, release tags, and the target that a CI host's variables describe. It knows
// nothing about rubrics.
//
// A name or an object that can't be read is an error, never an absence. So is a
// repository that is incomplete (UnsupportedError). No object larger than package
// limits allows for its kind is read. Nothing is ever fetched, written, or checked
// out; hooks, filters, and attributes have no effect. Replacements (git replace),
// grafts, and most GIT_ variables of the environment are ignored: the content of a
// commit follows from its hash alone, and each object is checked against its hash. The
// variables that name additional object folders are honored, because a server hook
// finds a push nowhere else.
//
// It is the only importer of go-git, which it uses to read packs piece by piece.
// Everything else is read here, because go-git rejects or misreads too much of it
// (worktreeConfig, linked working trees, damaged names, HEAD@{1}) and loads objects of
// any size into memory.
package gitrepo

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Repo is a repository. It is safe for concurrent use. Each call reads branches and
// tags again.
type Repo struct {
	workTree string
	refs     refs
	objects  *objects
	trees    *cache[hash, tree]
	head     *Commit // replaces HEAD; see At
}

// Open opens the repository that contains dir: any folder of a working tree, a linked
// working tree or a submodule, or a bare repository. The error is a
// *NotARepositoryError, an *UnsupportedError, or a read error.
func Open(dir string) (*Repo, error) {
	loc, err := locate(dir)
	if err != nil {
		return nil, err
	}
	config, err := readSettings(loc)
	if err != nil {
		return nil, err
	}
	loc.workTree = config.workTree(loc)
	if err := config.check(loc); err != nil {
		return nil, err
	}
	objects, err := openObjects(loc.commonDir)
	if err != nil {
		return nil, err
	}
	objects.fetch = config.fetchCommand()
	r := &Repo{workTree: loc.workTree, refs: refs{loc}, objects: objects, trees: &cache[hash, tree]{most: maxYoungEntries}}
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
	if errors.As(err, new(*danglingError)) {
		return Commit{}, ErrNoCommit
	} else if err != nil {
		return Commit{}, err
	}
	return r.peel(h)
}
