package bundlefile

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatError means that a file is not a bundle that this program can read: it is not
// a bundle, has another format, or exceeds the limits.
type FormatError struct {
	// Version is the bundle's format if that is the reason, otherwise 0.
	Version int
	// Reader is the version of this program that reads the format, or "" if it is unknown.
	Reader string
	// Reason says what was found and, if Version is 0, what was expected.
	Reason string
}

func (e *FormatError) Error() string {
	switch {
	case e.Version > FormatVersion:
		install := "the newest version"
		if e.Reader != "" {
			install = "version " + e.Reader + " or later"
		}
		return fmt.Sprintf("the bundle has format %d, but this program reads formats 1 to %d. Install %s, or use an earlier bundle", e.Version, FormatVersion, install)
	case e.Version != 0:
		return fmt.Sprintf("the bundle claims to have format %d, which does not exist: expected 1 to %d", e.Version, FormatVersion)
	}
	return "not a bundle: " + e.Reason
}

// IntegrityError means that a file is a bundle that was changed or damaged, or that
// Write did not write.
type IntegrityError struct {
	// Problems has at least one element. After maxProblems, the last one says that there are more.
	Problems []BundleProblem
}

// Add adds a problem, unless there are too many to list.
func (e *IntegrityError) Add(p BundleProblem) {
	switch n := len(e.Problems); {
	case n < maxProblems:
		e.Problems = append(e.Problems, p)
	case n == maxProblems:
		e.Problems = append(e.Problems, BundleProblem{Message: "and more"})
	}
}

// Error lists the problems and says what to do.
func (e *IntegrityError) Error() string {
	return "the bundle was changed or damaged after it was built: " + Join(e.Problems) +
		". Download it again from its release, and do not use it until it verifies"
}

// Join joins the messages of problems with semicolons.
func Join(problems []BundleProblem) string {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = p.Error()
	}
	return strings.Join(texts, "; ")
}

// BundleProblem is one defect of a bundle.
type BundleProblem struct {
	// Path is the entry with the defect, or "" for the file as a whole. It can contain
	// anything that is in the file.
	Path string
	// Message says what was found and what was expected.
	Message string
}

// Error returns the message with the entry's name, in quotes if it is not a valid
// name.
func (p BundleProblem) Error() string {
	if p.Path == "" {
		return p.Message
	}
	return quoteName(p.Path) + ": " + p.Message
}

func problemf(path, format string, args ...any) BundleProblem {
	return BundleProblem{path, fmt.Sprintf(format, args...)}
}

// quoteName returns the name, quoted and truncated if no entry of a bundle can have
// it.
func quoteName(name string) string {
	if IsName(name) {
		return name
	}
	return strconv.QuoteToASCII(name[:min(len(name), MaxName)])
}

// Integrity turns a Problem into an *IntegrityError and returns other errors
// unchanged.
func Integrity(err error) error {
	if p, ok := err.(BundleProblem); ok {
		return &IntegrityError{Problems: []BundleProblem{p}}
	}
	return err
}

// maxProblems is the number of problems that an error lists.
const maxProblems = 10
