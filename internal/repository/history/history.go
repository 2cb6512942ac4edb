// Package history compares a library with its history in the repository: the documents
// that a change touches, with their versions at the merge bases and at the target's tip,
// the ledger, and every version that was ever on the main branch. The decisions are in the
// lint rules.
//
// Unreadable data is an error, never an absence.
package history

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// Held is a document in a commit.
type Held struct {
	Doc    *document.Document
	Commit gitrepo.Commit
	// Blob is the hash of the content, as BlobHash returns it.
	Blob string
}

// ID is the ID of the document.
func (h *Held) ID() string { return h.Doc.ID() }

// Version is the version in the document.
func (h *Held) Version() string { return h.Doc.Version() }

// Library is a library in a commit, or the part of it in which two commits differ.
type Library struct {
	Commit gitrepo.Commit

	repo     *gitrepo.Repo
	folder   string // of the library, relative to the repository
	snapshot *gitrepo.Snapshot
	// documents is the folder of the documents.
	documents *gitrepo.Snapshot
	files     map[string]gitrepo.Entry // the documents by path
	hidden    map[string]gitrepo.Entry // links and submodules by path
	parsed    map[string]*Held         // by path; nil if it was never valid
}

func newLibrary(repo *gitrepo.Repo, c gitrepo.Commit, folder string) (*Library, error) {
	snapshot, err := repo.Snapshot(c, folder)
	if err != nil {
		return nil, err
	}
	documents, err := documentsAt(repo, c, folder)
	return &Library{
		Commit: c, repo: repo, folder: folder, snapshot: snapshot, documents: documents,
		files: map[string]gitrepo.Entry{}, hidden: map[string]gitrepo.Entry{}, parsed: map[string]*Held{},
	}, err
}

// Nothing is the library before the first commit.
func Nothing() *Library { return &Library{} }

// At lists the documents of the library in a folder of the repository at a commit. A
// commit without the folder is a library without documents; CheckGone finds out whether
// they were in another folder.
func At(repo *gitrepo.Repo, c gitrepo.Commit, folder string) (*Library, error) {
	l, err := newLibrary(repo, c, folder)
	if err != nil {
		return nil, err
	}
	entries, err := l.documents.Entries()
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		l.add(&e)
	}
	return l, nil
}

func documentsAt(repo *gitrepo.Repo, c gitrepo.Commit, folder string) (*gitrepo.Snapshot, error) {
	return FolderAt(repo, c, path.Join(folder, library.Root))
}

// FolderAt is a folder in a commit. If something else has its name, the folder does not
// exist.
func FolderAt(repo *gitrepo.Repo, c gitrepo.Commit, name string) (*gitrepo.Snapshot, error) {
	s, err := repo.Snapshot(c, name)
	if errors.Is(err, gitrepo.ErrNotAFolder) {
		return repo.Snapshot(c, name+" is not a folder")
	}
	return s, err
}

// Between returns the libraries of two commits with only the documents that differ.
func Between(repo *gitrepo.Repo, a, b gitrepo.Commit, folder string) (before, after *Library, err error) {
	if before, err = newLibrary(repo, a, folder); err != nil {
		return nil, nil, err
	}
	if after, err = newLibrary(repo, b, folder); err != nil {
		return nil, nil, err
	}
	changes, err := gitrepo.Changed(before.documents, after.documents)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range changes {
		before.add(c.A)
		after.add(c.B)
	}
	return before, after, nil
}

// add adds an entry below Root if it has the name of a document.
func (l *Library) add(e *gitrepo.Entry) {
	if e == nil || !library.IsDocument(library.Root+"/"+e.Path) {
		return
	}
	if e.Mode == gitrepo.Regular || e.Mode == gitrepo.Executable {
		l.files[library.Root+"/"+e.Path] = *e
	} else {
		l.hidden[library.Root+"/"+e.Path] = *e
	}
}

// Hidden are the symbolic links and submodules with the name of a document, by path. The
// documents that they replace can't be read.
func (l *Library) Hidden() map[string]gitrepo.Entry { return l.hidden }

// Paths lists the documents, sorted.
func (l *Library) Paths() []string { return slices.Sorted(maps.Keys(l.files)) }

// Empty reports whether the commit has no documents, valid or not.
func (l *Library) Empty() (bool, error) {
	if len(l.files) > 0 || l.repo == nil {
		return len(l.files) == 0, nil
	}
	there, err := hasDocument(l.snapshot.FS(), "")
	return !there, err
}

// Hash is the hash of the content of the document at a path, or "".
func (l *Library) Hash(name string) string { return l.files[name].Hash }

// Document is the document at a path. If it is invalid, it is the last valid one on the
// first-parent line, or nil if it was never valid.
func (l *Library) Document(name string) (*Held, error) {
	if h, ok := l.parsed[name]; ok {
		return h, nil
	}
	h, err := l.load(name)
	if err == nil {
		l.parsed[name] = h
	}
	return h, err
}

// load is Document without its cache.
func (l *Library) load(name string) (*Held, error) {
	if h, err := l.read(name); err != nil || h != nil {
		return h, err
	}
	return l.lastUsable(name)
}

// read parses the document at a path, or returns nil if it is invalid.
func (l *Library) read(name string) (*Held, error) {
	d, err := documentIn(l.snapshot, name)
	if err != nil || !d.Valid() {
		return nil, err
	}
	return &Held{d, l.Commit, l.Hash(name)}, nil
}

// documentIn parses a document of a commit. A document that is too large is invalid, and
// so is a symbolic link or a submodule.
func documentIn(s *gitrepo.Snapshot, name string) (*document.Document, error) {
	info, err := fs.Lstat(s.FS(), name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return document.Parse(source.NewFile(name, nil)), nil
	}
	data, err := s.Read(name)
	f, err := source.Read(name, data, err)
	if err != nil {
		return nil, err
	}
	return document.Parse(f), nil
}

// lastUsable returns the last valid content of a path before the library's commit.
func (l *Library) lastUsable(name string) (*Held, error) {
	last := l.Hash(name)
	for c, err := range l.repo.FirstParents(l.Commit) {
		if err != nil {
			return nil, err
		}
		s, err := l.repo.Snapshot(c, l.folder)
		if err != nil {
			return nil, err
		}
		hash, err := s.Hash(name)
		if err != nil || hash == "" {
			return nil, err
		}
		if hash == last {
			continue
		}
		last = hash
		d, err := documentIn(s, name)
		if err != nil {
			return nil, err
		}
		if d.Valid() {
			return &Held{d, c, hash}, nil
		}
	}
	return nil, nil
}

// File is the content of another file of the library, or nil.
func (l *Library) File(name string) ([]byte, error) {
	if l.snapshot == nil {
		return nil, nil
	}
	data, err := l.snapshot.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Head is the library as a head to be checked.
func (l *Library) Head() (*Head, error) {
	h := &Head{Files: map[string]HeadFile{}, Read: l.snapshot.Read}
	for name, e := range l.files {
		d, err := documentIn(l.snapshot, name)
		if err != nil {
			return nil, err
		}
		h.Files[name] = HeadFile{Hash: e.Hash, ID: d.ID(), Doc: d}
	}
	var err error
	h.Ledger, err = l.File(library.LedgerFile)
	return h, err
}
