package library

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

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
	return strings.HasPrefix(name, Root+"/") && name != LedgerFile && name != ExceptionsFile && isYAML(name)
}

func isYAML(name string) bool {
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
	return find(dir, filepath.Dir, os.Lstat)
}

// FindIn is Find for a folder of a file system, whose root is "".
func FindIn(fsys fs.FS, folder string) (root string, ok bool) {
	parent := func(name string) string {
		if name = path.Dir(name); name == "." {
			return ""
		}
		return name
	}
	return find(folder, parent, func(name string) (fs.FileInfo, error) { return fs.Lstat(fsys, name) })
}

func find(dir string, parent func(string) string, lstat func(string) (fs.FileInfo, error)) (string, bool) {
	for {
		if info, err := lstat(path.Join(dir, Root)); err == nil && info.IsDir() {
			return dir, true
		}
		above := parent(dir)
		if above == dir {
			return "", false
		}
		dir = above
	}
}
