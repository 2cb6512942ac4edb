package gitrepo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

// Snapshot is a folder of a commit, and a file system. It never changes, and is safe for
// concurrent use. Its zero value is an empty folder.
//
// As a file system, it behaves like the folder in a working tree with fs.WalkDir, fs.Lstat,
// and fs.ReadLink, with these differences: symbolic links are not followed, so opening one is
// an error; a submodule is an irregular file that can't be opened; all times are the commit's;
// and a path can contain any bytes but the zero byte, even where fs.ValidPath requires UTF-8.
// The root of a folder that does not exist is fs.ErrNotExist.
type Snapshot struct {
	repo   *Repo
	commit Commit
	folder string
	root   func() (treeEntry, error) // fs.ErrNotExist if there is no such folder
	failed *failure
}

// failure is the first error of reading an object.
type failure struct {
	mu  sync.Mutex
	err error
}

// note keeps the first error about an object, and returns the error.
func (f *failure) note(err error) error {
	if f != nil && errors.As(err, new(*objects.Error)) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.err = cmp.Or(f.err, err)
	}
	return err
}

// Err returns the first error of reading an object of the snapshot, as a file system or
// otherwise, for safefile.Unreadable.
func (s *Snapshot) Err() error {
	if s.failed == nil {
		return nil
	}
	s.failed.mu.Lock()
	defer s.failed.mu.Unlock()
	return s.failed.err
}

// Snapshot returns a folder of c. Its path has slashes and is relative to the root, which
// is "". Nothing is read before it is needed. A folder that c doesn't have is empty. A path
// that is, or goes through, a file, a symbolic link, or a submodule matches ErrNotAFolder
// when the folder is read.
func (r *Repo) Snapshot(c Commit, path string) *Snapshot {
	s := &Snapshot{repo: r, commit: c, folder: path, failed: &failure{}}
	s.root = sync.OnceValues(s.findRoot)
	return s
}

// Subfolder is a folder in the snapshot. If something else has its name, it is empty too.
func (s *Snapshot) Subfolder(name string) *Snapshot {
	below := s.repo.Snapshot(s.commit, path.Join(s.folder, name))
	below.failed = s.failed
	find := below.root
	below.root = func() (treeEntry, error) {
		e, err := find()
		if errors.Is(err, ErrNotAFolder) {
			err = fs.ErrNotExist
		}
		return e, err
	}
	return below
}

// topEntry returns the folder itself.
func (s *Snapshot) topEntry() (treeEntry, error) {
	if s.root == nil {
		return treeEntry{}, fs.ErrNotExist
	}
	return s.root()
}

func (s *Snapshot) findRoot() (treeEntry, error) {
	root, ok := objects.ParseHash(s.commit.Tree)
	switch {
	case s.commit.IsZero():
		return treeEntry{}, errors.New("no commit to read a folder from")
	case s.folder != "" && !validPath(s.folder):
		return treeEntry{}, fmt.Errorf("%q is not a valid path of a folder in a commit", s.folder)
	case !ok:
		return treeEntry{}, fmt.Errorf("commit %s does not name its root folder", s.commit.Hash)
	case s.folder == "":
		return treeEntry{name: ".", hash: root, mode: folderMode}, nil
	}
	e, err := s.repo.find(root, s.folder)
	if err == nil && e.mode != folderMode {
		err = fmt.Errorf("%q is a %s in commit %.12s, %w", s.folder, e.mode, s.commit.Hash, ErrNotAFolder)
	}
	e.name = "."
	return e, err
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
func (r *Repo) find(root objects.Hash, p string) (treeEntry, error) {
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

// Commit returns the commit of the snapshot.
func (s *Snapshot) Commit() Commit { return s.commit }

// Entries lists everything in the folder and the folders below it, sorted by the bytes
// of the paths. It includes every name.
func (s *Snapshot) Entries() ([]SnapshotEntry, error) {
	changes, err := Changed(&Snapshot{}, s)
	if err != nil {
		return nil, err
	}
	entries := make([]SnapshotEntry, len(changes))
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
	return s.ReadEntry(SnapshotEntry{Path: p, Hash: e.hash.String(), Mode: e.mode})
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
func (s *Snapshot) ReadEntry(e SnapshotEntry) ([]byte, error) {
	return s.ReadUpTo(e, safefile.Limit(path.Join(s.folder, e.Path)))
}

// startSize is the most that Start returns.
const startSize = 256

// Start returns some bytes from the start of an entry that Entries or Changed returned, or none. That
// takes much less time than to read all of it. They are not checked against the entry's hash, so they
// can confirm what is known from elsewhere, and nothing else.
func (s *Snapshot) Start(e SnapshotEntry) []byte {
	if h, ok := objects.ParseHash(e.Hash); ok && e.Mode != Submodule {
		return s.repo.objects.Start(h, startSize)
	}
	return nil
}

// ReadUpTo is ReadEntry for a file of at most limit bytes, of any kind.
func (s *Snapshot) ReadUpTo(e SnapshotEntry, limit int64) ([]byte, error) {
	h, ok := objects.ParseHash(e.Hash)
	if !ok || e.Mode == Submodule {
		return nil, &fs.PathError{Op: "read", Path: e.Path, Err: errors.New("has no content: it is a submodule")}
	}
	name := path.Join(s.folder, e.Path)
	data, err := s.repo.objects.ReadCopy(h, objects.KindBlob, limit)
	if tooLarge, ok := errors.AsType[*safefile.TooLargeError](err); ok {
		tooLarge.Name = fmt.Sprintf("%q in commit %.12s", name, s.commit.Hash)
	}
	return data, s.failed.note(err)
}

// entry finds the entry at a path relative to the folder; "." is the folder.
func (s *Snapshot) entry(op, p string) (treeEntry, error) {
	e, err := treeEntry{}, error(fs.ErrInvalid)
	if p == "." || validPath(p) {
		if e, err = s.topEntry(); err == nil && p != "." {
			e, err = s.repo.find(e.hash, p)
		}
	}
	if err != nil {
		return treeEntry{}, &fs.PathError{Op: op, Path: p, Err: s.failed.note(err)}
	}
	return e, nil
}

// tree reads a folder. The caller must not change the result.
func (r *Repo) tree(h objects.Hash) (tree, error) {
	if t, ok := r.trees.Get(h); ok {
		return t, nil
	}
	data, err := r.objects.Read(h, objects.KindTree, safefile.MaxTree)
	if err != nil {
		return tree{}, err
	}
	t, err := parseTree(data)
	if err != nil {
		return tree{}, &objects.Error{Hash: h.String(), Reason: "is not a valid tree: " + err.Error()}
	}
	r.trees.Put(h, t, 1+t.len())
	return t, nil
}
