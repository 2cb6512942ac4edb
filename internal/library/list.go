package library

import (
	"fmt"
	"io/fs"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Entry is something below Root.
type Entry struct {
	// Path is relative to the library and slash-separated.
	Path string
	// Type has the type bits of the mode; 0 means a regular file.
	Type fs.FileMode
	// Err is the reason why it could not be read, or nil.
	Err error
}

// IsDocument reports whether the entry is a regular file with the path of a
// document.
func (e Entry) IsDocument() bool { return e.Type.IsRegular() && IsDocument(e.Path) }

// IsLedger reports whether the entry is the ledger or the exceptions, as a
// regular file.
func (e Entry) IsLedger() bool {
	return e.Type.IsRegular() && (e.Path == LedgerFile || e.Path == ExceptionsFile)
}

// Hides reports whether the entry is a link or a device with the name of a document or
// of the ledger, whose content can't be read. A folder hides nothing: its content is
// listed.
func (e Entry) Hides() bool {
	return !e.Type.IsRegular() && !e.Type.IsDir() && isYAML(e.Path)
}

// List returns everything below Root except ordinary folders, sorted by path. A folder
// with the name of a document is an entry, and so is a folder that can't be read, with
// its error. List does not follow links. Root itself must be a readable folder.
func List(fsys fs.FS) ([]Entry, error) {
	if info, err := fs.Lstat(fsys, Root); err != nil {
		return nil, fmt.Errorf("the folder %s can't be read: %w", Root, safefile.Reason(err))
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder: expected a folder with the documents of the library", Root)
	}
	var entries []Entry
	err := fs.WalkDir(fsys, Root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == Root:
			return fmt.Errorf("the folder %s can't be read: %w", Root, safefile.Reason(err))
		case err != nil:
			entries = append(entries, Entry{Path: name, Type: fs.ModeDir, Err: safefile.Reason(err)})
			return fs.SkipDir
		case d.IsDir() && !isYAML(name):
			return nil
		}
		entries = append(entries, Entry{Path: name, Type: d.Type()})
		return nil
	})
	return entries, err
}

// File reads a file of a library. If the file exceeds its limit, the result has no
// content, and parsers report that.
func File(fsys fs.FS, name string) (*source.File, error) {
	data, err := limits.ReadFile(fsys, name)
	return source.Read(name, data, err)
}
