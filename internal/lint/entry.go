package lint

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// The folder of a library that holds its documents, and the files in it that
// are none.
const (
	Root           = history.Root
	LedgerFile     = history.LedgerFile
	ExceptionsFile = history.ExceptionsFile
)

// Entry is something that stands below Root.
type Entry struct {
	// Path is relative to the library and slash-separated.
	Path string
	// Type is the type bits of its mode; 0 for a regular file.
	Type fs.FileMode
	// Err is why it could not be read, or nil.
	Err error
}

// isDocument tells whether the entry is there to be a document: a regular YAML
// file, also where its name or folder is wrong.
func (e Entry) isDocument() bool {
	return e.Type.IsRegular() && history.IsDocument(e.Path)
}

// isLedger tells whether the entry is the ledger or the exceptions.
func (e Entry) isLedger() bool {
	return e.Type.IsRegular() && (e.Path == LedgerFile || e.Path == ExceptionsFile)
}

// list returns everything below Root but folders that are in order, sorted by
// path. Links are not followed. A folder that can't be read is an entry with
// its error; Root itself must be readable.
func list(fsys fs.FS) ([]Entry, error) {
	if info, err := lstat(fsys, Root); err != nil {
		return nil, fmt.Errorf("the folder %s can't be read: %w", Root, safefile.Reason(err))
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder: the documents of a library lie in folders below it", Root)
	}
	var entries []Entry
	err := fs.WalkDir(fsys, Root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == Root:
			return fmt.Errorf("the folder %s can't be read: %w", Root, safefile.Reason(err))
		case err != nil:
			entries = append(entries, Entry{Path: name, Type: fs.ModeDir, Err: safefile.Reason(err)})
			return fs.SkipDir
		case d.IsDir() && !looksLikeFile(name):
			return nil
		}
		entries = append(entries, Entry{Path: name, Type: d.Type()})
		return nil
	})
	return entries, err
}

func lstat(fsys fs.FS, name string) (fs.FileInfo, error) {
	if links, ok := fsys.(fs.ReadLinkFS); ok {
		return links.Lstat(name)
	}
	return fs.Stat(fsys, name)
}

// looksLikeFile tells whether a folder has the name of a document.
func looksLikeFile(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}
