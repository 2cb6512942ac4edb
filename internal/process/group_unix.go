//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes a command the leader of a process group, which its children
// belong to as well.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends what is left of the group that a process leads or led. As long
// as something is, the system gives the group's number to nobody else; if nothing
// is, the call comes right after the end, too soon for the number to come round.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }
