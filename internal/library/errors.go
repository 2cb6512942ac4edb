package library

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Problem is a reason why a library can't be used.
type Problem struct {
	Path string
	// At is the place in the file; its zero value means the whole file.
	At source.Position
	// Message is one or more sentences.
	Message string
}

// String returns the message after its place.
func (p Problem) String() string {
	if p.At.Line == 0 {
		return p.Path + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Path, p.At.Line, p.At.Column, p.Message)
}

// Duplicate is an ID that several documents share.
type Duplicate struct {
	ID string
	// Places are the documents, sorted by path: at least two. All except the first
	// have a message.
	Places []Problem
}

// InvalidError means that a library has files that can't be used, or documents with
// the same ID.
type InvalidError struct {
	// Duplicates is sorted by ID, Problems by place. At least one is not empty.
	Duplicates []Duplicate
	Problems   []Problem
	// Folder is the name of the library in messages, or "" for the current folder.
	Folder string
}

// Error returns the first problem by place.
func (e *InvalidError) Error() string {
	all := slices.Clone(e.Problems)
	for _, d := range e.Duplicates {
		all = append(all, d.Places[1:]...)
	}
	first := slices.MinFunc(all, compareProblems)
	first.Path = path.Join(e.Folder, first.Path)
	return strings.TrimSpace(first.String()) + " Run `rubric lint` to see all problems."
}

func (e *InvalidError) orNil() error {
	if len(e.Duplicates) == 0 && len(e.Problems) == 0 {
		return nil
	}
	slices.SortFunc(e.Duplicates, func(a, b Duplicate) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortStableFunc(e.Problems, compareProblems)
	return e
}

func compareProblems(a, b Problem) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
}
