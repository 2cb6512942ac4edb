// Package safefile reads files up to the limit of their kind, and changes files atomically.
//
// The limits apply to files from any source: a working tree, a commit, or a served folder. The size
// is checked before the content is read, so that the author of a file can't control how much
// memory reading it takes.
//
// After a crash, on a full disk, or with a concurrent program, a file has either the old or the
// new content. An unrelated file is never overwritten.
package safefile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Write replaces the content of the file at path, or creates the file. It follows links.
// An existing file keeps its permissions and, if the process may set it, its owner; a new
// file gets perm before the umask. Anything other than a regular file, such as a device,
// is written to directly. A read-only file is an error. Errors name path.
func Write(path string, data []byte, perm fs.FileMode) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	old, err := os.Stat(path)
	switch {
	case err != nil:
		old = nil
	case old.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("is a folder")}
	case !old.Mode().IsRegular():
		return os.WriteFile(path, data, perm)
	case old.Mode().Perm()&0o222 == 0:
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("is read-only")}
	default:
		perm = old.Mode().Perm()
	}
	name, err := temporary(path, data, perm, old)
	if err == nil {
		if err = os.Rename(name, path); err != nil {
			_ = os.Remove(name)
		}
	}
	if err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: Reason(err)}
	}
	return nil
}

// temporary writes a file next to path, with the owner of old, if there is one. After an
// error, there is no such file.
func temporary(path string, data []byte, perm fs.FileMode, old fs.FileInfo) (name string, err error) {
	f, err := create(filepath.Dir(path), perm)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil && old != nil {
		keepOwner(f, old)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = cmp.Or(err, f.Close()); err != nil {
		_ = os.Remove(f.Name())
	}
	return f.Name(), err
}

// Reason returns the cause of a file system error without its operation and paths.
func Reason(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}

// IsAbsent reports whether an error says that nothing has a path, because its folder does not have
// it or is no folder.
func IsAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Unreadable returns the first error of reading a file system that can be damaged as a whole,
// such as a commit with a missing object. Code that reads working trees, too, takes a file that
// it can't read for a fault of that file; there it is one of the repository, so nothing that was
// concluded from it holds.
func Unreadable(fsys fs.FS) error {
	if damaged, ok := fsys.(interface{ Err() error }); ok {
		return damaged.Err()
	}
	return nil
}

// Find describes what a file system has at a path, without following a link. It is nil if nothing is
// there, or nothing that can be read; in a file system that is damaged as a whole, the latter is the
// error.
func Find(fsys fs.FS, name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(fsys, name)
	if err != nil {
		return nil, Unreadable(fsys)
	}
	return info, nil
}

// temporaryFormat is the name of a temporary file, with the number of the process and a counter.
const temporaryFormat = ".rubric-%d-%d.tmp"

// IsTemporary reports whether a path is that of a temporary file, which is about to be renamed
// or was left by a crash. It is never content.
func IsTemporary(path string) bool {
	var pid, n uint64
	name := filepath.Base(path)
	_, err := fmt.Sscanf(name, temporaryFormat, &pid, &n)
	return err == nil && name == fmt.Sprintf(temporaryFormat, pid, n)
}

// create creates a temporary file in the folder of the target. Unlike os.CreateTemp, it uses
// perm before the umask.
func create(dir string, perm fs.FileMode) (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf(temporaryFormat, os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) || i > 1000 {
			return f, err
		}
	}
}

// Move renames a file and creates the parent folders of the new path. It never overwrites:
// if another file has the new path, the error is fs.ErrExist and nothing changes. It can
// change the case of a name even on a case-insensitive file system.
func Move(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	old, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if there, err := os.Lstat(to); err == nil && os.SameFile(old, there) {
		return os.Rename(from, to)
	}
	// Unlike os.Rename, a hard link fails if the new path exists.
	switch err := os.Link(from, to); {
	case err == nil:
		if err := os.Remove(from); err != nil {
			return errors.Join(err, os.Remove(to)) // keep only the old path
		}
		return nil
	case errors.Is(err, fs.ErrExist):
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}

// Create creates a file and its parent folders. It never overwrites: if the path exists,
// the error is fs.ErrExist and nothing changes. perm is used before the umask.
func Create(path string, data []byte, perm fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	name, err := temporary(path, data, perm, nil)
	if err == nil {
		if err = Move(name, path); err != nil {
			err = errors.Join(err, os.Remove(name))
		}
	}
	return err
}

// DirFS is like os.DirFS, but can't block or read forever: it returns an error for
// anything other than a regular file or a folder, such as a named pipe or a device, even
// behind a link.
func DirFS(dir string) fs.FS {
	return dirFS{os.DirFS(dir).(statFS), dir}
}

// statFS has the methods of os.DirFS other than Open.
type statFS interface {
	fs.ReadDirFS
	fs.StatFS
	fs.ReadLinkFS
}

type dirFS struct {
	statFS
	dir string
}

var errNotRegular = errors.New("is not a regular file")

// Open opens a regular file or a folder.
func (d dirFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := Open(filepath.Join(d.dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: Reason(err)}
	}
	return f, nil
}

// Open opens a regular file or a folder. Anything else is an error, even behind a link.
// Unlike os.Open, it never waits for the writer of a named pipe.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
