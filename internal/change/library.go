package change

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

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Library is one side of a comparison: the library in a commit, in a folder with its edits,
// or in a bundle, or the part of it in which two commits differ.
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

	// Files opens it as a file system; nil for a bundle, and before the first commit.
	Files fs.FS

	files  map[string]string // the hash of the content of each document, by path
	hidden map[string]string // what is there instead of a document, by path: "symbolic link"
	ids    map[string]string // the IDs of documents, as far as they are known
	read   func(name string) ([]byte, error)
	parsed map[string]*document.Document // some documents that are read again soon, by path

	rest  map[string]string               // of a bundle: the hashes of its other files, by path
	said  map[string]*calibration.Numbers // of a bundle: what its statistics say, by dataset
	ended *Ledger                         // of a bundle

	repo      *gitrepo.Repo // nil unless in a commit
	folder    string
	documents *gitrepo.Snapshot // in a commit: those that may not be in files yet
	listed    bool              // they are
	step      bool              // only what a commit changes is judged
}

func newLibrary(name string, read func(name string) ([]byte, error)) *Library {
	return &Library{
		Name: name, read: read,
		files: map[string]string{}, hidden: map[string]string{}, ids: map[string]string{}, parsed: map[string]*document.Document{},
	}
}

// BlobHash is the Git blob hash of a content.
func BlobHash(data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// notAFileError is what is at the path of a file: "symbolic link".
type notAFileError string

func (e notAFileError) Error() string { return "expected a regular file, got a " + string(e) }

// IsNoFile reports whether an error of File says that something else is there.
func IsNoFile(err error) bool { return errors.As(err, new(notAFileError)) }

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
	l.Commit, l.Files, l.repo, l.folder, l.documents = c, snapshot, repo, folder, snapshot.Below(library.Root)
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

// differing returns the paths of the documents of two libraries that do not have the same
// content. A content that can't be read is the same as no other.
func (l *Library) differing(other *Library) (map[string]bool, error) {
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
		names, err := side.paths()
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			check(name)
		}
	}
	return differ, nil
}

// stem is the name of a file without its folder and extension.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// add adds an entry below Root if it has the name of a document.
func (l *Library) add(e *gitrepo.Entry) {
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

// paths lists the documents, sorted, with what has the name of one but is not a file.
func (l *Library) paths() ([]string, error) {
	if err := l.list(); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(l.files)), nil
}

// empty reports whether the library has neither documents, valid or not, nor retired ones.
func (l *Library) empty() (bool, error) {
	there := len(l.files) > len(l.hidden)
	if l.repo != nil {
		var err error
		if there, err = hasDocument(l.Files, ""); err != nil {
			return false, err
		}
	}
	if there {
		return false, nil
	}
	ledger, _, err := l.Ledger()
	return ledger == nil || !slices.ContainsFunc(ledger.Entries, func(e Entry) bool { return e.Yanked == "" }), err
}

// Hash is the hash of the content of a document that is listed or differs, or "".
func (l *Library) Hash(name string) string { return l.files[name] }

// File is the content of a file of the library, or nil if it does not exist.
func (l *Library) File(name string) ([]byte, error) {
	if what := l.hidden[name]; what != "" {
		return nil, notAFileError(what)
	}
	if l.repo != nil && !library.IsDocument(name) { // it may not be listed
		info, err := fs.Lstat(l.Files, name)
		if err == nil && !info.Mode().IsRegular() {
			return nil, notAFileError(noun(info.Mode()))
		}
	}
	data, err := l.read(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, gitrepo.ErrNotAFolder) {
		return nil, nil
	}
	return data, err
}

// noun names what is not a regular file.
func noun(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeSymlink != 0:
		return gitrepo.Symlink.String()
	}
	return gitrepo.Submodule.String()
}

// mostParsed limits how many documents a library keeps, so that a comparison stays small.
const mostParsed = 50

// Current parses the document at a path, valid or not. A document that is too large is
// invalid, and so is what is not a file.
func (l *Library) Current(name string) (*document.Document, error) {
	if d := l.parsed[name]; d != nil {
		return d, nil
	}
	data, err := l.File(name)
	if IsNoFile(err) {
		data, err = nil, nil
	}
	f, err := source.Read(name, data, err)
	if err != nil {
		return nil, err
	}
	d := parse(f)
	if _, known := l.ids[name]; !known {
		l.ids[name] = d.ID()
	}
	if len(l.parsed) < mostParsed {
		l.parsed[name] = d
	}
	return d, nil
}

// parse parses a document, the ledger, or the exceptions.
func parse(f *source.File) *document.Document {
	switch f.Path {
	case library.LedgerFile:
		return document.ParseAs(f, &document.Ledger)
	case library.ExceptionsFile:
		return document.ParseAs(f, &document.Exceptions)
	}
	return document.Parse(f)
}

// id is the ID of the document at a path, or "".
func (l *Library) id(name string) (string, error) {
	if id, known := l.ids[name]; known {
		return id, nil
	}
	if l.repo == nil {
		d, err := l.Current(name)
		if err != nil {
			return "", err
		}
		return d.ID(), nil
	}
	e, err := l.readAt(name)
	if err != nil {
		return "", err
	}
	l.ids[name] = e.ID
	return e.ID, nil
}

// settings reads a file of a library that is not a document, as the given kind. hidden says
// why it can't be read completely, or is "".
func (l *Library) settings(name string, kind *document.Kind) (d *document.Document, hidden string, err error) {
	data, err := l.File(name)
	switch {
	case IsNoFile(err) || limits.IsTooLarge(err) || limits.IsPointer(err):
		return nil, fmt.Sprintf("%s can't be read: %v", name, err), nil
	case err != nil:
		return nil, "", fmt.Errorf("%s can't be read: %w", name, err)
	case data != nil:
		if d = document.ParseAs(source.NewFile(name, data), kind); !d.Valid() {
			hidden = name + " has errors"
		}
	}
	return d, hidden, nil
}

// earlierSettings is settings for a step that follows the library. In a commit, a file with errors
// is replaced by the last valid one on the first-parent line, so that breaking it removes nothing.
func (l *Library) earlierSettings(name string, kind *document.Kind) (d *document.Document, hidden string, err error) {
	d, hidden, err = l.settings(name, kind)
	if err != nil || hidden == "" || l.repo == nil {
		return d, hidden, err
	}
	last, err := l.entry(name)
	if err != nil {
		return nil, "", err
	}
	for c, err := range l.repo.FirstParents(l.Commit) {
		if err != nil {
			return nil, "", err
		}
		earlier, err := At(l.repo, c, l.folder)
		if err != nil {
			return nil, "", err
		}
		entry, err := earlier.entry(name)
		if err != nil || entry == "" {
			return nil, "", err
		}
		if entry == last {
			continue
		}
		last = entry
		valid, broken, err := earlier.settings(name, kind)
		if err != nil || broken == "" {
			return valid, "", err
		}
	}
	return d, hidden, nil
}

// entry identifies what a commit has at a path: its type and content. It is "" if there is nothing.
func (l *Library) entry(name string) (string, error) {
	snapshot := l.repo.Snapshot(l.Commit, l.folder)
	hash, err := snapshot.Hash(name)
	if hash == "" || err != nil {
		return "", err
	}
	info, err := snapshot.Lstat(name)
	if err != nil {
		return "", err
	}
	return info.Mode().Type().String() + hash, nil
}
