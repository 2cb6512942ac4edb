package history

import (
	"bytes"
	"crypto/sha256"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/source"
	"github.com/rubric-library/rubric-library/internal/yamltree"
)

// Holding is a version of a document that the main branch held.
type Holding struct {
	ID, Version string
	// Digest is the document digest, Content the SHA-256 of what it says
	// without the version.
	Digest  string
	Content [32]byte
	Kind    *document.Kind
	Commit  gitrepo.Commit
}

// Past is what the main branch held, by ID, the newest first.
type Past map[string][]Holding

// add adds a version once for each content.
func (p Past) add(h Holding) {
	for _, known := range p[h.ID] {
		if known.Version == h.Version && known.Digest == h.Digest {
			return
		}
	}
	p[h.ID] = append(p[h.ID], h)
}

// holding is what a commit holds in a document; ok is false where the document
// can't be used.
func holding(d *document.Document, c gitrepo.Commit) (h Holding, ok bool) {
	digest, err := d.Digest()
	if err != nil {
		return Holding{}, false
	}
	return Holding{ID: d.ID(), Version: d.Version(), Digest: digest, Content: sha256.Sum256(change.Content(d)), Kind: d.Kind, Commit: c}, true
}

// Since reads every version of the documents with these IDs that the first
// parents of a commit held, the commit included, back to the commit whose full
// hash is until (included), or to the first. It is one walk over the trees; only
// contents that mention an ID are parsed.
func Since(repo *gitrepo.Repo, from gitrepo.Commit, folder, until string, ids []string) (Past, error) {
	past := Past{}
	if from.IsZero() || len(ids) == 0 {
		return past, nil
	}
	var child *gitrepo.Snapshot
	for c, err := range repo.FirstParents(from) {
		if err != nil {
			return nil, err
		}
		s, err := repo.Snapshot(c, path.Join(folder, Root))
		if err != nil {
			return nil, err
		}
		if child != nil {
			if err := past.step(s, child, ids); err != nil {
				return nil, err
			}
		}
		child = s
		if c.Hash == until {
			break
		}
	}
	return past, past.whole(child, ids)
}

// step reads what a commit changed on its parent.
func (p Past) step(parent, child *gitrepo.Snapshot, ids []string) error {
	changes, err := gitrepo.Changed(parent, child)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if c.B != nil {
			if err := p.read(child, *c.B, ids); err != nil {
				return err
			}
		}
	}
	return nil
}

// whole reads all that the first commit had.
func (p Past) whole(s *gitrepo.Snapshot, ids []string) error {
	entries, err := s.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := p.read(s, e, ids); err != nil {
			return err
		}
	}
	return nil
}

func (p Past) read(s *gitrepo.Snapshot, e gitrepo.Entry, ids []string) error {
	name := Root + "/" + e.Path
	if !IsDocument(name) || e.Mode != gitrepo.Regular && e.Mode != gitrepo.Executable {
		return nil
	}
	data, err := s.ReadEntry(e, -1)
	if err != nil {
		return err
	}
	if len(data) > yamltree.MaxBytes || !mentionsAny(data, ids) {
		return nil
	}
	if h, ok := holding(document.Parse(source.NewFile(name, data)), s.Commit()); ok {
		p.add(h)
	}
	return nil
}

func mentionsAny(data []byte, ids []string) bool {
	for _, id := range ids {
		if bytes.Contains(data, []byte(id)) {
			return true
		}
	}
	return false
}

// Hold adds what the head of a comparison has, which a commit holds, as the
// newest.
func (p Past) Hold(c *Comparison, commit gitrepo.Commit) {
	for _, d := range c.Documents {
		if d.Head == nil {
			continue
		}
		if h, ok := holding(d.Head, commit); ok {
			p[h.ID] = slices.Insert(p[h.ID], 0, h)
		}
	}
}
