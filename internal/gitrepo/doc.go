// Package gitrepo reads a Git repository on disk: revisions, folders of a commit as
// read-only snapshots, the differences between two snapshots, common ancestors, first
// parents, release tags, the target that a CI host's variables describe, and the files of a
// working tree that Git does not ignore. It knows nothing about rubrics.
//
// A name or an object that can't be read is an error, never an absence. So is a
// repository that is incomplete. No object larger than package
// safefile allows for its kind is read. Nothing is ever fetched, written, or checked
// out; hooks, filters, and attributes have no effect. Replacements (git replace),
// grafts, and most GIT_ variables of the environment are ignored: the content of a
// commit follows from its hash alone, and each object is checked against its hash. The
// variables that name additional object folders are honored, because a server hook
// finds a push nowhere else.
//
// Package objects reads what Git stores, and package gitignore the patterns of ignored files. Only
// this room imports go-git, of which it uses the types of objects and hashes, and the rules for the
// names of references. Everything else is read here, because go-git rejects or misreads what Git
// writes (worktreeConfig, a configuration in Latin-1, relative alternates, HEAD@{1}, a split index),
// takes ten times as long for a history, and minutes for a commit with a long signature. Its root
// package would also link HTTP and SSH.
//
// It may import the rooms that docs/development/development.md lists below it.
package gitrepo
