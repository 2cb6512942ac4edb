//go:build unix

package serve

import (
	"net"
	"syscall"
)

// pending reports whether bytes have arrived that nobody has read.
func pending(c net.Conn) (has bool) {
	with, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := with.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Control(func(fd uintptr) {
		n, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		has = err == nil && n > 0
	})
	return err == nil && has
}
