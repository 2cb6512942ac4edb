package bundle

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// FileError names the file in an error about it. It returns nil for nil.
func FileError(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", name)
	case errors.As(err, new(*fs.PathError)):
		return fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
	case errors.As(err, new(*bundlefile.FormatError)), errors.As(err, new(*bundlefile.IntegrityError)):
		return fmt.Errorf("%s: %w", name, err)
	}
	return err
}
