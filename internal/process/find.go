package process

import (
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Find is the file of a program: a name is looked up in PATH, anything else is a
// path from a folder, which is that of this process if it is empty.
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
		return "", errors.New("there is no such program in PATH")
	case errors.Is(err, exec.ErrDot):
		return "", errors.New("PATH names it by a folder that is not absolute")
	case err != nil:
		return "", Reason(err)
	}
	return path, nil
}

// Reason is why a program could not be started, from an error of the system
// without paths, which can be temporary ones.
func Reason(err error) error {
	switch number := syscall.Errno(0); {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such program, or none that runs it")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("it may not be executed")
	case errors.As(err, &number):
		return number
	}
	return err
}
