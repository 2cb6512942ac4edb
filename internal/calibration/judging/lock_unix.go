//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package judging

import (
	"errors"
	"os"
	"syscall"
)

// renamesOpenFiles reports whether a file can be replaced and removed while it is open.
const renamesOpenFiles = true

// lock locks a file until it is closed. The system releases the lock after a crash.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}
