package holdings

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Library is one side of a comparison: the library in a commit, in a folder with its edits,
// or in a bundle, or the part of it in which two commits differ. It reads Git objects and files when
// they are asked for, starts no process, and remembers what it read, so that it is for one goroutine.
type Library struct {
	// Name is its name in messages: a revision as written, a folder, or a file.
	Name string
	// Commit is its commit; zero for anything else.
	Commit gitrepo.Commit
	// Version is the library's version in a bundle, or "" if it follows from the history.
	Version string
	// Packed says that it is a bundle, in which a document has another path than in a
	// library, and every version is published.
	Packed bool

	// Files opens it as a file system; nil for a bundle, before the first commit, and for a
	// working folder until the caller sets it.
	Files fs.FS

	files  map[string]string // the hash of the content of each document, by path
	hidden map[string]string // what is there instead of a document, by path: "symbolic link"
	ids    map[string]string // the IDs of documents, as far as they are known
	read   func(name string) ([]byte, error)
	parsed map[string]*document.Document // some documents that are read again soon, by path

	inBundle
	inCommit
}

// inBundle is what only a library in a bundle has.
type inBundle struct {
	rest  map[string]string           // the hashes of its other files, by path
	said  map[string]*measure.Numbers // what its statistics say, by dataset
	ended *Ledger
}

// inCommit is what only a library in a commit has.
type inCommit struct {
	// Repo is its repository, and Folder its folder there. Repo is nil if it is not in a commit.
	Repo   *gitrepo.Repo
	Folder string

	documents *gitrepo.Snapshot // those that may not be in files yet
	listed    bool              // they are
}

func newLibrary(name string, read func(name string) ([]byte, error)) *Library {
	return &Library{
		Name: name, read: read,
		files: map[string]string{}, hidden: map[string]string{}, ids: map[string]string{},
		parsed: map[string]*document.Document{},
	}
}

// BlobHash is the Git blob hash of a content.
func BlobHash(data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// Nothing is a library without documents, such as the one before the first commit.
func Nothing(name string) *Library {
	return newLibrary(name, func(string) ([]byte, error) { return nil, fs.ErrNotExist })
}

// File is a document of a library in files.
type File struct {
	Path string
	// Hash is the hash of its content, as BlobHash returns it, or "" if it can't be read.
	Hash string
	// ID is its ID, or "" if the file has none. Known says that this is certain.
	ID    string
	Known bool
}

// Working is a library in files, such as a working tree with its edits. read returns the
// content of any of its files, or an error that matches fs.ErrNotExist.
func Working(name string, files []File, read func(name string) ([]byte, error)) *Library {
	l := newLibrary(name, read)
	for _, f := range files {
		l.files[f.Path] = f.Hash
		if f.Known {
			l.ids[f.Path] = f.ID
		}
	}
	return l
}

// At is the library in a folder of the repository at a commit. A commit without the folder
// is a library without documents; CheckGone finds out whether they were in another folder.
// Its documents are listed when all of them are needed: two commits are compared without.
func At(repo *gitrepo.Repo, c gitrepo.Commit, folder string) (*Library, error) {
	snapshot := repo.Snapshot(c, folder)
	if _, err := snapshot.Lstat("."); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l := newLibrary(c.Hash, snapshot.Read)
	l.Commit, l.Files = c, snapshot
	l.inCommit = inCommit{Repo: repo, Folder: folder, documents: snapshot.Subfolder(library.Root)}
	return l, nil
}

// list makes sure that all documents are listed.
func (l *Library) list() error {
	if l.documents == nil || l.listed {
		return nil
	}
	entries, err := l.documents.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		l.add(&e)
	}
	l.listed = true
	return nil
}

// DifferingPaths returns the paths of the documents of two libraries that do not have the same
// content. A content that can't be read is the same as no other.
func (l *Library) DifferingPaths(other *Library) (map[string]bool, error) {
	differ := map[string]bool{}
	check := func(name string) {
		hash, there := l.files[name]
		otherHash, otherThere := other.files[name]
		if there != otherThere || hash != otherHash || there && hash == "" {
			differ[name] = true
		}
	}
	if l.documents != nil && other.documents != nil {
		changes, err := gitrepo.Changed(l.documents, other.documents)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			l.add(c.A)
			other.add(c.B)
			check(library.Root + "/" + c.Path)
		}
		return differ, nil
	}
	for _, side := range []*Library{l, other} {
		names, err := side.Paths()
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			check(name)
		}
	}
	return differ, nil
}

// Stem is the name of a file without its folder and extension.
func Stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// add adds an entry below Root if it has the name of a document.
func (l *Library) add(e *gitrepo.SnapshotEntry) {
	if e == nil || !library.IsDocument(library.Root+"/"+e.Path) {
		return
	}
	name := library.Root + "/" + e.Path
	if e.Mode == gitrepo.Regular || e.Mode == gitrepo.Executable {
		l.files[name] = e.Hash
	} else {
		l.hide(name, e.Mode.String(), e.Hash)
	}
}

// hide adds something that has the name of a document but is not a file.
func (l *Library) hide(name, what, hash string) {
	l.hidden[name], l.files[name], l.ids[name] = what, what+" "+hash, ""
}

// Paths lists the documents, sorted, with what has the name of one but is not a file.
func (l *Library) Paths() ([]string, error) {
	if err := l.list(); err != nil {
		return nil, err
	}
	return l.ListedPaths(), nil
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
		case (library.FileEntry{Path: below, Type: d.Type()}).IsDocument():
			found, unread = true, nil
			return fs.SkipAll
		}
		return nil
	})
	return found, unread
}

// notAFileError is what is at the path of a file: "symbolic link".
type notAFileError string

func (e notAFileError) Error() string { return "expected a regular file, got a " + string(e) }

// IsNoFile reports whether an error of Library.File says that something else is there.
func IsNoFile(err error) bool { return errors.As(err, new(notAFileError)) }

// ListedPaths returns the paths of the documents that are listed or differ, sorted.
func (l *Library) ListedPaths() []string { return slices.Sorted(maps.Keys(l.files)) }

// KnownID is the ID of the document at a path, "" if it has none, as far as the file was read.
func (l *Library) KnownID(name string) (id string, known bool) {
	id, known = l.ids[name]
	return id, known
}

// Hash is the hash of the content of a document that is listed or differs, or "" if it can't be
// read. For a link, it is "symbolic link" and the hash of the target.
func (l *Library) Hash(name string) string { return l.files[name] }

// Forget drops the documents that are kept for reading them again soon.
func (l *Library) Forget() { clear(l.parsed) }
