package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// OpenLibrary opens a bundle or a folder, or for "" the library that contains the working
// folder.
func OpenLibrary(name string) (*library.Library, error) {
	if name == "" {
		name = Nearest()
	}
	if name == "" {
		return nil, errors.New("not inside a library: no rubrics/ folder here or in any parent. Set --library to a bundle or a folder, or --template to a file of rows")
	}
	info, err := os.Stat(name)
	var l *library.Library
	switch {
	case err != nil:
	case info.IsDir():
		l, err = library.OpenDir(safefile.DirFS(name), library.WithoutCache())
	default:
		l, err = library.Open(name, library.WithoutCache())
	}
	invalid, isInvalid := errors.AsType[*lib.InvalidError](err)
	switch {
	case isInvalid:
		invalid.Folder = filepath.ToSlash(name)
		return nil, invalid
	case err != nil && info != nil && info.IsDir():
		if err = errors.Unwrap(err); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is not a library: it has no folder %s/", name, lib.Root)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return l, bundlefile.FileError(name, err)
}

// WithLibrary calls use with an open bundle or folder, and closes it.
func WithLibrary(name string, use func(*library.Library) error) error {
	l, err := OpenLibrary(name)
	if err != nil {
		return err
	}
	defer l.Close()
	err = use(l)
	// Other errors can be about other files.
	if errors.As(err, new(*bundlefile.FormatError)) || errors.As(err, new(*bundlefile.IntegrityError)) {
		return bundlefile.FileError(name, err)
	}
	return err
}

// Find resolves a reference, and reads the document.
func Find(l *library.Library, text string) (*release.Resolved, *library.Document, error) {
	r, err := release.ParseReference(text)
	if err != nil {
		return nil, nil, err
	}
	found, err := release.Resolve(l, r)
	if err != nil {
		return nil, nil, err
	}
	d, err := l.Get(context.Background(), found.ID, found.Version)
	return found, d, err
}
