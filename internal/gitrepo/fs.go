package gitrepo

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

var _ interface {
	fs.ReadDirFS
	fs.ReadFileFS
	fs.StatFS
	fs.ReadLinkFS
} = (*Snapshot)(nil)

// Errors for a path whose entry has the wrong type.
var (
	errIsFolder  = errors.New("is a folder")
	errNoFolder  = errors.New("is not a folder")
	errNoLink    = errors.New("is not a symbolic link")
	errNotOpened = errors.New("is a symbolic link or a submodule, which can't be opened")
)

// Open opens a folder, or a file, which it reads completely.
func (s *Snapshot) Open(name string) (fs.File, error) {
	e, err := s.findOpened("open", name)
	if err != nil {
		return nil, err
	}
	info := described{folder: s, entry: e}
	if e.mode != folderMode {
		data, err := s.Read(name)
		if err != nil {
			return nil, err
		}
		info.size = int64(len(data))
		return &openFile{bytes.NewReader(data), info}, nil
	}
	entries, err := s.ReadDir(name)
	if err != nil {
		return nil, err
	}
	return &openFolder{info: info, entries: entries}, nil
}

func (s *Snapshot) ReadFile(name string) ([]byte, error) {
	if _, err := s.findOpened("open", name); err != nil {
		return nil, err
	}
	return s.Read(name)
}

func (s *Snapshot) findOpened(op, name string) (treeEntry, error) {
	e, err := s.entry(op, name)
	if err == nil && (e.mode == Symlink || e.mode == Submodule) {
		err = &fs.PathError{Op: "open", Path: name, Err: errNotOpened}
	}
	return e, err
}

// ReadDir lists a folder, sorted by name.
func (s *Snapshot) ReadDir(name string) ([]fs.DirEntry, error) {
	e, err := s.entry("readdir", name)
	if err != nil {
		return nil, err
	}
	if e.mode != folderMode {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNoFolder}
	}
	t, err := s.repo.tree(e.hash)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: s.failed.note(err)}
	}
	entries := make([]fs.DirEntry, 0, t.len())
	for e := range t.all() {
		entries = append(entries, described{folder: s, entry: e})
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Stat describes a file or folder that Open can open.
func (s *Snapshot) Stat(name string) (fs.FileInfo, error) {
	e, err := s.findOpened("stat", name)
	if err != nil {
		return nil, err
	}
	return s.info(e)
}

// Lstat describes any entry, including a symbolic link or a submodule.
func (s *Snapshot) Lstat(name string) (fs.FileInfo, error) {
	e, err := s.entry("lstat", name)
	if err != nil {
		return nil, err
	}
	return s.info(e)
}

// ReadLink returns the target of a symbolic link.
func (s *Snapshot) ReadLink(name string) (string, error) {
	e, err := s.entry("readlink", name)
	if err == nil && e.mode != Symlink {
		err = &fs.PathError{Op: "readlink", Path: name, Err: errNoLink}
	}
	if err != nil {
		return "", err
	}
	data, err := s.Read(name)
	return string(data), err
}

// info describes an entry. The size of a file requires the object.
func (s *Snapshot) info(e treeEntry) (fs.FileInfo, error) {
	info := described{folder: s, entry: e}
	if e.mode == folderMode || e.mode == Submodule {
		return info, nil
	}
	var err error
	if _, info.size, err = s.repo.objects.Stat(e.hash); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: e.name, Err: s.failed.note(err)}
	}
	return info, nil
}

// fsMode returns the mode that Git would check out with the usual umask.
func fsMode(m Mode) fs.FileMode {
	return [...]fs.FileMode{
		folderMode: fs.ModeDir | 0o755, Regular: 0o644, Executable: 0o755,
		Symlink: fs.ModeSymlink | 0o777, Submodule: fs.ModeIrregular,
	}[m]
}

// described is an entry of a folder, or with its size the description of a file.
type described struct {
	folder *Snapshot
	entry  treeEntry
	size   int64
}

func (d described) Name() string               { return path.Base(d.entry.name) }
func (d described) Size() int64                { return d.size }
func (d described) Mode() fs.FileMode          { return fsMode(d.entry.mode) }
func (d described) Type() fs.FileMode          { return d.Mode().Type() }
func (d described) IsDir() bool                { return d.Mode().IsDir() }
func (d described) ModTime() time.Time         { return d.folder.commit.When }
func (d described) Sys() any                   { return nil }
func (d described) Info() (fs.FileInfo, error) { return d.folder.info(d.entry) }
func (d described) String() string             { return fs.FormatDirEntry(d) }

type openFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openFolder struct {
	info    fs.FileInfo
	entries []fs.DirEntry // those not returned yet
}

func (f *openFolder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFolder) Close() error               { return nil }

func (f *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.info.Name(), Err: errIsFolder}
}

func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(f.entries) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(f.entries) {
		n = len(f.entries)
	}
	part := f.entries[:n:n]
	f.entries = f.entries[n:]
	return part, nil
}
