package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Create creates a file and its parent folders. It never overwrites: if the path exists,
// the error is fs.ErrExist and nothing changes. perm is used before the umask.
func Create(path string, data []byte, perm fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := create(filepath.Dir(path), filepath.Base(path), perm)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), Write(f.Name(), data, perm)); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := Move(f.Name(), path); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
