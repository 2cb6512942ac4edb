package change

import (
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// reader reads the documents of a comparison in which the sides differ. Nearly all keep
// their path, so the sides of one path are read and compared together. The rest are read
// again.
type reader struct {
	*Comparison
	// held are the documents of each library that differ from the head, by ID.
	held map[*Library]map[string]*Edition
	// heads are the documents of the head, by path.
	heads map[string]*Edition
	// changes are the changes between an edition at a merge base and the head with the
	// same path and ID.
	changes map[*Edition][]compat.Change
}

// read reads every path at which a library differs from the head.
func (r *reader) read() error {
	differs := map[string]bool{}
	for l := range r.held {
		for name := range l.files {
			differs[name] = differs[name] || !r.Head.same(l, name)
		}
		for name := range r.Head.files {
			differs[name] = differs[name] || r.Head.ids[name] != "" && !r.Head.same(l, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(differs)) {
		if !differs[name] {
			continue
		}
		if err := r.path(name); err != nil {
			return err
		}
	}
	return nil
}

// path reads one path in the head and the libraries.
func (r *reader) path(name string) error {
	var head *document.Document
	if id := r.Head.ids[name]; id != "" && r.paths[id] == name {
		var err error
		if head, err = r.headAt(name); err != nil {
			return err
		}
	}
	parsed := map[string]*document.Document{} // by blob
	for _, l := range r.libraries() {
		hash := l.Hash(name)
		if hash == "" || r.Head.same(l, name) {
			continue
		}
		h := &Held{parsed[hash], l.Commit, hash}
		if h.Doc == nil {
			var err error
			if h, err = l.load(name); err != nil {
				return err
			} else if h == nil {
				if l.repo == nil {
					r.Unreadable = append(r.Unreadable, &Unreadable{Path: name, InBase: true})
				}
				continue
			}
			parsed[h.Blob] = h.Doc
		}
		e := r.edition(h.Doc, h.Commit, h.Blob)
		if other := r.held[l][e.ID]; other != nil && other.Path == r.paths[e.ID] {
			continue // the copy that did not change
		}
		r.held[l][e.ID] = e
		if head != nil && head.Valid() && head.ID() == e.ID && slices.Contains(r.Bases, l) {
			r.changes[e] = compat.Compare(h.Doc, head)
		}
	}
	return nil
}

// edition is editionOf, with the document if it is to be kept.
func (r *reader) edition(d *document.Document, c gitrepo.Commit, blob string) *Edition {
	e := editionOf(d, c, blob)
	if r.keep {
		e.Doc = d
	}
	return e
}

// headAt reads a document of the head and stores its edition.
func (r *reader) headAt(name string) (*document.Document, error) {
	if e := r.heads[name]; e != nil && e.Doc != nil {
		return e.Doc, nil
	}
	d, err := r.Head.Current(name)
	if err == nil && r.heads[name] == nil {
		r.heads[name] = r.edition(d, r.Head.Commit, r.Head.Hash(name))
	}
	return d, err
}

// complete adds the head of a document and compares it with its bases.
func (r *reader) complete(d *Document) error {
	name, there := r.paths[d.ID]
	if !there {
		return nil
	}
	if r.heads[name] == nil {
		if _, err := r.headAt(name); err != nil {
			return err
		}
	}
	d.Path, d.Head = name, r.heads[name]
	if !d.Head.Valid() {
		return nil
	}
	for _, l := range r.Bases {
		if l.same(r.Head, name) { // unchanged
			d.Bases = append(d.Bases, d.Head.at(l.Commit))
		}
	}
	bases := d.Bases
	if len(bases) == 0 && d.Tip != nil {
		bases = []*Edition{d.Tip} // both sides added it
	}
	for _, base := range bases {
		changes, err := r.compare(base, d.Head)
		if err != nil {
			return err
		}
		if d.Base == nil || compat.Class(changes) > d.Class() {
			d.Base, d.Changes = base, changes
		}
	}
	return nil
}

func (r *reader) compare(base, head *Edition) ([]compat.Change, error) {
	if base.blob == head.blob {
		return nil, nil
	}
	if changes, ok := r.changes[base]; ok {
		return changes, nil
	}
	d, err := r.headAt(head.Path)
	if err != nil {
		return nil, err
	}
	for _, l := range r.libraries() {
		if r.held[l][base.ID] == base {
			h, err := l.load(base.Path)
			if err != nil {
				return nil, err
			}
			return compat.Compare(h.Doc, d), nil
		}
	}
	return nil, nil
}

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

// Edition is a document in a head or at a commit. It has what the lint rules need but not
// the text, so that a comparison of many documents stays small.
type Edition struct {
	Holding
	// Path is the file that has it.
	Path string
	// IDAt and VersionAt are the places of its ID and version. They have no line if
	// it has none.
	IDAt, VersionAt source.Location
	// VersionSpan is the place of the version in the file.
	VersionSpan source.Span
	// Doc is the document in a comparison of texts, otherwise nil.
	Doc *document.Document
}

// editionOf is the edition of a document whose file has the blob hash.
func editionOf(d *document.Document, c gitrepo.Commit, blob string) *Edition {
	e := &Edition{Holding: holding(d, c), Path: d.File.Path}
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
