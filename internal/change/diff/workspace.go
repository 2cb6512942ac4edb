package diff

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// Workspace is the library around the working folder and its Git repository.
type Workspace struct {
	// Repo is nil if there is no repository, and Missing says why.
	Repo    *gitrepo.Repo
	Missing error
	// Root is the folder of the library, or "".
	Root string
	// Folder is the folder of the compared library, relative to the repository.
	Folder string
}

// OpenWorkspace opens the repository around the library in root, or around the
// working folder if root is "".
func OpenWorkspace(root string) *Workspace {
	w := &Workspace{Root: root}
	w.Repo, w.Missing = gitrepo.Open(cmp.Or(root, "."))
	return w
}

// Close closes the repository. An error does not matter after reading.
func (w *Workspace) Close() {
	if w.Repo != nil {
		_ = w.Repo.Close()
	}
}

// Sides are the sides that the arguments name, and the working tree if there are fewer
// than two. It also sets the library's folder.
func (w *Workspace) Sides(args []string) ([]Side, error) {
	var sides []Side
	for _, arg := range args {
		s, err := w.Side(arg)
		if err != nil {
			return nil, err
		}
		sides = append(sides, s)
	}
	if len(sides) < 2 {
		switch {
		case w.Root != "":
			sides = append(sides, Side{Name: "the working tree", Dir: w.Root}) // with uncommitted edits
		case w.Repo != nil && w.Repo.WorkTree() == "":
			return nil, errors.New("this repository has no working tree. Compare two revisions: rubric-diff BASE HEAD")
		default:
			return nil, fmt.Errorf("not inside a library: no %s/ folder here or in any parent", lib.Root)
		}
	}
	return sides, w.locate(sides)
}

// locate finds the library's folder in the repository: the compared folder, or the
// library around the working folder, or the library in the commit.
func (w *Workspace) locate(sides []Side) error {
	if w.Repo == nil {
		return nil
	}
	var commit gitrepo.Commit
	for _, s := range sides {
		if s.Dir == "" && s.File == "" {
			commit = s.Commit
		}
	}
	for _, s := range append(sides, Side{Dir: w.Root}) {
		if s.Dir == "" {
			continue
		}
		if folder, err := w.Repo.Folder(s.Dir); err == nil {
			w.Folder = folder
			return nil
		}
	}
	if commit.IsZero() {
		return nil
	}
	folder, err := change.Locate(w.Repo, commit)
	w.Folder = folder
	return err
}

// Compare compares two sides that Sides returned. If both are in the repository, the steps
// between them are judged with their history.
func (w *Workspace) Compare(base, head Side) (*Comparison, error) {
	after, err := w.read(head)
	if err != nil {
		return nil, err
	}
	before, err := w.read(base)
	if err != nil {
		return nil, err
	}
	commit, err := w.commitOf(head)
	if err != nil {
		return nil, err
	}
	if commit.IsZero() || base.Commit.IsZero() {
		return described(change.Versus([]*change.Library{before}, before, after, true))
	}
	repo := w.Repo.At(commit)
	if common, err := repo.MergeBases(commit, base.Commit); err != nil {
		return nil, err
	} else if len(common) == 0 {
		return described(change.Versus([]*change.Library{before}, before, after, true))
	}
	target, err := change.TargetOf(repo, commit, base.Commit.Hash, "")
	if err != nil {
		return nil, err
	}
	target.Name = base.Name
	return described(change.Judge(&change.Question{
		Repo: repo, Folder: w.Folder, Head: after, Commit: commit, Target: target, Base: before, Texts: true,
	}))
}

func described(j *change.Judgment, err error) (*Comparison, error) {
	if err != nil {
		return nil, err
	}
	return Of(j)
}

// commitOf is the commit of a side, or the one that its folder is a working tree of; zero if
// it is neither.
func (w *Workspace) commitOf(s Side) (gitrepo.Commit, error) {
	if s.Dir == "" || w.Repo == nil {
		return s.Commit, nil
	}
	if folder, err := w.Repo.Folder(s.Dir); err != nil || folder != w.Folder {
		return gitrepo.Commit{}, nil
	}
	c, err := w.Repo.Head()
	if errors.Is(err, gitrepo.ErrNoCommit) {
		err = nil
	}
	return c, err
}

func (w *Workspace) read(s Side) (*change.Library, error) {
	switch {
	case s.File != "":
		return readBundle(s)
	case s.Dir != "":
		return change.Folder(s.Dir, s.Name)
	}
	return change.Named(w.Repo, s.Commit, s.Name, w.Folder)
}

// readBundle is the library in a bundle: the latest version of each document that is not
// retired, the schemas, the calibration, and the ledger.
func readBundle(s Side) (*change.Library, error) {
	l, err := lib.OpenFile(s.File, bundlefile.Open, bundlefile.Options{})
	if err != nil {
		return nil, lib.FileError(s.File, err)
	}
	defer l.Close()
	lines, err := l.Lines()
	if err != nil {
		return nil, lib.FileError(s.File, err)
	}
	m := l.Bundle.Manifest()
	ended := m.Retired
	for _, o := range m.Tombstones {
		ended = append(ended, o.ID)
	}
	documents, others := map[string][]byte{}, map[string][]byte{}
	for _, line := range lines {
		if line.Retired {
			continue
		}
		if documents[bundlefile.DocumentPath(line.Kind, line.ID, line.Latest)], err = l.Read(line.Kind, line.ID, line.Latest); err != nil {
			return nil, lib.FileError(s.File, err)
		}
	}
	for _, prefix := range []string{"schema/", calibration.Root + "/", bundlecheck.LedgerName} {
		for name := range l.Bundle.Paths(prefix) {
			if others[name], err = l.Bundle.Read(name); err != nil {
				return nil, lib.FileError(s.File, err)
			}
		}
	}
	return change.Packed(s.Name, m.LibraryVersion, documents, others, ended), nil
}

// CompareWithTarget compares the working tree with its target branch. Changes are
// relative to the merge bases, and versions follow those at the target's tip.
func (w *Workspace) CompareWithTarget(working Side, env gitrepo.Env) (*Comparison, error) {
	head, commit, err := w.readWorkingTree(working)
	if err != nil {
		return nil, err
	}
	target, err := w.Repo.Target(env)
	if err != nil {
		return nil, err
	}
	c, err := described(change.Judge(&change.Question{Repo: w.Repo, Folder: w.Folder, Head: head, Commit: commit, Target: target, Texts: true}))
	if err == nil {
		c.Why = target.Why
	}
	return c, err
}

// CompareWithRelease compares the working tree with the last release. Before the first
// release, it compares with a library without documents.
func (w *Workspace) CompareWithRelease(working Side) (*Comparison, error) {
	head, commit, err := w.readWorkingTree(working)
	if err != nil {
		return nil, err
	}
	base := change.Nothing("nothing: this is the first release")
	if !commit.IsZero() {
		last, _, err := w.Repo.LastRelease(commit)
		if err != nil {
			return nil, err
		}
		if last.Name != "" {
			if base, err = change.Named(w.Repo, last.Commit, last.Name, w.Folder); err != nil {
				return nil, err
			}
		}
	}
	return described(change.Versus([]*change.Library{base}, base, head, true))
}

func (w *Workspace) readWorkingTree(working Side) (*change.Library, gitrepo.Commit, error) {
	if w.Repo == nil {
		return nil, gitrepo.Commit{}, fmt.Errorf("%w\nCompare two folders instead: rubric-diff path:BASE path:HEAD", w.Missing)
	}
	head, err := w.read(working)
	if err != nil {
		return nil, gitrepo.Commit{}, err
	}
	commit, err := w.commitOf(working)
	return head, commit, err
}
