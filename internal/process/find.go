package process

import (
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Find returns the file of a program. A name is looked up in PATH. A path is relative to
// folder, or to the working directory of this process if folder is empty.
func Find(program, folder string) (string, error) {
	if filepath.Base(program) != program {
		if filepath.IsAbs(program) {
			return program, nil
		}
		return filepath.Abs(filepath.Join(folder, program))
	}
	path, err := exec.LookPath(program)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("the program is not in PATH")
	case errors.Is(err, exec.ErrDot):
		return "", errors.New("the program is in a folder that PATH lists with a relative path")
	case err != nil:
		return "", Reason(err)
	}
	return path, nil
}

// Reason returns why a program could not be started, without paths, which can be
// temporary.
func Reason(err error) error {
	switch number := syscall.Errno(0); {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("the program or its interpreter does not exist")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission to execute it is denied")
	case errors.As(err, &number):
		return number
	}
	return err
}
