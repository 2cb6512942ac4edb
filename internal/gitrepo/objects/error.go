package objects

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// Error means that an object that the repository should have is missing or damaged. It never
// matches fs.ErrNotExist: an unreadable object is not absent.
type Error struct {
	Hash string
	// Missing is true if the object does not exist, and Partial if that is because the clone left
	// it out.
	Missing, Partial bool
	Reason           string
	// Advice says what to do; empty for the default advice about a damaged repository.
	Advice string
}

func (e *Error) Error() string {
	return fmt.Sprintf("object %s of the Git repository %s. %s",
		e.Hash, e.Reason, cmp.Or(e.Advice, "Run \"git fsck\" to list all damage, then clone the repository again"))
}

// damaged translates an error of a reader, some of which say no more than "EOF".
func damaged(h Hash, err error) error {
	e := &Error{Hash: h.String(), Reason: "can't be read: " + err.Error()}
	switch {
	case strings.HasSuffix(e.Reason, "EOF"):
		e.Reason = "can't be read: its data is truncated"
	case errors.Is(err, errUnchecked):
		e.Advice = "If \"git fsck\" finds no damage, keep the file elsewhere"
	case errors.Is(err, errLargeBase):
		e.Advice = "To store it differently, run: git -c core.bigFileThreshold=64m repack -adf"
	case errors.Is(err, errMalformedIndex):
		e.Advice = "To write the index again, run \"git index-pack FILE\" with the file of the pack"
	}
	return e
}
