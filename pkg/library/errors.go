package library

import (
	"fmt"
	"slices"
	"strings"

	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// NotFoundError means that the library does not have a document.
type NotFoundError struct {
	ID string
	// Kind is the requested kind, or "" for any kind.
	Kind Kind
	// Found is the kind of the document with this ID, or "" if there is none.
	Found Kind

	near func() []string
}

// Near returns up to three IDs with a similar spelling, most similar first. It computes
// them on each call, which takes some milliseconds in a library of thousands of documents.
func (e *NotFoundError) Near() []string {
	if e.near == nil {
		return nil
	}
	return slices.Clone(e.near())
}

// Error says what was not found, with suggestions.
func (e *NotFoundError) Error() string {
	if e.Found != "" {
		return fmt.Sprintf("%q is a %s, not a %s. Request a %[2]s", e.ID, e.Found.noun(), e.Kind.noun())
	}
	if near := e.Near(); len(near) > 0 {
		return fmt.Sprintf("the library has no %s %q. Did you mean %s?", e.Kind.noun(), e.ID, strings.Join(near, " or "))
	}
	return fmt.Sprintf("the library has no %s %q. `rubric list` lists the IDs", e.Kind.noun(), e.ID)
}

// RetiredError means that a document was retired from the library, so that it has no
// latest version.
type RetiredError struct {
	ID string
	// LastVersion is the last version of the document, or "" if it is unknown or withdrawn.
	LastVersion string
	// Reason is why it was retired, or "" if the library does not say.
	Reason string
	// ReplacedBy is the ID of the document to use instead, or "".
	ReplacedBy string
}

// Error says why the document was retired and what to use instead.
func (e *RetiredError) Error() string {
	text := fmt.Sprintf("%q is retired", e.ID)
	if e.Reason != "" {
		text += ": " + strings.TrimSuffix(e.Reason, ".")
	}
	if e.ReplacedBy != "" {
		text += fmt.Sprintf(". Use %q instead", e.ReplacedBy)
	} else {
		text += ". There is no replacement"
	}
	if e.LastVersion != "" {
		text += fmt.Sprintf(". To explain an old score, get its version, such as %s, from a bundle", e.LastVersion)
	}
	return text
}

// ConstraintError means that no version of a document satisfies a constraint.
type ConstraintError struct {
	ID         string
	Constraint string
	// Versions are the available versions, from lowest to highest.
	Versions []string
	// Reason is why the version is missing or the constraint is invalid, or "".
	Reason string
	// Withdrawn is a version that satisfies the constraint but was withdrawn, or nil.
	Withdrawn *Withdrawal
}

// Error says which version was requested and which versions are available.
func (e *ConstraintError) Error() string {
	text := fmt.Sprintf("no version of %q matches %q", e.ID, e.Constraint)
	if e.Reason != "" {
		text += ": " + strings.TrimSuffix(e.Reason, ".")
	}
	if len(e.Versions) == 0 {
		return text + ". This library has none of its versions. Use a bundle"
	}
	return text + ". Available: " + strings.Join(e.Versions, ", ")
}

// DigestError means that the content of a version differs between a reference and the
// library. The content of a version never changes, so one of the two is from another
// library.
type DigestError struct {
	// Reference is the requested reference.
	Reference Reference
	// Found is the document digest in this library.
	Found string
}

// Error says what was expected and found, and what to do.
func (e *DigestError) Error() string {
	return fmt.Sprintf("%s@%s has the digest %s, expected %s. Use a reference and a bundle from the same source",
		e.Reference.ID, e.Reference.Version, e.Found, e.Reference.Digest)
}

// InvalidError means that files of a folder are not valid documents, or have the same ID. It has
// the field
//
//	Problems []FolderProblem // all problems, sorted by place, at least one
//
// and its text lists them, one on each line.
type InvalidError = lib.InvalidError

// FolderProblem is one reason why the library in a folder can't be used. It has the fields
//
//	Path         string // the file, relative to the library
//	Line, Column int    // from 1, columns in characters; both are 0 for the whole file
//	Message      string // what is wrong, and what was expected or what to do
//	ID           string // the ID of the document, or "" if it is not known
//	Other        string // the path of another document with the same ID, or ""
//
// and a method String, which returns the message after its place.
type FolderProblem = lib.FolderProblem

// IntegrityError means that a bundle was changed or damaged, or is not the expected one. It has
// the field
//
//	Problems []BundleProblem // the first problems that were found, at least one
//
// and its text lists them and says what to do.
type IntegrityError = bundlefile.IntegrityError

// ContinuityError means that a bundle lacks content that consumers of an earlier bundle
// rely on, or does not continue its line of releases. It has the field
//
//	Problems []BundleProblem // the first problems that were found, at least one
//
// and its text lists them and says what to do.
type ContinuityError = bundlecheck.ContinuityError

// BundleProblem is one defect of a bundle. It has the fields
//
//	Path    string // the entry, or "" for the whole bundle: untrusted text, since it is damaged
//	Message string // what was found and what was expected
//
// and a method Error, which returns the message after the entry, in quotes if no entry can have
// that name.
type BundleProblem = bundlefile.BundleProblem

// FormatError means that a file is not a bundle that this package can read: it is not a bundle,
// has another format, or exceeds the limits. It has the fields
//
//	Version int    // the version of the bundle's format if that is unsupported, otherwise 0
//	Reader  string // the version of this package that reads that format, or "" if it is unknown
//	Reason  string // if Version is 0, what was found and what was expected
//
// and its text says what to do.
type FormatError = bundlefile.FormatError

// AuditError means that a document was not returned because the audit failed to record
// it.
type AuditError struct {
	// Reference is the document.
	Reference Reference
	// Err is the error of the log's handler.
	Err error
}

// Error says which record is missing and why.
func (e *AuditError) Error() string {
	return fmt.Sprintf("%s@%s was not returned because the audit could not record it: %v",
		e.Reference.ID, e.Reference.Version, e.Err)
}

// Unwrap returns the error of the log's handler.
func (e *AuditError) Unwrap() error { return e.Err }
