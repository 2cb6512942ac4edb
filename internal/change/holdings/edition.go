package holdings

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// Edition is a version of a document in a library.
type Edition struct {
	ID, Version string
	// Digest is the document digest, and Content is the SHA-256 of the document
	// without its version. Digest is empty if the document is not valid.
	Digest  string
	Content [32]byte
	// Kind is nil if it is unknown.
	Kind *document.Kind
	// Commit is the commit of the library; in the past of a document, the first with it.
	Commit gitrepo.Commit
	// Path is the file that has it.
	Path string
	// IDAt and VersionAt are the places of its ID and version. They have no line if
	// it has none.
	IDAt, VersionAt source.Location
	// VersionSpan is the place of the version in the file.
	VersionSpan source.Span
	// Doc is nil in a comparison without texts, so that one of many documents stays small.
	Doc *document.Document

	// Number is the version, or nil if the document is not valid.
	Number *semver.Version
	// Blob is the hash of the file, as BlobHash returns it, or "" if there is none.
	Blob string
	// In is the library that has it; nil outside a comparison.
	In *Library
}

// IsValid reports whether the document can be compared with others.
func (e *Edition) IsValid() bool { return e.Digest != "" }

// EditionOf is the edition of a document whose file has the blob hash.
func EditionOf(d *document.Document, c gitrepo.Commit, blob string) *Edition {
	e := brief(d).inFile(d.File.Path, c, blob)
	e.Doc = d
	return e
}

// brief is the edition of a document without its text, wherever it is.
func brief(d *document.Document) *Edition {
	e := &Edition{ID: strings.Clone(d.ID()), Version: strings.Clone(d.Version()), Kind: d.Kind}
	digest, err := d.Digest()
	if number, malformed := semver.StrictNewVersion(e.Version); err == nil && malformed == nil {
		e.Digest, e.Content, e.Number = digest, sha256.Sum256(compat.Content(d)), number
	}
	at := func(key string) (source.Location, source.Span) {
		n := d.Root().Get(key)
		if n == nil {
			return source.Location{}, source.Span{}
		}
		return source.Locate(d.File, n.Span), n.Span
	}
	if d.Kind != nil {
		e.IDAt, _ = at(d.Kind.IDKey)
		e.VersionAt, e.VersionSpan = at("version")
	}
	return e
}

// Remember keeps what a document says whose file has the blob hash, as long as the repository is
// open, so that comparisons don't parse it again.
func Remember(repo *gitrepo.Repo, hash string, d *document.Document) error {
	_, err := gitrepo.Once(repo, hash, func() (*Edition, error) { return brief(d), nil })
	return err
}

// inFile is the same edition in a file of a commit.
func (e *Edition) inFile(name string, c gitrepo.Commit, blob string) *Edition {
	same := e.InCommit(c)
	same.Path, same.Blob = name, blob
	if e.Kind != nil {
		same.IDAt.File, same.VersionAt.File = name, name
	}
	return same
}

// InCommit is the same edition in another commit.
func (e *Edition) InCommit(c gitrepo.Commit) *Edition {
	same := *e
	same.Commit, same.IDAt.Revision, same.VersionAt.Revision = c, c.Hash, c.Hash
	return &same
}

// Edition is the document at a path. In a commit, an invalid one is replaced by the last
// valid one on the first-parent line. It is nil if there is none.
func (l *Library) Edition(name string) (*Edition, error) {
	e, err := l.ValidEdition(name)
	if err != nil {
		return nil, err
	}
	if e != nil {
		e.Doc, err = l.CurrentDocument(name)
		return e, err
	}
	if l.Repo == nil {
		return nil, nil
	}
	return l.lastUsable(name)
}

// ValidEdition is the document at a path without its text, or nil if it is not valid.
func (l *Library) ValidEdition(name string) (*Edition, error) {
	if l.hidden[name] != "" {
		return nil, nil
	}
	e, err := l.ReadAt(name)
	if err != nil || !e.IsValid() {
		return nil, err
	}
	return e, nil
}

// ReadAt is what the document at a path says, valid or not, without its text. For a commit, each
// content is read once.
func (l *Library) ReadAt(name string) (*Edition, error) {
	find := func() (*Edition, error) {
		d, err := l.CurrentDocument(name)
		if err != nil {
			return nil, err
		}
		return brief(d), nil
	}
	hash := l.Hash(name)
	var e *Edition
	var err error
	if l.Repo == nil || hash == "" || l.hidden[name] != "" {
		e, err = find()
	} else {
		e, err = gitrepo.Once(l.Repo, hash, find)
	}
	if err != nil {
		return nil, err
	}
	return e.inFile(name, l.Commit, hash), nil
}

// Find is the document with an ID, or nil. In a commit, an invalid one is replaced by the last
// valid one on the first-parent line. The file that is named after the ID is checked first.
func (l *Library) Find(id string) (*Edition, error) {
	names, err := l.Paths()
	if err != nil {
		return nil, err
	}
	named := func(name string) bool { return path.Base(name) == id+".yaml" }
	if i := slices.IndexFunc(names, named); i > 0 {
		names[0], names[i] = names[i], names[0]
	}
	for _, name := range names {
		if !named(name) {
			data, err := l.File(name)
			if err == nil && !bytes.Contains(data, []byte(id)) {
				continue
			}
		}
		held, err := l.Edition(name)
		if err != nil || held != nil && held.ID == id {
			return held, err
		}
	}
	return nil, nil
}

// lastUsable returns the last valid content of a path before the library's commit.
func (l *Library) lastUsable(name string) (*Edition, error) {
	last := l.Hash(name)
	for c, err := range l.Repo.FirstParents(l.Commit) {
		if err != nil {
			return nil, err
		}
		s := l.Repo.Snapshot(c, l.Folder)
		hash, err := s.Hash(name)
		if err != nil || hash == "" {
			return nil, err
		}
		if hash == last {
			continue
		}
		last = hash
		if info, err := s.Lstat(name); err != nil {
			return nil, err
		} else if !info.Mode().IsRegular() {
			continue
		}
		d, err := newLibrary("", s.Read).CurrentDocument(name)
		if err != nil {
			return nil, err
		}
		if d.Valid() {
			return EditionOf(d, c, hash), nil
		}
	}
	return nil, nil
}

// ChangesTo are the changes since the edition in a document whose file has the blob hash.
func (e *Edition) ChangesTo(head *document.Document, blob string) ([]compat.MeaningChange, error) {
	if e.Blob == blob && blob != "" {
		return nil, nil
	}
	before := e.Doc
	if before == nil {
		again, err := e.In.Edition(e.Path)
		if err != nil {
			return nil, err
		}
		if again == nil {
			return nil, fmt.Errorf("%s was a document and can't be read again", e.Path)
		}
		before = again.Doc
	}
	return compat.Compare(before, head), nil
}

// CouldBe reports whether a path is that of the document, or has its name.
func (e *Edition) CouldBe(name string) bool {
	return name == e.Path || path.Base(name) == e.ID+".yaml"
}

// ID is the ID of the document at a path, or "".
func (l *Library) ID(name string) (string, error) {
	if id, known := l.ids[name]; known {
		return id, nil
	}
	if l.Repo == nil {
		d, err := l.CurrentDocument(name)
		if err != nil {
			return "", err
		}
		return d.ID(), nil
	}
	e, err := l.ReadAt(name)
	if err != nil {
		return "", err
	}
	l.ids[name] = e.ID
	return e.ID, nil
}
