package gitrepo

import (
	"bytes"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

func (r *Repo) commit(h objects.Hash) (Commit, error) {
	data, err := r.objects.Read(h, objects.KindCommit, safefile.MaxCommit)
	if err != nil {
		return Commit{}, err
	}
	return parseCommit(h, data)
}

// Message returns the message of a commit, in any encoding.
func (r *Repo) Message(c Commit) (string, error) {
	h, _ := objects.ParseHash(c.Hash)
	data, err := r.objects.Read(h, objects.KindCommit, safefile.MaxCommit)
	_, message, _ := strings.Cut(string(data), "\n\n")
	return message, err
}

// peel follows tags to a commit and reads it.
func (r *Repo) peel(h objects.Hash) (Commit, error) {
	for range maxTagDepth {
		kind, _, err := r.objects.Stat(h)
		switch {
		case err != nil:
			return Commit{}, err
		case kind == objects.KindCommit:
			return r.commit(h)
		case kind != objects.KindTag:
			return Commit{}, errNotACommit
		}
		data, err := r.objects.Read(h, objects.KindTag, safefile.MaxCommit)
		if err != nil {
			return Commit{}, err
		}
		line, _, _ := bytes.Cut(data, []byte("\n"))
		target, ok := objects.ParseHash(strings.TrimPrefix(string(line), "object "))
		if !ok {
			return Commit{}, &objects.Error{Hash: h.String(), Reason: "is not a valid tag"}
		}
		h = target
	}
	return Commit{}, &objects.Error{Hash: h.String(), Reason: "is a tag that is nested too deeply"}
}

// maxTagDepth limits the number of tags between a name and its commit.
const maxTagDepth = 32
