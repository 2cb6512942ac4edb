package library

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// FolderProblem is one reason why the library in a folder can't be used.
type FolderProblem struct {
	// Path is the file, relative to the library.
	Path string
	// Line and Column are the place in the file. They count from 1, columns in characters. Both
	// are 0 for the whole file.
	Line, Column int
	// Message says in one or more sentences what is wrong, and what was expected or what to do.
	Message string
	// ID is the ID of the document, or "" if it is not known.
	ID string
	// Other is the path of another document with the same ID, or "".
	Other string
}

// String returns the message after its place.
func (p FolderProblem) String() string {
	if p.Line == 0 {
		return p.Path + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Path, p.Line, p.Column, p.Message)
}

// problemAt is a problem at an offset of a file.
func problemAt(f *source.File, offset int, message string) FolderProblem {
	at := f.Position(offset)
	return FolderProblem{Path: f.Path, Line: at.Line, Column: at.Column, Message: message}
}

// problemsAt are problems of a document, at their places.
func problemsAt(d *document.Document, found []source.Problem) []FolderProblem {
	var out []FolderProblem
	for _, p := range found {
		out = append(out, problemAt(d.File, p.Span.Start, p.Message))
	}
	return out
}

// InvalidError means that files of a folder are not valid documents, or have the same ID.
type InvalidError struct {
	// Problems are all problems, sorted by place, at least one.
	Problems []FolderProblem
}

// Error lists the problems, one on each line.
func (e *InvalidError) Error() string {
	lines := []string{"the library is not valid. Fix these problems:"}
	for _, p := range e.Problems {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

// FirstOf is the error of a command that problems stop: the first of them, and the command that
// lists all. folder is the library's name in the path, or "" for the working folder.
func FirstOf(problems []FolderProblem, folder string) error {
	first := problems[0]
	first.Path = path.Join(folder, first.Path)
	return errors.New(first.String() + " Run `rubric lint` to see all problems.")
}
