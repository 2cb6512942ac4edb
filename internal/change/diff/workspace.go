package diff

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
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
	// Gates says that the answer decides about a change, so that something has to be compared.
	Gates bool
	// First says that nothing was released yet, whatever the tags are.
	First bool
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
			return nil, notInside()
		}
	}
	return sides, w.locate(sides)
}

// notInside is the error for a working folder that is in no library.
func notInside() error {
	here, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if why := gitrepo.Missing(here, lib.Root); why != nil {
		return fmt.Errorf("not inside a library: %w", why)
	}
	return fmt.Errorf("not inside a library: no %s/ folder here or in any parent", lib.Root)
}

// locate finds the library's folder in the repository: the compared folder, or the
// library around the working folder, or the library in the commit.
func (w *Workspace) locate(sides []Side) (err error) {
	if w.Repo == nil {
		return nil
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
	for _, s := range slices.Backward(sides) {
		if !s.Commit.IsZero() {
			w.Folder, err = holdings.Locate(w.Repo, s.Commit)
			break
		}
	}
	return err
}

// Compare compares the sides that Sides returned. The steps between two sides in the
// repository are judged with their history. A single side is compared with the last
// release if released is set, and otherwise with its target branch: changes are then
// relative to the merge bases, and versions follow those at the target's tip.
func (w *Workspace) Compare(sides []Side, released bool, env gitrepo.Env) (*Comparison, error) {
	if len(sides) < 2 && w.Repo == nil {
		return nil, fmt.Errorf("%w%s\nCompare two folders instead: rubric-diff path:BASE path:HEAD", w.Missing, w.explainUnjudged())
	}
	side := sides[len(sides)-1]
	head, err := w.read(side)
	if err != nil {
		return nil, err
	}
	commit, err := w.commitOf(side)
	if err != nil {
		return nil, err
	}
	q := &change.Question{Repo: w.Repo, Folder: w.Folder, Head: head, Commit: commit, Texts: true}
	var base *holdings.Library // if it is compared without its history
	switch {
	case len(sides) > 1:
		base, err = w.follow(q, sides[0])
		if err == nil && w.Gates {
			err = q.Repo.RequireProposal(q.Target, env)
		}
	case released:
		base, err = w.sinceRelease(q)
	default:
		q.Target, err = w.Repo.Target(w.Folder, env)
	}
	if err != nil {
		return nil, err
	}
	var judged *change.Judgment
	if base != nil {
		judged, err = change.Versus([]*holdings.Library{base}, base, head, true)
	} else {
		judged, err = change.Judge(q)
	}
	if err != nil {
		return nil, err
	}
	return Of(judged), nil
}

// explainUnjudged says that there is no repository to compare with. Where there is one that can't be
// read, the error ends with the command that helps, which nothing may follow.
func (w *Workspace) explainUnjudged() string {
	if errors.Is(w.Missing, gitrepo.ErrNoRepository) {
		return ", so nothing was compared and no version was checked"
	}
	return ""
}

// follow makes a side the target of a question. A side that has no commit in common with the
// head is returned instead.
func (w *Workspace) follow(q *change.Question, s Side) (apart *holdings.Library, err error) {
	base, err := w.read(s)
	if err != nil || q.Commit.IsZero() || s.Commit.IsZero() {
		return base, err
	}
	q.Repo = w.Repo.WithHead(q.Commit)
	common, err := q.Repo.MergeBases(q.Commit, s.Commit)
	if err != nil || len(common) == 0 {
		return base, err
	}
	q.Target, err = change.TargetOf(q.Repo, q.Commit, s.Commit.Hash, "")
	q.Base, q.Target.Name = base, s.Name
	return nil, err
}

// sinceRelease makes the last release the target of a question, so that each step since it is
// judged. Before the first release, and on a branch that is not released, the release is
// returned instead, for a comparison as a whole.
func (w *Workspace) sinceRelease(q *change.Question) (apart *holdings.Library, err error) {
	var last gitrepo.ReleaseTag
	if !q.Commit.IsZero() && !w.First {
		last, _, err = w.Repo.LastRelease(w.Folder, q.Commit)
	}
	if err != nil {
		return nil, err
	}
	base, err := w.ReleasedLibrary(last)
	if err != nil || last.Name == "" {
		return base, err
	}
	target, err := change.TargetOf(w.Repo, q.Commit, last.Commit.Hash, "")
	if err != nil || !target.OnMain {
		return base, err
	}
	q.Base, q.Target = base, target
	q.Target.Name = last.Name
	return nil, nil
}

// ReleasedLibrary is the library of a release. Before the first one, with the zero tag, it is a library
// without documents.
func (w *Workspace) ReleasedLibrary(tag gitrepo.ReleaseTag) (*holdings.Library, error) {
	if tag.Name == "" {
		return holdings.Nothing("nothing: this is the first release"), nil
	}
	return holdings.Named(w.Repo, tag.Commit, tag.Name, w.Folder)
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

func (w *Workspace) read(s Side) (*holdings.Library, error) {
	switch {
	case s.File != "":
		return readBundle(s)
	case s.Dir != "":
		return holdings.Folder(s.Dir, s.Name)
	}
	return holdings.Named(w.Repo, s.Commit, s.Name, w.Folder)
}

// readBundle is the library in a bundle: the latest version of each document that is not
// retired, the schemas, the calibration, and the ledger.
func readBundle(s Side) (*holdings.Library, error) {
	b, err := bundlefile.OpenFile(s.File, bundlecheck.Open, bundlefile.Options{})
	if err != nil {
		return nil, bundlefile.FileError(s.File, err)
	}
	defer b.Close()
	m := b.Manifest()
	ended := endedIn(m)
	documents, others := map[string][]byte{}, map[string][]byte{}
	left := map[string]bool{}
	for line, err := range b.Index() {
		if err != nil {
			return nil, bundlefile.FileError(s.File, err)
		}
		left[line.ID] = true
		if line.Retired {
			continue
		}
		latest, err := bundlecheck.Read(b, line.Kind, line.ID, line.Latest)
		if err != nil {
			return nil, bundlefile.FileError(s.File, err)
		}
		documents[latest.File.Path] = latest.File.Data
	}
	for _, o := range m.Tombstones {
		if !left[o.ID] { // a retired document of which no version is left
			ended = append(ended, holdings.LedgerLine{ID: o.ID})
		}
	}
	for _, prefix := range []string{"schema/", calibration.Root + "/", bundlecheck.LedgerName} {
		for name := range b.Paths(prefix) {
			if others[name], err = b.Read(name); err != nil {
				return nil, bundlefile.FileError(s.File, err)
			}
		}
	}
	return holdings.Packed(s.Name, m.LibraryVersion, documents, others, ended...), nil
}

// endedIn are the retired documents of a bundle, and its yanked and withdrawn versions.
func endedIn(m bundlefile.Manifest) (ended []holdings.LedgerLine) {
	for _, id := range m.Retired {
		ended = append(ended, holdings.LedgerLine{ID: id})
	}
	for _, o := range m.Tombstones {
		ended = append(ended, holdings.LedgerLine{ID: o.ID, Yanked: o.Version, Reason: o.Reason, Withdrawn: true})
	}
	for _, o := range m.Yanked {
		ended = append(ended, holdings.LedgerLine{ID: o.ID, Yanked: o.Version, Reason: o.Reason})
	}
	return ended
}
