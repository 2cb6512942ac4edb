package change

import (
	"bytes"
	"crypto/sha256"
	"path"
	"slices"

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

	number *semver.Version // the version, if the document is valid
	blob   string          // of the file, as BlobHash returns it
	in     *Library        // nil outside a comparison
}

// Valid reports whether the document can be compared with others.
func (e *Edition) Valid() bool { return e.Digest != "" }

// editionOf is the edition of a document whose file has the blob hash.
func editionOf(d *document.Document, c gitrepo.Commit, blob string) *Edition {
	e := &Edition{ID: d.ID(), Version: d.Version(), Kind: d.Kind, Commit: c, Path: d.File.Path, Doc: d, blob: blob}
	digest, err := d.Digest()
	if number, malformed := semver.StrictNewVersion(e.Version); err == nil && malformed == nil {
		e.Digest, e.Content, e.number = digest, sha256.Sum256(compat.Content(d)), number
	}
	at := func(key string) (source.Location, source.Span) {
		n := d.Root().Get(key)
		if n == nil {
			return source.Location{File: e.Path, Revision: c.Hash}, source.Span{}
		}
		l := source.Locate(d.File, n.Span)
		l.Revision = c.Hash
		return l, n.Span
	}
	if d.Kind != nil {
		e.IDAt, _ = at(d.Kind.IDKey)
		e.VersionAt, e.VersionSpan = at("version")
	}
	return e
}

func (e *Edition) at(c gitrepo.Commit) *Edition {
	same := *e
	same.Commit, same.IDAt.Revision, same.VersionAt.Revision = c, c.Hash, c.Hash
	return &same
}

// edition is the document at a path. In a commit, an invalid one is replaced by the last
// valid one on the first-parent line. It is nil if there is none.
func (l *Library) edition(name string) (*Edition, error) {
	if l.hidden[name] == "" {
		d, err := l.Current(name)
		if err != nil {
			return nil, err
		}
		if d.Valid() {
			return editionOf(d, l.Commit, l.Hash(name)), nil
		}
	}
	if l.repo == nil {
		return nil, nil
	}
	return l.lastUsable(name)
}

// Find is the document with an ID, or nil. In a commit, an invalid one is replaced by the last
// valid one on the first-parent line. The file that is named after the ID is checked first.
func (l *Library) Find(id string) (*Edition, error) {
	names, err := l.paths()
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
		held, err := l.edition(name)
		if err != nil || held != nil && held.ID == id {
			return held, err
		}
	}
	return nil, nil
}

// lastUsable returns the last valid content of a path before the library's commit.
func (l *Library) lastUsable(name string) (*Edition, error) {
	last := l.Hash(name)
	for c, err := range l.repo.FirstParents(l.Commit) {
		if err != nil {
			return nil, err
		}
		s := l.repo.Snapshot(c, l.folder)
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
		d, err := newLibrary("", s.Read).Current(name)
		if err != nil {
			return nil, err
		}
		if d.Valid() {
			return editionOf(d, c, hash), nil
		}
	}
	return nil, nil
}
