package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

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
	// Without O_NONBLOCK, opening a named pipe waits for a writer.
	f, err := os.OpenFile(filepath.Join(d.dir, filepath.FromSlash(name)), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: Reason(err)}
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = errNotRegular
	}
	if err != nil {
		_ = f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: Reason(err)}
	}
	return f, nil
}
