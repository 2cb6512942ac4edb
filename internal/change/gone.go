package change

import (
	"errors"
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
	names, err := old.paths()
	if err != nil {
		return err
	}
	var ids []string
	for _, name := range names {
		if old.hidden[name] != "" {
			continue
		}
		held, err := old.edition(name)
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

// hasDocument reports whether a folder is a library with a document. It reads only as much
// as finding one takes.
func hasDocument(files fs.FS, folder string) (found bool, unread error) {
	root := path.Join(folder, library.Root)
	info, err := fs.Lstat(files, root)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, gitrepo.ErrNotAFolder):
		return false, nil
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, nil
	}
	_ = fs.WalkDir(files, root, func(name string, d fs.DirEntry, err error) error {
		switch below := library.Root + strings.TrimPrefix(name, root); {
		case err != nil:
			unread = err
		case (library.Entry{Path: below, Type: d.Type()}).IsDocument():
			found, unread = true, nil
			return fs.SkipAll
		}
		return nil
	})
	return found, unread
}

// Named is At with a name for messages. A commit whose library was in another folder is an
// error, because such libraries can't be compared.
func Named(repo *gitrepo.Repo, c gitrepo.Commit, name, folder string) (*Library, error) {
	l, err := At(repo, c, folder)
	if err != nil {
		return nil, err
	}
	l.Name = name
	if root, err := fs.Lstat(l.Files, library.Root); err == nil && root.IsDir() {
		return l, nil
	}
	head, err := repo.Head()
	if err != nil {
		return nil, err
	}
	return l, CheckGone(repo, c, head, repo.Snapshot(head, ""), folder)
}

// Locate finds the folder of the library in a commit: the root, or the only other
// folder with documents or, if there is none, with retired ones.
func Locate(repo *gitrepo.Repo, c gitrepo.Commit) (string, error) {
	entries, err := repo.Snapshot(c, "").Entries()
	if err != nil {
		return "", err
	}
	found, ledgers := map[string]bool{}, []string{}
	for _, e := range entries {
		if folder, ok := library.FolderOf(e.Path); ok {
			found[folder] = true
		} else if folder, ok := strings.CutSuffix("/"+e.Path, "/"+library.LedgerFile); ok {
			ledgers = append(ledgers, strings.TrimPrefix(folder, "/"))
		}
	}
	folders := slices.Sorted(maps.Keys(found))
	if len(folders) == 0 {
		if folders, err = withRetired(repo, c, ledgers); err != nil {
			return "", err
		}
	}
	switch {
	case len(folders) == 0:
		return "", fmt.Errorf("commit %.12s has no library: no folder in it has documents below %s/", c.Hash, library.Root)
	case len(folders) == 1 || folders[0] == "":
		return folders[0], nil
	}
	return "", fmt.Errorf("commit %.12s has several libraries: %s. Run this in the folder of one of them, in a clone with a working tree", c.Hash, strings.Join(folders, ", "))
}

// withRetired returns those of the folders of a commit whose ledger lists a retired document.
func withRetired(repo *gitrepo.Repo, c gitrepo.Commit, folders []string) ([]string, error) {
	var found []string
	for _, folder := range folders {
		retired, err := library.HasRetired(repo.Snapshot(c, folder))
		if err != nil {
			return nil, err
		}
		if retired {
			found = append(found, folder)
		}
	}
	return found, nil
}
