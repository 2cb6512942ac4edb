package holdings

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// GoneError says that a library in a commit no longer exists, and that some of its
// documents are not retired.
type GoneError struct {
	Commit gitrepo.Commit
	// Folder is the folder of the library, or "" for the root of the repository.
	Folder string
	IDs    []string
}

// Error names the library, and the command that restores it.
func (e *GoneError) Error() string {
	const most = 3
	ids := strings.Join(e.IDs[:min(len(e.IDs), most)], ", ")
	if more := len(e.IDs) - most; more > 0 {
		ids += fmt.Sprintf(" and %d more", more)
	}
	at := path.Join(e.Folder, library.Root)
	return fmt.Sprintf("the library in %s at commit %.12s is gone, but these of its documents are not retired: %s. "+
		"Restore it (git checkout %.12s -- %s), or retire each document and keep %s",
		at, e.Commit.Hash, ids, e.Commit.Hash, at, path.Join(e.Folder, library.LedgerFile))
}

// CheckGone returns a *GoneError if a library in a commit is missing in files, the current
// root of the repository, unless all of its documents are retired. Head is the commit that
// files is based on, so that equal folders need no check. A folder without documents in
// the commit is a new library; it can be a moved one, and then everything is checked.
func CheckGone(repo *gitrepo.Repo, before, head gitrepo.Commit, files fs.FS, folder string) error {
	old, present := repo.Snapshot(before, ""), &gitrepo.Snapshot{}
	began, err := hasDocument(old, folder)
	if err != nil {
		return err
	}
	if began && !head.IsZero() {
		present = repo.Snapshot(head, "")
	}
	changes, err := gitrepo.Changed(present, old)
	if err != nil {
		return err
	}
	candidates := map[string]bool{}
	for _, c := range changes {
		if c.B == nil {
			continue
		}
		if other, ok := library.FolderOf(c.B.Path); ok && other != folder {
			candidates[other] = true
		}
	}
	for _, other := range slices.Sorted(maps.Keys(candidates)) {
		if err := checkRetired(repo, before, files, other); err != nil {
			return err
		}
	}
	return nil
}

// checkRetired finds documents of a library that neither exist nor are retired, if it no
// longer has any documents.
func checkRetired(repo *gitrepo.Repo, before gitrepo.Commit, files fs.FS, folder string) error {
	if there, err := hasDocument(files, folder); there || err != nil {
		return err
	}
	now := Working("", nil, func(name string) ([]byte, error) { return fileIn(files, path.Join(folder, name)) })
	ledger, _, err := now.Ledger()
	if err != nil {
		return err
	}
	old, err := At(repo, before, folder)
	if err != nil {
		return err
	}
	names, err := old.Paths()
	if err != nil {
		return err
	}
	var ids []string
	for _, name := range names {
		if old.hidden[name] != "" {
			continue
		}
		held, err := old.Edition(name)
		if err != nil {
			return err
		}
		if held != nil && ledger.Find(held.ID) == nil {
			ids = append(ids, held.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return &GoneError{before, folder, ids}
}
