//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// Without process groups, only the command itself is stopped. Programs that it started
// can keep running.
func ownGroup(*exec.Cmd) {}

func killGroup(*os.Process) {}
