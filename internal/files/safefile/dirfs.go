package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// DirFS is os.DirFS without its ways to wait or to read without end: opening
// anything but a regular file or a folder, such as a named pipe or a device, is an
// error, also behind a link.
func DirFS(dir string) fs.FS {
	return dirFS{os.DirFS(dir).(statFS), dir}
}

// statFS is what os.DirFS does besides opening files.
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
