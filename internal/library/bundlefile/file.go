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
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	var b *Bundle
	if err == nil {
		b, err = open(f, info.Size(), o)
	}
	if err != nil {
		_ = f.Close() // the first error is more useful
		return nil, err
	}
	b.file = f
	return b, nil
}

// Close closes the file of OpenFile.
func (b *Bundle) Close() error { return b.file.Close() }

// FileError names the file in an error about it. It returns nil for nil.
func FileError(name string, err error) error {
	format, isFormat := errors.AsType[*FormatError](err)
	integrity, isIntegrity := errors.AsType[*IntegrityError](err)
	switch {
	case err == nil:
		return nil
	case isFormat:
		return fmt.Errorf("%s: %w", name, format)
	case isIntegrity:
		return fmt.Errorf("%s: %w", name, integrity)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", name)
	case errors.As(err, new(*fs.PathError)):
		return fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
	}
	return err
}
