package safefile

import (
	"bytes"
	"errors"
)

// PointerError means that a file has a pointer of Git LFS instead of its content.
type PointerError struct {
	// Pointer is what the file has.
	Pointer []byte
}

const aPointer = "a pointer of Git LFS, not the file itself: a library is checked and released without Git LFS. " +
	"Run `git lfs pull`, remove the pattern of the file from .gitattributes, and commit the file itself: `git add --renormalize .`"

// AboutPointers is what is wrong with a file that is a pointer, and what to do.
const AboutPointers = "This is " + aPointer

func (e *PointerError) Error() string { return "it is " + aPointer }

// IsPointer reports whether an error is a *PointerError.
func IsPointer(err error) bool { return errors.As(err, new(*PointerError)) }

// The beginning of a pointer, and the length that it does not reach, by the specification of
// Git LFS.
const (
	pointerStart = "version https://git-lfs.github.com/spec/"
	pointerLimit = 1024
)

// checkPointer returns a *PointerError if a file is a pointer.
func checkPointer(data []byte) error {
	if len(data) < pointerLimit && bytes.HasPrefix(data, []byte(pointerStart)) {
		return &PointerError{Pointer: data}
	}
	return nil
}
