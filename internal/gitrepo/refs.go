package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

// refs reads the names that a repository gives to objects: HEAD, branches, tags, and
// remote branches. It replaces go-git's reader, which takes a damaged name for an
// absent one and a damaged hash for another hash. gitrepository-layout(5) describes
// the files.
type refs location

// ref is the target of a name: an object, or (if target is not empty) another name.
type ref struct {
	hash   objects.Hash
	target string
}

// errNoRef means that a name does not exist.
var errNoRef = errors.New("there is no such name")

// errDangling means that a name points to one that does not exist.
var errDangling = errors.New("which does not exist")

// maxRefDepth is the number of names that Git follows.
const maxRefDepth = 5

// resolve follows a full name, such as HEAD or refs/heads/main, to its object. Final
// is the last name on the way. The error is errNoRef, errDangling, or a read
// error.
func (rs refs) resolve(name string) (h objects.Hash, final string, err error) {
	final = name
	for range maxRefDepth {
		found, err := rs.read(final)
		if errors.Is(err, errNoRef) && final != name {
			return objects.Hash{}, final, fmt.Errorf("%s points to %s, %w", name, final, errDangling)
		}
		if err != nil || found.target == "" {
			return found.hash, final, err
		}
		final = found.target
	}
	return objects.Hash{}, final, fmt.Errorf("%s points to a chain of names that is too long", name)
}

// read reads a full name, from its own file or else from packed-refs.
func (rs refs) read(name string) (ref, error) {
	if !validRef(name) {
		return ref{}, fmt.Errorf("%q is not a valid name for a branch or tag", name)
	}
	path := filepath.Join(rs.folder(name), filepath.FromSlash(name))
	data, err := os.ReadFile(path)
	switch {
	case err == nil:
		return parseRef(name, string(data))
	case safefile.IsAbsent(err), isDir(path):
		return rs.readPacked(name)
	}
	return ref{}, err
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// folder returns the folder with the file of a name: names like HEAD, and three
// folders, belong to one working tree.
func (rs refs) folder(name string) string {
	for _, own := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return rs.gitDir
		}
	}
	if strings.HasPrefix(name, "refs/") {
		return rs.commonDir
	}
	return rs.gitDir
}

// parseRef reads the content of a file such as refs/heads/main. In FETCH_HEAD, a space
// and more text follow the hash.
func parseRef(name, content string) (ref, error) {
	if target, ok := strings.CutPrefix(content, "ref:"); ok && strings.TrimSpace(target) != "" {
		return ref{target: strings.TrimSpace(target)}, nil
	}
	field := content
	if end := strings.IndexAny(content, " \t\r\n"); end >= 0 {
		field = content[:end]
	}
	h, ok := objects.ParseHash(field)
	if !ok {
		return ref{}, fmt.Errorf("the file of %s in the Git repository is damaged: it contains %.60q", name, content)
	}
	return ref{hash: h}, nil
}

// eachPacked reads the names in packed-refs. It reads the file each time, after the file
// of a single name was not found: Git moves names into it.
func (rs refs) eachPacked(yield func(name string, h objects.Hash) (more bool)) error {
	data, err := os.ReadFile(filepath.Join(rs.commonDir, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' || line[0] == '^' {
			continue // a comment, or the target of the tag in the line above
		}
		field, name, _ := strings.Cut(line, " ")
		h, ok := objects.ParseHash(field)
		if !ok || name == "" {
			return fmt.Errorf("the file packed-refs of the Git repository is damaged: it contains the line %.60q", line)
		}
		if !yield(name, h) {
			return nil
		}
	}
	return nil
}

func (rs refs) readPacked(name string) (ref, error) {
	found, err := ref{}, errNoRef
	readErr := rs.eachPacked(func(n string, h objects.Hash) bool {
		if n == name {
			found, err = ref{hash: h}, nil
		}
		return n != name
	})
	if readErr != nil {
		return ref{}, readErr
	}
	return found, err
}

// list returns a sorted list of the full names that start with prefix, which starts
// with "refs/" and a folder ("refs/tags/v").
func (rs refs) list(prefix string) ([]string, error) {
	var names []string
	root := filepath.Join(rs.commonDir, filepath.FromSlash(prefix[:strings.LastIndexByte(prefix, '/')]))
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if safefile.IsAbsent(err) {
			return nil // all are in packed-refs, or Git has just moved the name there
		} else if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(rs.commonDir, path)
		if name := filepath.ToSlash(rel); strings.HasPrefix(name, prefix) && validRef(name) {
			names = append(names, name)
		}
		return err
	})
	if err == nil {
		err = rs.eachPacked(func(name string, _ objects.Hash) bool {
			if strings.HasPrefix(name, prefix) {
				names = append(names, name)
			}
			return true
		})
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// validRef reports whether name is HEAD or similar, or follows the rules of
// git-check-ref-format(1) for names that start with "refs/".
func validRef(name string) bool {
	if !strings.HasPrefix(name, "refs/") {
		return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
	}
	return plumbing.ReferenceName(name).Validate() == nil
}

// Names returns the branches, remote branches, and tags as a user writes them: without
// the folder of their full names.
func (r *Repo) Names() ([]string, error) {
	var names []string
	for _, folder := range []string{"refs/heads/", "refs/remotes/", tagRefs} {
		full, err := r.refs.list(folder)
		if err != nil {
			return nil, err
		}
		for _, name := range full {
			names = append(names, strings.TrimPrefix(name, folder))
		}
	}
	return names, nil
}

// tagRefs is the folder of tags among the full names.
const tagRefs = "refs/tags/"

// The folders of branches among the full names: the server's branches as fetched, and
// those of this clone.
const (
	fetchedRefs = "refs/remotes/origin/"
	branchRefs  = "refs/heads/"
)
