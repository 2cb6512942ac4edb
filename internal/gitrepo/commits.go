package gitrepo

import (
	"bytes"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/limits"
)

func (r *Repo) commit(h hash) (Commit, error) {
	data, err := r.objects.read(h, commitObject, limits.Commit)
	if err != nil {
		return Commit{}, err
	}
	return parseCommit(h, data)
}

// Message returns the message of a commit, in any encoding.
func (r *Repo) Message(c Commit) (string, error) {
	h, _ := parseHash(c.Hash)
	data, err := r.objects.read(h, commitObject, limits.Commit)
	_, message, _ := strings.Cut(string(data), "\n\n")
	return message, err
}

// peel follows tags to a commit and reads it.
func (r *Repo) peel(h hash) (Commit, error) {
	for range maxTagDepth {
		kind, _, err := r.objects.stat(h)
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
