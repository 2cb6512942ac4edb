package bundlefile

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatError says that a file is not a bundle that this program can read: it
// is something else, or its format is another one, or it is beyond the limits.
type FormatError struct {
	// Version is the bundle's format where that is the reason, else 0.
	Version int
	// Reason says what was found and, where Version is 0, what was expected.
	Reason string
}

// Error says what was found and what to do.
func (e *FormatError) Error() string {
	switch {
	case e.Version > FormatVersion:
		return fmt.Sprintf("the bundle has format %d, and this program reads format %d: update the program, or take a bundle of format %[2]d", e.Version, FormatVersion)
	case e.Version != 0:
		return fmt.Sprintf("the bundle says that it has format %d, which never existed; expected %d", e.Version, FormatVersion)
	}
	return "not a bundle: " + e.Reason
}

// IntegrityError says that a file is a bundle that was changed, damaged, or not
// written by Write.
type IntegrityError struct {
	// Problems is what was found, at least one and at most a few.
	Problems []Problem
	// More is the number of problems that were found besides.
	More int
}

// Error lists the problems and says what to do.
func (e *IntegrityError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.Error()
	}
	if e.More > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", e.More))
	}
	return "the bundle was changed or damaged after it was built: " + strings.Join(texts, "; ") +
		" (fetch it again from its release, and use none of it until it verifies)"
}

// Problem is one thing that is wrong with a bundle.
type Problem struct {
	// Path is the entry that it is about, or "" for the file as a whole. It can
	// hold anything that the file says.
	Path string
	// Message says what was found and what was expected.
	Message string
}

// Error is the message with the entry's name, which is quoted if it is no name
// of an entry.
func (p Problem) Error() string {
	if p.Path == "" {
		return p.Message
	}
	return quoteName(p.Path) + ": " + p.Message
}

func problemf(path, format string, args ...any) Problem {
	return Problem{path, fmt.Sprintf(format, args...)}
}

// quoteName is the name, in quotes and cut off if no entry of a bundle can have
// it.
func quoteName(name string) string {
	if isName(name) {
		return name
	}
	return strconv.QuoteToASCII(name[:min(len(name), MaxName)])
}

// Integrity makes an *IntegrityError of a Problem and leaves other errors alone.
func Integrity(err error) error {
	if p, ok := err.(Problem); ok {
		return &IntegrityError{Problems: []Problem{p}}
	}
	return err
}

// maxProblems is how many problems an error spells out.
const maxProblems = 10
