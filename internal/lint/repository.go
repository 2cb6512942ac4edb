package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Repository is the working tree that contains a library.
type Repository struct {
	// Files is its root. Links are not followed.
	Files fs.FS
	// Folder is the folder of the library, relative to the root and slash-separated;
	// "" for the root itself.
	Folder string
}

// Stat describes what is at a path. It does not follow links.
func (r *Repository) Stat(name string) (fs.FileInfo, error) {
	parts := strings.Split(name, "/")
	for i := range parts {
		info, err := fs.Lstat(r.Files, path.Join(parts[:i+1]...))
		if err != nil || i == len(parts)-1 {
			return info, err
		}
		if !info.IsDir() {
			break
		}
	}
	return nil, fs.ErrNotExist
}

// Holds reports whether anything is at a path. A path that can't be read counts.
func (r *Repository) Holds(name string) bool {
	_, err := r.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// FromLibrary returns a path of the repository relative to the library.
func (r *Repository) FromLibrary(name string) string {
	way, err := filepath.Rel(filepath.FromSlash(r.Folder), filepath.FromSlash(name))
	if err != nil {
		return name
	}
	return filepath.ToSlash(way)
}

// Walk calls do with the path of each file below a folder, sorted, until it returns false.
// Links count as files, and the .git folder is skipped.
func (r *Repository) Walk(folder string, do func(name string) bool) {
	if info, err := r.Stat(folder); err != nil || !info.IsDir() {
		return
	}
	_ = fs.WalkDir(r.Files, folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // skip what can't be read; rules about files report it
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.IsDir() && !do(name):
			return fs.SkipAll
		}
		return nil
	})
}

// OfRepository checks the repository around the library. A comment can't suppress its findings.
type OfRepository func(*RepositoryPass)

func (OfRepository) isCheck() {}

// RepositoryPass is the view of a lint rule on the repository around the library.
type RepositoryPass struct {
	*Repository

	memory
	reporter
}

// Report adds a finding at a place in the repository; key distinguishes it from other
// findings of its lint rule. At most mostFindings per lint rule are listed.
func (p *RepositoryPass) Report(at source.Location, key, format string, args ...any) {
	if p.admit("") {
		p.Add(Finding{Location: at, Path: key, Message: fmt.Sprintf(format, args...)})
	}
}
