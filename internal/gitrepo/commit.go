package gitrepo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

// Commit is one commit. The package always returns complete ones; the zero Commit
// means that there is none.
type Commit struct {
	// Hash is the full hash, 40 lowercase hexadecimal digits.
	Hash string
	// Tree is the hash of the root folder: commits with equal trees contain the same
	// files.
	Tree string
	// Parents are the hashes of the parents, the first parent first.
	Parents []string
	// When is the committer's time in UTC, or zero if the commit does not record one.
	When time.Time
}

// IsZero reports whether c is no commit.
func (c Commit) IsZero() bool { return c.Hash == "" }

// parseCommit reads the content of a commit as Git does: the lines "tree" and "parent"
// must come first, in this order, and later lines can't change them.
func parseCommit(h objects.Hash, data []byte) (Commit, error) {
	header, _, _ := strings.Cut(string(data), "\n\n")
	c := Commit{Hash: h.String()}
	i := 0
	for line := range strings.SplitSeq(header, "\n") {
		key, value, _ := strings.Cut(line, " ")
		name, isHash := objects.ParseHash(value)
		switch {
		case i == 0 && (key != "tree" || !isHash), key == "parent" && i == 1+len(c.Parents) && !isHash:
			return Commit{}, &objects.Error{
				Hash: c.Hash, Reason: fmt.Sprintf("is not a valid commit: it has the line %.80q", line),
			}
		case i == 0:
			c.Tree = name.String()
		case key == "parent" && i == 1+len(c.Parents):
			c.Parents = append(c.Parents, name.String())
		case key == "committer" && c.When.IsZero():
			c.When = signatureTime(value)
		}
		i++
	}
	return c, nil
}

// signatureTime reads the time in "Name <mail> seconds zone".
func signatureTime(signature string) time.Time {
	after := signature[strings.LastIndexByte(signature, '>')+1:]
	seconds, _, _ := strings.Cut(strings.TrimLeft(after, " "), " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}

// errNotACommit means that an object is neither a commit nor a tag of one.
var errNotACommit = errors.New("not a commit")
