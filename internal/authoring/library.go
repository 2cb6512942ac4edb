package authoring

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// Library is a library to be edited, with its history.
type Library struct {
	fsys  fs.FS
	past  *Past
	paths []string // of the documents, sorted
}

// Open lists the documents of the library in fsys. A nil past means that its history is
// unknown.
func Open(fsys fs.FS, past *Past) (*Library, error) {
	l := &Library{fsys: fsys, past: past}
	entries, err := lib.List(fsys)
	for _, e := range entries {
		switch {
		case e.Err != nil:
			return nil, fmt.Errorf("%s can't be read: %w", e.Path, e.Err)
		case e.Hides():
			return nil, hiding(e.Path)
		case e.IsDocument():
			l.paths = append(l.paths, e.Path)
		}
	}
	return l, err
}

// read is the content of a file of the library, or nil if it does not exist.
func (l *Library) read(name string) ([]byte, error) {
	info, err := l.lstat(name)
	if err != nil || info == nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, hiding(name)
	}
	return limits.ReadFile(l.fsys, name)
}

func hiding(name string) error {
	return fmt.Errorf("%s is not a regular file. Replace it with the file itself", name)
}

// lstat describes a path of the library, or is nil if nothing exists there.
func (l *Library) lstat(name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(l.fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return info, err
}

// mentions are the documents whose text contains an ID, valid or not, sorted by path.
func (l *Library) mentions(id string) ([]*document.Document, error) {
	var found []*document.Document
	for _, name := range l.paths {
		data, err := l.read(name)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(data, []byte(id)) {
			found = append(found, parse(name, data))
		}
	}
	return found, nil
}

// document is the one document with an ID, or nil.
func (l *Library) document(id string) (*document.Document, error) {
	if id == "" {
		return nil, nil
	}
	found, err := l.mentions(id)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(d *document.Document) bool { return d.ID() != id })
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("two documents have the ID %s: %s and %s. Change one of the IDs first", id, found[0].File.Path, found[1].File.Path)
}

func (l *Library) unknown(id string) error {
	var ids []string
	for _, name := range l.paths {
		ids = append(ids, strings.TrimSuffix(path.Base(name), path.Ext(name)))
	}
	meant := suggest.Question(". Did you mean %s?", strings.TrimSuffix(path.Base(id), path.Ext(id)), ids)
	return fmt.Errorf("this library has no document %s%s", schema.Quote(id), meant)
}

// Free returns why an ID can't be used for a new document: it is or was the ID of
// another document, here or where documents are published.
func (l *Library) Free(id string) error {
	if d, err := l.document(id); err != nil {
		return err
	} else if d != nil {
		return fmt.Errorf("%s is already the ID of a %s: %s", id, d.Kind.Noun, d.File.Path)
	}
	ledger, err := l.ledger()
	if err != nil {
		return err
	}
	if retired(ledger, id) {
		return fmt.Errorf("%s is retired (%s lists it): stored scores of the old document would seem to belong to the new one", id, ledgerFile)
	}
	if l.past == nil {
		return nil
	}
	if gone, err := l.retiredOnTip(id); err != nil {
		return err
	} else if gone {
		return fmt.Errorf("%s is retired on %s. Update this branch to see it", id, l.past.Name)
	}
	held, err := find(l.past.Tip, id)
	if err != nil {
		return err
	}
	if held != nil {
		return fmt.Errorf("%s is already the ID of a %s on %s: %s. Update this branch to see it",
			id, held.Doc.Kind.Noun, l.past.Name, held.Doc.File.Path)
	}
	return nil
}

// find is the document with an ID in a commit, or nil. The file that is named after the
// ID is checked first.
func find(l *change.Library, id string) (*change.Edition, error) {
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
			if err != nil && !limits.IsTooLarge(err) {
				return nil, err
			}
			if err == nil && !bytes.Contains(data, []byte(id)) {
				continue
			}
		}
		held, err := l.Document(name)
		if err != nil {
			return nil, err
		}
		if held != nil && held.ID == id {
			return held, nil
		}
	}
	return nil, nil
}

// finish checks that the files that an edit creates can be written.
func (l *Library) finish(e *Edit) (*Edit, error) {
	for _, f := range e.Files {
		if f.Before != nil {
			continue
		}
		folder, err := l.lstat(path.Dir(f.Path))
		if err != nil {
			return nil, err
		}
		if folder != nil && !folder.IsDir() {
			return nil, fmt.Errorf("%s is not a folder: expected a folder for %s", path.Dir(f.Path), path.Base(f.Path))
		}
		if there, err := l.lstat(f.Path); err != nil {
			return nil, err
		} else if there != nil {
			return nil, fmt.Errorf("%s already exists. Move or delete it first", f.Path)
		}
	}
	return e, nil
}

func documentPath(artifactType, id string) string {
	return lib.Root + "/" + artifactType + "/" + id + ".yaml"
}

// Past is the history of a library in its repository.
type Past struct {
	// Name is the name in messages of the place where documents are published, such as
	// "origin/main".
	Name string
	// Bases are the libraries to compare with: those where the branch began, or the
	// one in the last commit on the main branch.
	Bases []*change.Library
	// Tip is the published library. Head is the library in the last commit.
	Tip, Head *change.Library

	repo   *gitrepo.Repo
	commit gitrepo.Commit // up to which the main branch is published
	folder string
}

// publication is what is published of the document with an ID.
func (p *Past) publication(id string) (*change.Publication, error) {
	out := &change.Publication{}
	var err error
	if out.Tip, err = find(p.Tip, id); err != nil {
		return nil, err
	}
	for _, base := range p.Bases {
		held, err := find(base, id)
		if err != nil {
			return nil, err
		}
		if held != nil {
			out.Bases = append(out.Bases, held)
		}
	}
	return out, out.Earlier(p.repo, p.commit, p.Tip, p.folder, id)
}

// ReadPast reads the history of the library in a folder. On the main branch, its own
// content is published. On another branch, the content of the target is.
func ReadPast(repo *gitrepo.Repo, target gitrepo.Target, folder string) (*Past, error) {
	commit, err := repo.Head()
	if err != nil && !errors.Is(err, gitrepo.ErrNoCommit) {
		return nil, err
	}
	head := change.Nothing("nothing")
	if !commit.IsZero() {
		if head, err = change.At(repo, commit, folder); err != nil {
			return nil, err
		}
	}
	if target.OnMain || target.Commit.IsZero() {
		return &Past{Name: "the last commit", Bases: []*change.Library{head}, Tip: head, Head: head, repo: repo, commit: commit, folder: folder}, nil
	}
	p := &Past{Name: target.Name, Head: head, repo: repo, commit: target.Commit, folder: folder}
	if p.Tip, err = change.At(repo, target.Commit, folder); err != nil {
		return nil, err
	}
	p.Bases, err = change.MergeBases(repo, commit, target, p.Tip)
	return p, err
}
