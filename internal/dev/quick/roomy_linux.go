package quick

import "syscall"

// roomy reports whether a folder has room for what tests write and build, and runs
// programs. The one of a container often doesn't.
func roomy(dir string) bool {
	const (
		room   = 4 << 30
		noexec = 0x8
		write  = 0x2
	)
	var s syscall.Statfs_t
	return syscall.Statfs(dir, &s) == nil && s.Bavail*uint64(s.Bsize) > room && s.Flags&noexec == 0 &&
		syscall.Access(dir, write) == nil
}
