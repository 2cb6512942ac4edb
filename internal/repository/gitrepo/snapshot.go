package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// Snapshot is a folder as a commit holds it. It never changes, and can be used
// by several goroutines.
type Snapshot struct {
	repo   *Repo
	commit Commit
	folder string
	root   hash
	exists bool
}

// Mode says what an entry is.
type Mode uint8

// The modes of entries. A symbolic link's content is the path it leads to; a
// submodule has no content.
const (
	folderMode Mode = iota // never in an Entry
	Regular
	Executable
	Symlink
	Submodule
)

func (m Mode) String() string {
	switch m {
	case folderMode:
		return "folder"
	case Regular:
		return "file"
	case Executable:
		return "executable file"
	case Symlink:
		return "symbolic link"
	case Submodule:
		return "submodule"
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// Entry is a file, symbolic link or submodule of a Snapshot.
type Entry struct {
	// Path is relative to the snapshot's folder, with slashes. It holds the
	// bytes that Git holds: any but the zero byte, in any encoding.
	Path string
	// Hash names the content, so that equal hashes mean equal bytes; that of a
	// submodule is a commit of another repository.
	Hash string
	Mode Mode
}

// Snapshot returns a folder of c as it was then. Its path has slashes and is
// relative to the root; empty means all. A folder that c doesn't have is an
// empty Snapshot for which Exists is false; one that is a file, a symbolic link
// or a submodule there, or below one, is an error.
func (r *Repo) Snapshot(c Commit, path string) (*Snapshot, error) {
	if c.IsZero() {
		return nil, errors.New("there is no commit to read a folder from")
	}
	if path != "" && !validPath(path) {
		return nil, fmt.Errorf("%q is no path of a folder in a commit", path)
	}
	root, ok := parseHash(c.Tree)
	if !ok {
		return nil, fmt.Errorf("commit %s does not say its root folder", c.Hash)
	}
	s := &Snapshot{repo: r, commit: c, folder: path, root: root, exists: true}
	if path == "" {
		return s, nil
	}
	e, err := r.find(root, path)
	if errors.Is(err, fs.ErrNotExist) {
		s.exists = false
		return s, nil
	} else if err != nil {
		return nil, err
	}
	if e.mode != folderMode {
		return nil, fmt.Errorf("%q is a %s in commit %.12s, %w", path, e.mode, c.Hash, ErrNotAFolder)
	}
	s.root = e.hash
	return s, nil
}

// validPath says whether p is a relative path in its shortest form, as
// fs.ValidPath does but for any bytes.
func validPath(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// find returns what the folder root has at a path, or fs.ErrNotExist. A path
// that goes through something else than a folder is another error.
func (r *Repo) find(root hash, p string) (treeEntry, error) {
	at := treeEntry{hash: root, mode: folderMode}
	for name := range strings.SplitSeq(p, "/") {
		if at.mode != folderMode {
			return treeEntry{}, fmt.Errorf("%q goes through %q, which is a %s and %w", p, at.name, at.mode, ErrNotAFolder)
		}
		t, err := r.tree(at.hash)
		if err != nil {
			return treeEntry{}, err
		}
		var ok bool
		if at, ok = t.find(name); !ok {
			return treeEntry{}, fs.ErrNotExist
		}
	}
	return at, nil
}

// Exists says whether the commit has the folder.
func (s *Snapshot) Exists() bool { return s.exists }

// Commit is the commit that s shows.
func (s *Snapshot) Commit() Commit { return s.commit }

// Entries lists all that is in the folder and in the folders below it, sorted
// by the bytes of their paths. No name is left out, whatever it looks like.
func (s *Snapshot) Entries() ([]Entry, error) {
	changes, err := Changed(&Snapshot{repo: s.repo}, s)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(changes))
	for i, c := range changes {
		entries[i] = *c.B
	}
	return entries, nil
}

// Read returns the content of the file at a path relative to the folder; of a
// symbolic link, the path it leads to. The error matches fs.ErrNotExist only if
// the commit was read and doesn't have it; a folder or submodule is another
// error. It is a *limits.TooLargeError if the file has more bytes than are read of
// its kind.
func (s *Snapshot) Read(p string) ([]byte, error) {
	e, err := s.entry("read", p)
	if err != nil {
		return nil, err
	}
	if e.mode == folderMode {
		return nil, &fs.PathError{Op: "read", Path: p, Err: errIsFolder}
	}
	return s.ReadEntry(Entry{Path: p, Hash: e.hash.String(), Mode: e.mode})
}

// Hash names what is at a path relative to the folder as Git does, without
// reading it; empty if there is nothing, not even a folder for it.
func (s *Snapshot) Hash(p string) (string, error) {
	e, err := s.entry("read", p)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNotAFolder) {
		return "", nil
	}
	return e.hash.String(), err
}

// ReadEntry returns the content of an entry that Entries or Changed returned, as
// Read does.
func (s *Snapshot) ReadEntry(e Entry) ([]byte, error) {
	h, ok := parseHash(e.Hash)
	if !ok || e.Mode == Submodule {
		return nil, &fs.PathError{Op: "read", Path: e.Path, Err: errors.New("has no content: it is a submodule")}
	}
	name := path.Join(s.folder, e.Path)
	data, err := s.repo.objects.read(h, blobObject, limits.Of(name))
	if tooLarge, ok := errors.AsType[*limits.TooLargeError](err); ok {
		tooLarge.Name = fmt.Sprintf("%q in commit %.12s", name, s.commit.Hash)
	}
	if len(data) <= maxKept {
		data = bytes.Clone(data) // others may use what is kept as the base of an object
	}
	return data, err
}

// entry finds what is at a path relative to the folder; "." is the folder.
func (s *Snapshot) entry(op, p string) (treeEntry, error) {
	var e treeEntry
	var err error
	switch {
	case p != "." && !validPath(p):
		err = fs.ErrInvalid
	case !s.exists:
		err = fs.ErrNotExist
	case p == ".":
		e = treeEntry{name: ".", hash: s.root, mode: folderMode}
	default:
		e, err = s.repo.find(s.root, p)
	}
	if err != nil {
		return treeEntry{}, &fs.PathError{Op: op, Path: p, Err: err}
	}
	return e, nil
}
