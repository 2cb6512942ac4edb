package library

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Sound returns the library without the documents that can't be used, and the problems of those.
// Of two documents with one ID, neither can be used. The error is one of Read, where the problem
// is not that of a document: of the ledger, for example, on which all documents depend.
func Sound(fsys fs.FS) (fs.FS, []FolderProblem, error) {
	_, err := Read(fsys, func(*document.Document) error { return nil })
	invalid, ok := errors.AsType[*InvalidError](err)
	if !ok {
		return fsys, nil, err
	}
	s := &soundFS{FS: fsys, broken: map[string]bool{}}
	for _, p := range invalid.Problems {
		if !IsDocument(p.Path) {
			return nil, nil, err
		}
		s.broken[p.Path] = true
		if p.Other != "" {
			s.broken[p.Other] = true
		}
	}
	return s, invalid.Problems, nil
}

// soundFS hides the files of some documents.
type soundFS struct {
	fs.FS
	broken map[string]bool
}

// Err is the error of the file system that is read.
func (s *soundFS) Err() error { return safefile.Unreadable(s.FS) }

// Open opens a file that is not hidden.
func (s *soundFS) Open(name string) (fs.File, error) {
	if s.broken[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return s.FS.Open(name)
}

// Lstat and Stat describe a file that is not hidden, and ReadLink reads a link.
func (s *soundFS) Lstat(name string) (fs.FileInfo, error) {
	if s.broken[name] {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrNotExist}
	}
	return fs.Lstat(s.FS, name)
}

func (s *soundFS) Stat(name string) (fs.FileInfo, error) {
	if s.broken[name] {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return fs.Stat(s.FS, name)
}

func (s *soundFS) ReadLink(name string) (string, error) { return fs.ReadLink(s.FS, name) }

// ReadDir lists the entries of a folder that are not hidden.
func (s *soundFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return s.broken[path.Join(name, e.Name())] }), err
}
