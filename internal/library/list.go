package library

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// FileEntry is something below Root, or a document outside of a library.
type FileEntry struct {
	// Path is relative to the library and slash-separated.
	Path string
	// Type has the type bits of the mode; 0 means a regular file.
	Type fs.FileMode
	// Err is the reason why it could not be read, or nil.
	Err error
	// Alone says that the entry is a document outside of a library, whatever its path.
	Alone bool
}

// IsDocument reports whether the entry is a regular file with the path of a
// document, or one outside of a library.
func (e FileEntry) IsDocument() bool { return e.Type.IsRegular() && (e.Alone || IsDocument(e.Path)) }

// IsLedger reports whether the entry is the ledger or the exceptions, as a
// regular file.
func (e FileEntry) IsLedger() bool {
	return e.Type.IsRegular() && (e.Path == LedgerFile || e.Path == ExceptionsFile)
}

// Hides reports whether the entry is a link or a device with the name of a document or
// of the ledger, whose content can't be read. A folder hides nothing: its content is
// listed.
func (e FileEntry) Hides() bool {
	return !e.Type.IsRegular() && !e.Type.IsDir() && IsYAML(e.Path)
}

// maxPaths is the limit of the paths of a library together, in bytes: those of 250,000
// documents are shorter.
const maxPaths = 16 << 20

// List returns everything below Root except ordinary folders, sorted by path. A folder
// with the name of a document is an entry, and so is a folder that can't be read, with
// its error. List does not follow links. Root itself must be a readable folder, and the paths
// must not take more than maxPaths.
func List(fsys fs.FS) ([]FileEntry, error) {
	if info, err := fs.Lstat(fsys, Root); err != nil {
		return nil, fmt.Errorf("the folder %s can't be read: %w", Root, safefile.Reason(err))
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder: expected a folder with the documents of the library", Root)
	}
	var entries []FileEntry
	size := 0
	err := fs.WalkDir(fsys, Root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == Root:
			return fmt.Errorf("the folder %s can't be read: %w", Root, safefile.Reason(err))
		case err != nil:
			entries = append(entries, FileEntry{Path: name, Type: fs.ModeDir, Err: safefile.Reason(err)})
			return fs.SkipDir
		case d.IsDir() && !IsYAML(name):
			return nil
		}
		if size += len(name); size > maxPaths {
			return fmt.Errorf("the folder %s has too many files: their paths can have at most %d MiB together. Remove what does not belong there", Root, maxPaths>>20)
		}
		entries = append(entries, FileEntry{Path: name, Type: d.Type()})
		return nil
	})
	return entries, err
}

// File reads a file of a library. If the file exceeds its limit, the result has no
// content, and parsers report that.
func File(fsys fs.FS, name string) (*source.File, error) {
	data, err := safefile.ReadFile(fsys, name)
	return source.Read(name, data, err)
}

// HasRetired reports whether the ledger of the library in fsys lists a retired ID: without
// documents, the library is then not empty. So is one whose ledger has errors.
func HasRetired(fsys fs.FS) (bool, error) {
	f, err := File(fsys, LedgerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("%s can't be read: %w", LedgerFile, safefile.Reason(err))
	}
	d := document.ParseAs(f, &document.Ledger)
	return !d.Valid() || len(d.Root().Get("retired").List()) > 0, nil
}

// The folder for the documents of a library, and the files in it that are not
// documents.
const (
	Root           = "rubrics"
	LedgerFile     = Root + "/retired.yaml"
	ExceptionsFile = Root + "/exceptions.yaml"
)

// ConfigFile is the configuration at the root of a library.
const ConfigFile = ".rubric-lint.yaml"

// IsDocument reports whether a path of a library is that of a document. It accepts
// wrong extensions (.yml, .YAML): such a file is a document with a finding, not one
// that some tools overlook.
func IsDocument(name string) bool {
	return strings.HasPrefix(name, Root+"/") && name != LedgerFile && name != ExceptionsFile && IsYAML(name)
}

// IsYAML reports whether a path has an extension of YAML.
func IsYAML(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// FolderOf returns the library folder for which a path of a repository would be a
// document, or false if the path is not that of a document. Libraries below a testdata
// folder are test data.
func FolderOf(name string) (folder string, ok bool) {
	at := strings.Index("/"+name, "/"+Root+"/")
	if at < 0 || !IsDocument(name[at:]) || strings.Contains("/"+name, "/testdata/") {
		return "", false
	}
	return strings.TrimSuffix(name[:at], "/"), true
}

// Find returns the nearest folder on disk that contains rubrics/: dir, which is
// absolute, or one of its parents.
func Find(dir string) (root string, ok bool) {
	root, ok, _ = find(dir, filepath.Dir, func(name string) (fs.FileInfo, error) {
		info, err := os.Lstat(name)
		if err != nil {
			return nil, nil // as in a folder that nobody may read
		}
		return info, nil
	})
	return root, ok
}

// FindIn is Find for a folder of a file system, whose root is "". The error is that the file system is
// damaged.
func FindIn(fsys fs.FS, folder string) (root string, ok bool, err error) {
	parent := func(name string) string {
		if name = path.Dir(name); name == "." {
			return ""
		}
		return name
	}
	return find(folder, parent, func(name string) (fs.FileInfo, error) { return safefile.Find(fsys, name) })
}

// find asks describe, which returns nil if nothing is there, for the folder in dir and in its parents.
func find(
	dir string, parent func(string) string, describe func(string) (fs.FileInfo, error),
) (root string, ok bool, err error) {
	for {
		info, err := describe(path.Join(dir, Root))
		if err != nil {
			return "", false, err
		}
		if info != nil && info.IsDir() {
			return dir, true, nil
		}
		above := parent(dir)
		if above == dir {
			return "", false, nil
		}
		dir = above
	}
}
