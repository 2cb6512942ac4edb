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
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// Local is a library on disk to be edited, with its history.
type Local struct {
	fsys  fs.FS
	past  *change.Origin
	paths []string // of the documents, sorted
}

// Open lists the documents of the library in fsys. A nil past means that its history is
// unknown.
func Open(fsys fs.FS, past *change.Origin) (*Local, error) {
	l := &Local{fsys: fsys, past: past}
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
func (l *Local) read(name string) ([]byte, error) {
	info, err := l.lstat(name)
	if err != nil || info == nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, hiding(name)
	}
	return safefile.ReadFile(l.fsys, name)
}

func hiding(name string) error {
	return fmt.Errorf("%s is not a regular file. Replace it with the file itself", name)
}

// lstat describes a path of the library, or is nil if nothing exists there.
func (l *Local) lstat(name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(l.fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return info, err
}

// mentions are the documents whose text contains an ID, valid or not, sorted by path.
func (l *Local) mentions(id string) ([]*document.Document, error) {
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
func (l *Local) document(id string) (*document.Document, error) {
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
	return nil, fmt.Errorf("two documents have the ID %s: %s and %s. Change one of the IDs first",
		id, found[0].File.Path, found[1].File.Path)
}

// knownDocument is the one document with an ID, or an error if there is none.
func (l *Local) knownDocument(id string) (*document.Document, error) {
	d, err := l.document(id)
	if err != nil || d != nil {
		return d, err
	}
	var ids []string
	for _, name := range l.paths {
		if strings.TrimSuffix(path.Base(name), path.Ext(name)) == id {
			return nil, fmt.Errorf("%s can't be read as the document %s. Fix what `rubric lint` reports there first", name, id)
		}
		ids = append(ids, strings.TrimSuffix(path.Base(name), path.Ext(name)))
	}
	meant := suggest.ID(strings.TrimSuffix(path.Base(id), path.Ext(id)), ids, "rubric list")
	return nil, fmt.Errorf("this library has no document %s. %s", schema.Quote(id), meant)
}

// CheckFree returns why an ID can't be used for a new document: it is or was the ID of
// another document, here or where documents are published.
func (l *Local) CheckFree(id string) error {
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
	held, err := l.past.Tip.Find(id)
	if err != nil {
		return err
	}
	if held != nil {
		return fmt.Errorf("%s is already the ID of a %s on %s: %s. Update this branch to see it",
			id, held.Doc.Kind.Noun, l.past.Name, held.Doc.File.Path)
	}
	return nil
}

// finish checks that the files that an edit creates can be written.
func (l *Local) finish(e *Edit) (*Edit, error) {
	for _, f := range e.Files {
		if f.Before != nil {
			continue
		}
		if err := l.checkFolders(f.Path); err != nil {
			return nil, err
		}
		if there, err := l.lstat(f.Path); err != nil {
			return nil, err
		} else if there != nil {
			return nil, fmt.Errorf("%s already exists. Move or delete it first", f.Path)
		}
	}
	return e, nil
}

// checkFolders checks that the existing folders of a file are folders: a link could lead
// out of the library.
func (l *Local) checkFolders(name string) error {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := l.lstat(dir)
		if err != nil {
			return err
		}
		if info != nil && !info.IsDir() {
			return fmt.Errorf("%s is not a folder: expected one for %s, and a link is not followed. Move it away", dir, path.Base(name))
		}
	}
	return nil
}

func documentPath(artifactType, id string) string {
	return lib.Root + "/" + artifactType + "/" + id + ".yaml"
}

// checkCommitted returns an error if a file differs from the last commit, because its content
// would be lost.
func (l *Local) checkCommitted(name string, data []byte) error {
	committed, err := l.past.Head.File(name)
	if err != nil {
		return err
	}
	unix := func(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }
	if committed == nil || !bytes.Equal(unix(committed), unix(data)) {
		return fmt.Errorf("%s has uncommitted edits, which would be lost. Commit them, or undo them with `git restore %s`", name, name)
	}
	return nil
}
