package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/rubric-library/rubric-library/internal/files/limits"
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

func (r *Repo) commit(h hash) (Commit, error) {
	data, err := r.objects.read(h, commitObject, limits.Commit)
	if err != nil {
		return Commit{}, err
	}
	return parseCommit(h, data)
}

// parseCommit reads the content of a commit as Git does: the lines "tree" and "parent"
// must come first, in this order, and later lines can't change them.
func parseCommit(h hash, data []byte) (Commit, error) {
	header, _, _ := strings.Cut(string(data), "\n\n")
	c := Commit{Hash: h.String()}
	for i, line := range strings.Split(header, "\n") {
		key, value, _ := strings.Cut(line, " ")
		name, isHash := parseHash(value)
		switch {
		case i == 0 && (key != "tree" || !isHash), key == "parent" && i == 1+len(c.Parents) && !isHash:
			return Commit{}, &ObjectError{Hash: c.Hash, Reason: fmt.Sprintf("is not a valid commit: it has the line %.80q", line)}
		case i == 0:
			c.Tree = name.String()
		case key == "parent" && i == 1+len(c.Parents):
			c.Parents = append(c.Parents, name.String())
		case key == "committer" && c.When.IsZero():
			c.When = signatureTime(value)
		}
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

// parseHash reads a full hash of 40 hexadecimal digits.
func parseHash(s string) (hash, bool) {
	return plumbing.NewHash(s), plumbing.IsHash(s)
}

// errNotACommit means that an object is neither a commit nor a tag of one.
var errNotACommit = errors.New("not a commit")

// peel follows tags to a commit and reads it.
func (r *Repo) peel(h hash) (Commit, error) {
	for range maxTagDepth {
		kind, err := r.objects.kind(h)
		switch {
		case err != nil:
			return Commit{}, err
		case kind == commitObject:
			return r.commit(h)
		case kind != tagObject:
			return Commit{}, errNotACommit
		}
		data, err := r.objects.read(h, tagObject, limits.Commit)
		if err != nil {
			return Commit{}, err
		}
		line, _, _ := bytes.Cut(data, []byte("\n"))
		target, ok := parseHash(strings.TrimPrefix(string(line), "object "))
		if !ok {
			return Commit{}, &ObjectError{Hash: h.String(), Reason: "is not a valid tag"}
		}
		h = target
	}
	return Commit{}, &ObjectError{Hash: h.String(), Reason: "is a tag that is nested too deeply"}
}

// maxTagDepth limits the number of tags between a name and its commit.
const maxTagDepth = 32
