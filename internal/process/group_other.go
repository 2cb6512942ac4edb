//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// There are no process groups here: only the command itself is ended, and what
// it started may stay.
func ownGroup(*exec.Cmd) {}

func killGroup(*os.Process) {}
