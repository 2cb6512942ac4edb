package history

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// Libraries lists the folders of a commit that are libraries, sorted.
func Libraries(repo *gitrepo.Repo, c gitrepo.Commit) ([]string, error) {
	whole, err := repo.Snapshot(c, "")
	if err != nil {
		return nil, err
	}
	entries, err := whole.Entries()
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, e := range entries {
		if folder, ok := library.FolderOf(e.Path); ok {
			found[folder] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

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
	old, err := repo.Snapshot(before, "")
	if err != nil {
		return err
	}
	present := &gitrepo.Snapshot{}
	began, err := hasDocument(old.FS(), folder)
	if err == nil && began && !head.IsZero() {
		present, err = repo.Snapshot(head, "")
	}
	if err != nil {
		return err
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
	old, err := At(repo, before, folder)
	if err != nil {
		return err
	}
	var ledger *Ledger
	if info, err := fs.Lstat(files, path.Join(folder, library.LedgerFile)); err == nil && info.Mode().IsRegular() {
		data, err := limits.ReadFile(files, path.Join(folder, library.LedgerFile))
		if err != nil {
			return err
		}
		ledger = parseLedger(data)
	}
	var ids []string
	for _, name := range old.Paths() {
		held, err := old.Document(name)
		if err != nil {
			return err
		}
		if held != nil && ledger.Find(held.ID()) == nil {
			ids = append(ids, held.ID())
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
	if info, err := fs.Lstat(files, root); err != nil || !info.IsDir() {
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

// Ledger is the list of retired IDs.
type Ledger struct {
	Doc     *document.Document
	Entries []Entry
}

// Entry is a line of the ledger.
type Entry struct {
	ID, Kind, LastVersion, Reason, ReplacedBy string
	Node                                      *yamltree.Node
}

// Find returns the entry of an ID, or nil. It can be called on nil.
func (l *Ledger) Find(id string) *Entry {
	if l == nil {
		return nil
	}
	for i := range l.Entries {
		if l.Entries[i].ID == id {
			return &l.Entries[i]
		}
	}
	return nil
}

// Same reports whether two entries mean the same.
func (e *Entry) Same(other *Entry) bool {
	return e.ID == other.ID && e.Kind == other.Kind && e.LastVersion == other.LastVersion && e.Reason == other.Reason && e.ReplacedBy == other.ReplacedBy
}

// parseLedger reads a ledger; nil data gives nil.
func parseLedger(data []byte) *Ledger {
	if data == nil {
		return nil
	}
	l := &Ledger{Doc: document.ParseAs(source.NewFile(library.LedgerFile, data), &document.Ledger)}
	for _, n := range l.Doc.Root().Get("retired").List() {
		l.Entries = append(l.Entries, Entry{
			ID: n.Get("id").Text(), Kind: n.Get("kind").Text(), LastVersion: n.Get("last_version").Text(),
			Reason: n.Get("reason").Text(), ReplacedBy: n.Get("replaced_by").Text(), Node: n,
		})
	}
	return l
}

func (c *Comparison) ledgers() error {
	data, err := c.Tip.File(library.LedgerFile)
	if err != nil {
		return err
	}
	c.Ledger, c.TipLedger = parseLedger(c.head.Ledger), parseLedger(data)
	c.LedgerHidden = c.head.LedgerHidden || c.Ledger != nil && !c.Ledger.Doc.Valid()
	for _, base := range c.Bases {
		data, err := base.File(library.LedgerFile)
		if err != nil {
			return err
		}
		c.BaseLedgers = append(c.BaseLedgers, parseLedger(data))
	}
	return nil
}
