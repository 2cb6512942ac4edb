package change

import (
	"crypto/sha256"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// Holding is a version of a document in a commit.
type Holding struct {
	ID, Version string
	// Digest is the document digest, and Content is the SHA-256 of the document
	// without its version. Digest is empty if the document is not valid.
	Digest  string
	Content [32]byte
	// Kind is nil if it is unknown.
	Kind *document.Kind
	// Commit is the first commit with it.
	Commit gitrepo.Commit

	blob string // of the file, as BlobHash returns it
}

// Valid reports whether the document can be compared with others.
func (h *Holding) Valid() bool { return h.Digest != "" }

// Edition is a document in a library.
type Edition struct {
	Holding
	// Path is the file that has it.
	Path string
	// IDAt and VersionAt are the places of its ID and version. They have no line if
	// it has none.
	IDAt, VersionAt source.Location
	// VersionSpan is the place of the version in the file.
	VersionSpan source.Span
	// Doc is nil in a comparison without texts, so that one of many documents stays small.
	Doc *document.Document

	in *Library // nil outside a comparison
}

// EditionOf is the edition of a document that is in no commit.
func EditionOf(d *document.Document) *Edition { return editionOf(d, gitrepo.Commit{}, "") }

// editionOf is the edition of a document whose file has the blob hash.
func editionOf(d *document.Document, c gitrepo.Commit, blob string) *Edition {
	e := &Edition{Holding: holding(d, c), Path: d.File.Path, Doc: d}
	e.blob = blob
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

// at is the same edition at a commit.
func (e *Edition) at(c gitrepo.Commit) *Edition {
	same := *e
	same.Commit, same.IDAt.Revision, same.VersionAt.Revision = c, c.Hash, c.Hash
	return &same
}

func holding(d *document.Document, c gitrepo.Commit) Holding {
	h := Holding{ID: d.ID(), Version: d.Version(), Kind: d.Kind, Commit: c}
	if digest, err := d.Digest(); err == nil {
		h.Digest, h.Content = digest, sha256.Sum256(compat.Content(d))
	}
	return h
}
