package site

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// folder is the output folder of a site. The files are written to a temporary folder next
// to it, which gets its name when all of them are written. It is safe for concurrent use.
type folder struct {
	dir, temporary string
	files          atomic.Int64
}

// newFolder prepares a folder that is new or empty.
func newFolder(dir string) (*folder, error) {
	dir = filepath.Clean(dir) // a trailing slash would follow a link
	switch info, err := os.Lstat(dir); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a folder (links are not followed): expected a new or empty folder", dir)
	default:
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		if len(entries) > 0 {
			return nil, fmt.Errorf("%s is not empty: expected a new or empty folder. To replace a site, generate the new one in another folder, and then rename it", dir)
		}
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, err
	}
	temporary, err := os.MkdirTemp(parent, ".site-*")
	return &folder{dir: dir, temporary: temporary}, err
}

// site is where the files are until the site is complete. Unlike the temporary folder, it
// has the permissions of a new folder.
func (f *folder) site() string { return filepath.Join(f.temporary, "site") }

// put writes a file, which must not exist.
func (f *folder) put(name string, content io.Reader) error {
	name = filepath.Join(f.site(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	f.files.Add(1)
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}

// publish gives the site its name. It fails if the folder is no longer empty.
func (f *folder) publish() error {
	if err := os.Remove(f.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(f.site(), f.dir)
}

// clean removes the temporary folder, with all files that were not published.
func (f *folder) clean() error { return os.RemoveAll(f.temporary) }
