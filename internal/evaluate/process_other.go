//go:build !unix

package evaluate

import (
	"os"
	"os/exec"
)

// There are no process groups here: only the command itself is ended, and what
// it started may stay.
func ownGroup(*exec.Cmd) {}

func killGroup(*os.Process) {}

// systemEnvironment is what programs need on Windows beside SYSTEMROOT, which
// package os/exec adds.
func systemEnvironment(home string) []string {
	return []string{
		"PATHEXT=" + os.Getenv("PATHEXT"),
		"TEMP=" + home,
		"TMP=" + home,
		"USERPROFILE=" + home,
	}
}
