package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// FileError says why a configuration or a baseline is not valid.
type FileError struct {
	File *source.File
	// Problems are all problems in the file, in order.
	Problems []source.Problem

	message string
}

func newFileError(message string, f *source.File, problems []source.Problem) error {
	slices.SortStableFunc(problems, func(a, b source.Problem) int { return a.Span.Start - b.Span.Start })
	return &FileError{File: f, Problems: problems, message: message}
}

// Error lists the problems with their places, one per line.
func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(e.message)
	for _, p := range e.Problems {
		at := e.File.Position(p.Span.Start)
		fmt.Fprintf(&b, "\n%s:%d:%d: %s", e.File.Path, at.Line, at.Column, p.Message)
	}
	return b.String()
}

// loadFile reads a file at the root of a library; nil if there is none. what describes
// the file in errors.
func loadFile(fsys fs.FS, name, what string) (*source.File, error) {
	if info, err := fs.Lstat(fsys, name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s %s is not a regular file. Replace it with the file itself", what, name)
	}
	data, err := safefile.ReadFile(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s %s can't be read: %w", what, name, safefile.Reason(err))
	}
	return source.NewFile(name, data), nil
}
