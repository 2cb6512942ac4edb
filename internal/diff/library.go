package diff

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// Library is one side of a comparison.
type Library struct {
	// Name is its name in messages: a revision as written, a folder, or a file.
	Name string
	// Commit is its commit; zero for a folder or a file.
	Commit gitrepo.Commit

	documents
	// version is the library's version in a bundle, or "" if it follows from the
	// history.
	version string
	// partial reports whether the documents are only those that differ from another
	// library.
	partial bool
	// packed reports whether it is a bundle, in which documents have other paths than
	// in a library.
	packed bool
	// held returns the last valid content of a path, or nil if no content was ever
	// valid. A folder has no history: there it is nil.
	held func(name string) (*history.Held, error)
	// past returns the earlier versions by ID; nil if they are unknown.
	past func(ids []string) (history.Past, error)
	// rest lists the other released files: schema/, calibration/, and the ledger, by
	// path.
	rest func() (map[string]string, error)
	// files opens it as a file system; nil if it is not one.
	files  func() (fs.FS, error)
	parsed map[string]*file
	listed *listing // nil before it is read
}

// Files is the library as a file system, or nil for a bundle.
func (l *Library) Files() (fs.FS, error) {
	if l.files == nil {
		return nil, nil
	}
	return l.files()
}

// documents are the documents of a library, or only those that differ.
type documents interface {
	// Paths lists them, sorted.
	Paths() []string
	// Hash is the Git blob hash of the content at a path, or "".
	Hash(name string) string
	// File is the content at a path, or nil.
	File(name string) ([]byte, error)
}

// The folders whose content is also released.
var restFolders = []string{"schema", "calibration"}

// Nothing is a library without documents.
func Nothing(name string) *Library {
	rest := func() (map[string]string, error) { return nil, nil }
	return &Library{Name: name, documents: history.Nothing(), rest: rest}
}

// At is the library that a folder of the repository had at a commit, as
// history.At reads it.
func At(repo *gitrepo.Repo, c gitrepo.Commit, name, folder string) (*Library, error) {
	l, err := history.At(repo, c, folder)
	if err != nil {
		return nil, err
	}
	if len(l.Paths()) == 0 {
		err = checkMoved(repo, c, folder)
	}
	return atCommit(repo, name, folder, l), err
}

// checkMoved returns an error if a library that a commit does not have was in another
// folder then: such libraries can't be compared.
func checkMoved(repo *gitrepo.Repo, c gitrepo.Commit, folder string) error {
	if s, err := repo.Snapshot(c, path.Join(folder, lib.Root)); err != nil || s.Exists() {
		return err
	}
	head, err := repo.Head()
	if err != nil {
		return err
	}
	whole, err := repo.Snapshot(head, "")
	if err != nil {
		return err
	}
	return history.CheckGone(repo, c, head, whole.FS(), folder)
}

// Between is the library at two commits, each with only the documents that differ.
// Nothing else is read.
func Between(repo *gitrepo.Repo, a, b gitrepo.Commit, folder string) (before, after *Library, err error) {
	for _, c := range []gitrepo.Commit{a, b} {
		if err := checkMoved(repo, c, folder); err != nil {
			return nil, nil, err
		}
	}
	old, current, err := history.Between(repo, a, b, folder)
	if err != nil {
		return nil, nil, err
	}
	before, after = atCommit(repo, a.Hash, folder, old), atCommit(repo, b.Hash, folder, current)
	before.partial, after.partial = true, true
	return before, after, nil
}

func atCommit(repo *gitrepo.Repo, name, folder string, l *history.Library) *Library {
	at := &Library{
		Name: name, Commit: l.Commit, documents: commitDocuments{l}, held: l.Document,
		rest: func() (map[string]string, error) { return restAt(repo, l, folder) },
		files: func() (fs.FS, error) {
			s, err := repo.Snapshot(l.Commit, folder)
			if err != nil {
				return nil, err
			}
			return s.FS(), nil
		},
		parsed: map[string]*file{},
	}
	at.Since(repo, l.Commit, folder)
	return at
}

// commitDocuments are the documents of a commit, with the links and submodules that
// replace some.
type commitDocuments struct{ *history.Library }

func (c commitDocuments) Paths() []string {
	paths := slices.AppendSeq(c.Library.Paths(), maps.Keys(c.Hidden()))
	slices.Sort(paths)
	return paths
}

func (c commitDocuments) Hash(name string) string {
	if e, ok := c.Hidden()[name]; ok {
		return e.Mode.String() + " " + e.Hash
	}
	return c.Library.Hash(name)
}

func (c commitDocuments) File(name string) ([]byte, error) {
	if e, ok := c.Hidden()[name]; ok {
		return nil, notAFileError(e.Mode.String())
	}
	return c.Library.File(name)
}

// notAFileError is what is at the path of a document: "symbolic link".
type notAFileError string

func (e notAFileError) Error() string {
	return "expected a regular file, got a " + string(e)
}

// restAt lists the other files that the library at a commit releases.
func restAt(repo *gitrepo.Repo, l *history.Library, folder string) (map[string]string, error) {
	rest := map[string]string{}
	ledger, err := l.File(lib.LedgerFile)
	if err != nil {
		return nil, err
	}
	if ledger != nil {
		rest[lib.LedgerFile] = history.BlobHash(ledger)
	}
	for _, name := range restFolders {
		s, err := repo.Snapshot(l.Commit, path.Join(folder, name))
		if err != nil {
			return nil, err
		}
		entries, err := s.Entries()
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Mode == gitrepo.Regular || e.Mode == gitrepo.Executable {
				rest[name+"/"+e.Path] = e.Hash
			}
		}
	}
	return rest, nil
}

// Locate finds the folder of the library in a commit: the root, or the only other
// folder with documents.
func Locate(repo *gitrepo.Repo, c gitrepo.Commit) (string, error) {
	folders, err := history.Libraries(repo, c)
	switch {
	case err != nil:
		return "", err
	case len(folders) == 0:
		return "", fmt.Errorf("commit %.12s has no library: no folder in it has documents below %s/", c.Hash, lib.Root)
	case len(folders) == 1 || folders[0] == "":
		return folders[0], nil
	}
	return "", fmt.Errorf("commit %.12s has several libraries: %s. Run this in the folder of one of them, in a clone with a working tree", c.Hash, strings.Join(folders, ", "))
}

// Folder is the library in a folder on disk that contains rubrics/.
func Folder(dir, name string) (*Library, error) {
	root := filepath.Join(dir, lib.Root)
	if info, err := os.Lstat(root); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not a library: it has no folder %s/", dir, lib.Root)
	}
	f := &folder{fsys: safefile.DirFS(dir), hashes: map[string]string{}}
	entries, err := lib.List(f.fsys)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Err != nil {
			return nil, fmt.Errorf("%s can't be read: %w", e.Path, e.Err)
		}
		if lib.IsDocument(e.Path) && !e.Type.IsDir() {
			f.hashes[e.Path] = f.hash(e)
		}
	}
	if len(f.hashes) == 0 {
		return nil, fmt.Errorf("no documents to compare: the folder %s has none", root)
	}
	return &Library{
		Name: name, documents: f, rest: f.rest, parsed: map[string]*file{},
		files: func() (fs.FS, error) { return f.fsys, nil },
	}, nil
}

type folder struct {
	fsys   fs.FS
	hashes map[string]string
}

// unknown is the hash of a file that is too large or can't be read. It equals nothing,
// not even itself.
const unknown = "unknown"

// hash is the hash of the content of an entry in a commit.
func (f *folder) hash(e lib.Entry) string {
	if e.Type&fs.ModeSymlink != 0 {
		if to, err := fs.ReadLink(f.fsys, e.Path); err == nil {
			return gitrepo.Symlink.String() + " " + history.BlobHash([]byte(to))
		}
	} else if data, err := f.File(e.Path); err == nil {
		return history.BlobHash(data)
	}
	return unknown
}

func (f *folder) rest() (map[string]string, error) {
	rest := map[string]string{}
	for _, root := range append([]string{lib.LedgerFile}, restFolders...) {
		err := fs.WalkDir(f.fsys, root, func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && name == root || err == nil && !d.Type().IsRegular() {
				return nil
			}
			var data []byte
			if err == nil {
				data, err = f.File(name)
			}
			if err != nil {
				return fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
			}
			rest[name] = history.BlobHash(data)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return rest, nil
}

func (f *folder) Paths() []string { return slices.Sorted(maps.Keys(f.hashes)) }

func (f *folder) Hash(name string) string { return f.hashes[name] }

// File is the content of a regular file.
func (f *folder) File(name string) ([]byte, error) {
	info, err := fs.Lstat(f.fsys, name)
	switch {
	case err != nil:
		return nil, safefile.Reason(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, notAFileError(gitrepo.Symlink.String())
	case !info.Mode().IsRegular():
		return nil, notAFileError("special file or folder")
	}
	data, err := limits.ReadFile(f.fsys, name)
	return data, safefile.Reason(err)
}
