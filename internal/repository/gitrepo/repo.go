// Package gitrepo reads a Git repository on disk: revisions, folders of a
// commit as read-only snapshots, what differs between two of them, common
// ancestors, the line of first parents, release tags on it, and what the
// variables of a CI host say about the target. It knows nothing of rubrics.
//
// A name or an object that can't be read is an error, never an absence, and so
// is a repository that holds only a part (UnsupportedError). No object is read
// that has more bytes than package limits allows for its kind. Nothing is ever
// fetched, written or checked out; hooks, filters and attributes play no part.
// Replacements (git replace), grafts and most GIT_ variables of the environment
// are ignored: what a commit holds follows from its hash alone, and each object
// is checked against its hash. The variables that name more folders of objects
// are honored, because a server hook finds a push nowhere else.
//
// It is the only importer of go-git, which it uses to read packs piece by piece.
// All else is read here, because go-git refuses or misreads too much of it
// (worktreeConfig, linked working trees, damaged names, HEAD@{1}), and takes
// objects of any size into memory.
package gitrepo

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Repo is a repository. It can be used by several goroutines. Branches and tags
// are read anew by each call.
type Repo struct {
	workTree string
	refs     refs
	objects  *objects
	trees    *cache[hash, tree]
	head     *Commit // in place of HEAD; see At
}

// Open opens the repository that dir is in: any folder of a working tree, a
// linked working tree or a submodule, or a bare repository. The error is a
// *NotARepositoryError, an *UnsupportedError, or that a file can't be read.
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

// Close closes the files that reading objects has left open. A Repo that is used
// again opens them again.
func (r *Repo) Close() error { return r.objects.close() }

// WorkTree is the absolute path of the root of the working tree, with symbolic
// links resolved, or empty for a bare repository.
func (r *Repo) WorkTree() string { return r.workTree }

// Folder is the path of dir, which must be in the working tree, relative to its
// root: with slashes, as Snapshot takes it, and empty for the root itself.
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

// At is the repository as it would be with c checked out and HEAD on no branch. It
// has no working tree, and shares all else with r.
func (r *Repo) At(c Commit) *Repo {
	at := *r
	at.head, at.workTree = &c, ""
	return &at
}

// Branch is the name of the current branch, such as "main", also if it has no
// commit yet; empty if HEAD is at a commit and not on a branch.
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

// Head returns the commit that HEAD is at, or ErrNoCommit if there is none yet.
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
