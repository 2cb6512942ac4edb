//go:build unix && !linux

package process

import "syscall"

// Only Linux ends a command when this process is killed.
func dieWithParent(*syscall.SysProcAttr) {}
