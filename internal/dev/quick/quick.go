// Package quick makes the tests of a package that imports it quick, and those that they
// start: garbage is collected less often, and temporary files are in memory.
package quick

import (
	"os"
	"runtime/debug"
)

func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		os.Setenv("GOGC", "400")
	}
	if os.Getenv("TMPDIR") == "" && roomy(memory) {
		os.Setenv("TMPDIR", memory)
	}
}

// memory is a folder in memory on most Linux systems. A new file takes 50 times as long
// on a disk, even one that nobody waits for.
const memory = "/dev/shm"
