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

// Snapshot is a folder of a commit. It never changes, and is safe for concurrent use.
type Snapshot struct {
	repo   *Repo
	commit Commit
	folder string
	root   hash
	exists bool
}

// Mode is the type of an entry.
type Mode uint8

// The modes of entries. The content of a symbolic link is its target; a submodule has
// no content.
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
	// Path is relative to the snapshot's folder, with slashes. It has the bytes that
	// Git stores: any but the zero byte, in any encoding.
	Path string
	// Hash identifies the content: equal hashes mean equal bytes. That of a submodule
	// is a commit of another repository.
	Hash string
	Mode Mode
}

// Snapshot returns a folder of c. Its path has slashes and is relative to the root,
// which is "". A folder that c doesn't have is an empty Snapshot for which Exists is
// false. A path that is, or goes through, a file, a symbolic link, or a submodule is
// an error.
func (r *Repo) Snapshot(c Commit, path string) (*Snapshot, error) {
	if c.IsZero() {
		return nil, errors.New("no commit to read a folder from")
	}
	if path != "" && !validPath(path) {
		return nil, fmt.Errorf("%q is not a valid path of a folder in a commit", path)
	}
	root, ok := parseHash(c.Tree)
	if !ok {
		return nil, fmt.Errorf("commit %s does not name its root folder", c.Hash)
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

// validPath reports whether p is a relative path in its shortest form, like
// fs.ValidPath but for any bytes.
func validPath(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// find returns the entry at a path in the folder root, or fs.ErrNotExist. A path that
// goes through anything but a folder is another error.
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

// Exists reports whether the commit has the folder.
func (s *Snapshot) Exists() bool { return s.exists }

// Commit returns the commit of the snapshot.
func (s *Snapshot) Commit() Commit { return s.commit }

// Entries lists everything in the folder and the folders below it, sorted by the bytes
// of the paths. It includes every name.
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

// Read returns the content of the file at a path relative to the folder, or the target
// of a symbolic link. The error matches fs.ErrNotExist only if the commit was read and
// doesn't have the file; a folder or submodule is another error. A file that is larger
// than allowed for its kind is a *limits.TooLargeError.
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

// Hash returns Git's name for the entry at a path relative to the folder without
// reading it, or "" if there is none.
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
	return s.ReadUpTo(e, limits.Of(path.Join(s.folder, e.Path)))
}

// ReadUpTo is ReadEntry for a file of at most limit bytes, of any kind.
func (s *Snapshot) ReadUpTo(e Entry, limit int64) ([]byte, error) {
	h, ok := parseHash(e.Hash)
	if !ok || e.Mode == Submodule {
		return nil, &fs.PathError{Op: "read", Path: e.Path, Err: errors.New("has no content: it is a submodule")}
	}
	name := path.Join(s.folder, e.Path)
	data, err := s.repo.objects.read(h, blobObject, limit)
	if tooLarge, ok := errors.AsType[*limits.TooLargeError](err); ok {
		tooLarge.Name = fmt.Sprintf("%q in commit %.12s", name, s.commit.Hash)
	}
	if len(data) <= maxKept {
		data = bytes.Clone(data) // the cached bytes may be the base of an object
	}
	return data, err
}

// entry finds the entry at a path relative to the folder; "." is the folder.
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
