package quick

import "syscall"

// roomy reports whether a folder has room for the files and builds of tests, and allows
// programs to run. In a container it often doesn't.
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
