package library

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// NotFoundError says that the library has no such document.
type NotFoundError struct {
	ID string
	// Kind is what was asked for; "" if any kind would have done.
	Kind Kind
	// Found is the kind that the document with this ID has, if there is one.
	Found Kind

	near func() []string
}

// Near are IDs that are written nearly like it, nearest first, at most three. They
// are looked for when they are asked for, because that takes some milliseconds in
// a library of thousands.
func (e *NotFoundError) Near() []string {
	if e.near == nil {
		return nil
	}
	return slices.Clone(e.near())
}

// Error says what was not found and what is there instead.
func (e *NotFoundError) Error() string {
	if e.Found != "" {
		return fmt.Sprintf("%q is a %s, not a %s: ask for a %[2]s", e.ID, e.Found.noun(), e.Kind.noun())
	}
	if near := e.Near(); len(near) > 0 {
		return fmt.Sprintf("the library has no %s %q; did you mean %s?", e.Kind.noun(), e.ID, strings.Join(near, " or "))
	}
	return fmt.Sprintf("the library has no %s %q: see its list of IDs", e.Kind.noun(), e.ID)
}

// RetiredError says that a document was taken out of the library, so that it has
// no latest version.
type RetiredError struct {
	ID string
	// LastVersion is the last that it had.
	LastVersion string
	// Reason is why it is gone, or "" if the library doesn't say.
	Reason string
	// ReplacedBy is the ID of the document to use instead, or "".
	ReplacedBy string
}

// Error says why it is gone and what to use instead.
func (e *RetiredError) Error() string {
	text := fmt.Sprintf("%q is retired", e.ID)
	if e.Reason != "" {
		text += ": " + strings.TrimSuffix(e.Reason, ".")
	}
	if e.ReplacedBy != "" {
		text += fmt.Sprintf(". Use %q instead", e.ReplacedBy)
	} else {
		text += ". Nothing replaces it"
	}
	if e.LastVersion != "" {
		text += fmt.Sprintf("; to explain an old score, ask a bundle for its version, such as %s", e.LastVersion)
	}
	return text
}

// ConstraintError says that no version of a document is what was asked for.
type ConstraintError struct {
	ID         string
	Constraint string
	// Versions are those that the library holds, from lowest to highest.
	Versions []string
	// Reason is why the version is not there, or why the constraint can't be
	// read; "" if there is nothing to add.
	Reason string
}

// Error says what was asked for and what there is.
func (e *ConstraintError) Error() string {
	text := fmt.Sprintf("no version of %q is %q", e.ID, e.Constraint)
	if e.Reason != "" {
		text += ": " + strings.TrimSuffix(e.Reason, ".")
	}
	if len(e.Versions) == 0 {
		return text + ". This library holds none of its versions: ask a bundle"
	}
	return text + ". It has " + strings.Join(e.Versions, ", ")
}

// DigestError says that a reference names a version with another content than
// the library has. A version never changes its content, so one of the two is of
// another library.
type DigestError struct {
	// Reference is what was asked for.
	Reference Reference
	// Found is the document digest in this library.
	Found string
}

// Error says what was expected and found, and what to do.
func (e *DigestError) Error() string {
	return fmt.Sprintf("%s@%s has the digest %s here, expected %s: take the reference or the bundle from where the other one came from",
		e.Reference.ID, e.Reference.Version, e.Found, e.Reference.Digest)
}

// DuplicateError says that several files of a folder have one ID.
type DuplicateError struct {
	ID string
	// Paths are the files, sorted; there are at least two.
	Paths []string
}

// Error names the files and says what to do.
func (e *DuplicateError) Error() string {
	return fmt.Sprintf("the ID %q stands in %s: give every document an ID of its own", e.ID, strings.Join(e.Paths, " and "))
}

// Problem is one thing that is wrong with a library.
type Problem struct {
	// Path is the file in a folder or the entry in a bundle; "" for the bundle
	// as a whole. It can hold anything that a damaged bundle says.
	Path string
	// Line and Column count from 1; both are 0 for a whole file and in a bundle.
	// A column counts characters.
	Line, Column int
	// Message says what was found, and what was expected or what to do.
	Message string
}

// String is the message after its place.
func (p Problem) String() string {
	switch {
	case p.Path == "":
		return p.Message
	case p.Line == 0:
		return fmt.Sprintf("%s: %s", p.Path, p.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Path, p.Line, p.Column, p.Message)
}

// InvalidError says that files of a folder are no documents that can be used.
type InvalidError struct {
	// Problems is all that is wrong, sorted by place; there is at least one.
	Problems []Problem
}

// Error lists the problems, a line each.
func (e *InvalidError) Error() string {
	lines := []string{"the library can't be used before this is mended:"}
	for _, p := range e.Problems {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

// IntegrityError says that a file is a bundle that was changed or damaged, or
// another one than was expected.
type IntegrityError struct {
	// Problems is what was found, at least one.
	Problems []Problem
}

// Error lists the problems and says what to do.
func (e *IntegrityError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.String()
	}
	return "the bundle was changed or damaged, or is not the expected one: " + strings.Join(texts, "; ") +
		" (fetch it again from its release, and keep the last good one until then)"
}

func damaged(path, format string, args ...any) error {
	return &IntegrityError{Problems: []Problem{{Path: path, Message: fmt.Sprintf(format, args...)}}}
}

// ContinuityError says that a bundle does not hold what a consumer of an earlier one
// relies on, or is not of its line of releases.
type ContinuityError struct {
	// Problems is what was found, at least one and at most a few.
	Problems []Problem
	message  string
}

// Error lists the problems and says what to do.
func (e *ContinuityError) Error() string { return e.message }

// FormatError says that a file is no bundle that this package can read.
type FormatError struct {
	// Version is the bundle's format where that is the reason, else 0.
	Version int
	message string
}

// Error says what was found and what to do.
func (e *FormatError) Error() string { return e.message }

// AuditError says that a document was found and that the audit did not take its
// record. The document was not handed out.
type AuditError struct {
	// Reference is the document in question.
	Reference Reference
	// Err is what the log's handler said.
	Err error
}

// Error says which record is missing and why.
func (e *AuditError) Error() string {
	return fmt.Sprintf("%s@%s was not handed out, because the audit took no record of it: %v", e.Reference.ID, e.Reference.Version, e.Err)
}

// Unwrap is what the log's handler said.
func (e *AuditError) Unwrap() error { return e.Err }

// publicFolder makes the errors of reading a folder those of this package.
func publicFolder(err error) error {
	invalid, ok := errors.AsType[*lib.InvalidError](err)
	if !ok {
		return fmt.Errorf("library: expected documents below %s/: %w", lib.Root, err)
	}
	var errs []error
	for _, d := range invalid.Duplicates {
		e := &DuplicateError{ID: d.ID}
		for _, p := range d.Places {
			e.Paths = append(e.Paths, p.Path)
		}
		errs = append(errs, e)
	}
	if len(invalid.Problems) > 0 {
		e := &InvalidError{}
		for _, p := range invalid.Problems {
			e.Problems = append(e.Problems, Problem{Path: p.Path, Line: p.At.Line, Column: p.At.Column, Message: p.Message})
		}
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

// public makes the errors of bundlefile those of this package.
func public(err error) error {
	var integrity *bundlefile.IntegrityError
	var format *bundlefile.FormatError
	var continuity *bundlecheck.ContinuityError
	switch {
	case errors.As(err, &integrity):
		e := &IntegrityError{Problems: problemsOf(integrity.Problems)}
		if integrity.More > 0 {
			e.Problems = append(e.Problems, Problem{Message: fmt.Sprintf("and %d more", integrity.More)})
		}
		return e
	case errors.As(err, &format):
		return &FormatError{Version: format.Version, message: format.Error()}
	case errors.As(err, &continuity):
		return &ContinuityError{Problems: problemsOf(continuity.Problems), message: continuity.Error()}
	}
	return fmt.Errorf("library: %w", err)
}

func problemsOf(found []bundlefile.Problem) []Problem {
	problems := make([]Problem, len(found))
	for i, p := range found {
		problems[i] = Problem{Path: p.Path, Message: p.Message}
	}
	return problems
}
