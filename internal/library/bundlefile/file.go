package bundlefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// OpenFile opens the bundle in a file with open, which is Open or a function that also
// verifies it. The file stays open until Close.
func OpenFile(name string, open func(io.ReaderAt, int64, Options) (*Bundle, error), o Options) (*Bundle, error) {
	f, size, err := OpenRegular(name)
	if err != nil {
		return nil, err
	}
	b, err := open(f, size, o)
	if err != nil {
		_ = f.Close() // the first error is more useful
		return nil, err
	}
	b.file = f
	return b, nil
}

// ErrFolder means that a folder has the name of a bundle.
var ErrFolder = errors.New("is a folder, not a bundle. `rubric build` builds a bundle")

// OpenRegular opens a file that can be a bundle, and returns its size.
func OpenRegular(name string) (*os.File, int64, error) {
	f, err := safefile.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s %w", name, ErrFolder)
	}
	if err != nil {
		_ = f.Close() // the first error is more useful
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Close closes the file of OpenFile.
func (b *Bundle) Close() error { return b.file.Close() }

// FileError names the file in an error about it. It returns nil for nil.
func FileError(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.As(err, new(*FormatError)), errors.As(err, new(*IntegrityError)):
		return fmt.Errorf("%s: %w", name, err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", name)
	case errors.As(err, new(*fs.PathError)):
		return fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
	}
	return err
}
