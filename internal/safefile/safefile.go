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

// Write replaces the content of the file at path, or makes the file. A file that
// is there keeps its permissions; a new one gets perm before the process's
// umask.
func Write(path string, data []byte, perm fs.FileMode) (err error) {
	if info, err := os.Stat(path); err == nil {
		perm = info.Mode().Perm()
	}
	f, err := create(filepath.Dir(path), filepath.Base(path), perm)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
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
		return os.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}
