package diff

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/calibration"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
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
	folder, err := Locate(w.Repo, commit)
	w.Folder = folder
	return err
}

// Compare compares two sides that Sides returned.
func (w *Workspace) Compare(base, head Side) (*Comparison, error) {
	before, after, err := w.readBoth(base, head)
	if err != nil {
		return nil, err
	}
	if head.Dir != "" && w.Repo != nil {
		if commit, err := w.Repo.Head(); err == nil {
			if folder, err := w.Repo.Folder(head.Dir); err == nil {
				after.Since(w.Repo, commit, folder)
			}
		}
	}
	return Compare([]*Library{before}, before, after)
}

func (w *Workspace) readBoth(base, head Side) (before, after *Library, err error) {
	if !base.Commit.IsZero() && !head.Commit.IsZero() {
		if before, after, err = Between(w.Repo, base.Commit, head.Commit, w.Folder); err != nil {
			return nil, nil, err
		}
		before.Name, after.Name = base.Name, head.Name
		return before, after, nil
	}
	if before, err = w.read(base); err != nil {
		return nil, nil, err
	}
	after, err = w.read(head)
	return before, after, err
}

func (w *Workspace) read(s Side) (*Library, error) {
	switch {
	case s.File != "":
		return readBundle(s)
	case s.Dir != "":
		return Folder(s.Dir, s.Name)
	}
	return At(w.Repo, s.Commit, s.Name, w.Folder)
}

// readBundle is the library in a bundle: the latest version of each document that is not
// retired, the schemas, the calibration, and the ledger.
func readBundle(s Side) (*Library, error) {
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
	return Packed(s.Name, m.LibraryVersion, documents, others, ended), nil
}

// CompareWithTarget compares the working tree with its target branch. Changes are
// relative to the merge bases, and versions follow those at the target's tip.
func (w *Workspace) CompareWithTarget(working Side, env gitrepo.Env) (*Comparison, error) {
	head, err := w.readWorkingTree(working)
	if err != nil {
		return nil, err
	}
	target, err := w.Repo.Target(env)
	if err != nil {
		return nil, err
	}
	tip := Nothing("nothing")
	before := []*Library{tip}
	if !target.Commit.IsZero() {
		if tip, err = At(w.Repo, target.Commit, target.Name, w.Folder); err != nil {
			return nil, err
		}
		at := func(c gitrepo.Commit) (*Library, error) { return At(w.Repo, c, c.Hash, w.Folder) }
		if before, err = history.Bases(w.Repo, target, tip, "name the revision to compare with", at); err != nil {
			return nil, err
		}
	}
	c, err := Compare(before, tip, head)
	if err == nil {
		c.Why = target.Why
	}
	return c, err
}

// CompareWithRelease compares the working tree with the last release, which is the
// highest tag that begins with tagPrefix. Before the first release, it compares with a
// library without documents.
func (w *Workspace) CompareWithRelease(working Side, tagPrefix string) (*Comparison, error) {
	head, err := w.readWorkingTree(working)
	if err != nil {
		return nil, err
	}
	base, err := w.lastRelease(tagPrefix)
	if err != nil {
		return nil, err
	}
	return Compare([]*Library{base}, base, head)
}

func (w *Workspace) readWorkingTree(working Side) (*Library, error) {
	if w.Repo == nil {
		return nil, fmt.Errorf("%w\nCompare two folders instead: rubric-diff path:BASE path:HEAD", w.Missing)
	}
	return w.read(working)
}

func (w *Workspace) lastRelease(tagPrefix string) (*Library, error) {
	nothing := Nothing("nothing: this is the first release")
	head, err := w.Repo.Head()
	if errors.Is(err, gitrepo.ErrNoCommit) {
		return nothing, nil
	}
	if err != nil {
		return nil, err
	}
	last, _, err := w.Repo.LastRelease(head, tagPrefix)
	if err != nil || last.Name == "" {
		return nothing, err
	}
	return At(w.Repo, last.Commit, last.Name, w.Folder)
}

// Packed is the library in a bundle with a version. documents has the canonical form of
// each document by the name of its entry, and others has the other released files; ended
// are the IDs of documents that were retired or withdrawn. The path of a document in the
// bundle is unrelated to its path in the library.
func Packed(name, version string, documents, others map[string][]byte, ended []string) *Library {
	listed := &listing{}
	for _, id := range ended {
		listed.Retired = append(listed.Retired, struct{ ID string }{id})
	}
	rest := map[string]string{}
	for name, data := range others {
		rest[name] = history.BlobHash(data)
	}
	return &Library{
		Name: name, version: version, documents: packed(documents), packed: true, parsed: map[string]*file{}, listed: listed,
		rest: func() (map[string]string, error) { return rest, nil },
	}
}

// packed is the documents of a bundle by the name of their entries.
type packed map[string][]byte

func (p packed) Paths() []string { return slices.Sorted(maps.Keys(p)) }

func (p packed) Hash(name string) string {
	if data, ok := p[name]; ok {
		return history.BlobHash(data)
	}
	return ""
}

func (p packed) File(name string) ([]byte, error) { return p[name], nil }
