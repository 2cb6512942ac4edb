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

// Error says what was found, what was expected, and what to do.
func (e *FormatError) Error() string {
	switch {
	case e.Version > FormatVersion:
		install := "the newest version"
		if e.Reader != "" {
			install = "version " + e.Reader + " or later"
		}
		return fmt.Sprintf("the bundle has format %d, but this program reads formats 1 to %d. Install %s, or use an earlier bundle",
			e.Version, FormatVersion, install)
	case e.Version != 0:
		return fmt.Sprintf("the bundle claims to have format %d, which does not exist: expected 1 to %d",
			e.Version, FormatVersion)
	}
	return "not a bundle: " + e.Reason
}

// IntegrityError means that a file is a bundle that was changed or damaged, or that
// Write did not write, or that it is not the expected bundle.
type IntegrityError struct {
	// Problems are the first problems that were found, at least one. After ten, the last one says
	// that there are more.
	Problems []BundleProblem
}

// Error lists the problems and says what to do.
func (e *IntegrityError) Error() string {
	return "the bundle was changed or damaged after it was built: " + ProblemList(e.Problems).String() +
		". Download it again from its release, and do not use it until it verifies"
}

// ProblemList collects the problems of a bundle, of which only the first are listed.
type ProblemList []BundleProblem

// Add adds a problem, unless there are too many to list.
func (l *ProblemList) Add(p BundleProblem) {
	switch n := len(*l); {
	case n < maxProblems:
		*l = append(*l, p)
	case n == maxProblems:
		*l = append(*l, BundleProblem{Message: "and more"})
	}
}

// String joins the messages with semicolons.
func (l ProblemList) String() string {
	texts := make([]string, len(l))
	for i, p := range l {
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

// Integrity turns a BundleProblem into an *IntegrityError and returns other errors
// unchanged.
func Integrity(err error) error {
	if p, ok := err.(BundleProblem); ok {
		return &IntegrityError{Problems: []BundleProblem{p}}
	}
	return err
}

// maxProblems is the number of problems that an error lists.
const maxProblems = 10
