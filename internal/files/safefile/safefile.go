// Package safefile changes files so that a crash, a full disk or a second
// program leaves the old content or the new one, never half of it, and never
// overwrites a file that was not meant.
package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces the content of the file at path, or makes the file. Links are
// followed. A file that is there keeps its permissions and, where the process
// may set it, its owner; a new one gets perm before the process's umask. What is
// no regular file, such as a device, is written to as it is. A file that may not
// be written is not replaced either. Errors name path.
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
	if err := replace(path, data, perm, old); err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: Reason(err)}
	}
	return nil
}

// replace writes a temporary file beside path and puts it in its place.
func replace(path string, data []byte, perm fs.FileMode, old fs.FileInfo) (err error) {
	f, err := create(filepath.Dir(path), filepath.Base(path), perm)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(data); err != nil {
		_ = f.Close()
		return err
	}
	if old != nil {
		keepOwner(f, old)
	}
	if err := f.Sync(); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Reason is the reason in an error of the file system, without the operation and
// the paths, which a message names by itself.
func Reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// create makes a temporary file beside the target. os.CreateTemp would give it
// permissions of its own instead of perm less the umask.
func create(dir, base string, perm fs.FileMode) (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d.%d.tmp", base, os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) || i > 1000 {
			return f, err
		}
	}
}

// Move renames a file and makes the folders that the new name needs. It refuses
// to overwrite: if something else has the new name, the error is fs.ErrExist
// and nothing changes. A name that differs in case only can be changed also
// where the file system does not tell cases apart.
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
	// A hard link fails where the new name exists, and os.Rename would not.
	switch err := os.Link(from, to); {
	case err == nil:
		if err := os.Remove(from); err != nil {
			return errors.Join(err, os.Remove(to)) // one name, not two
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
