//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes a command the leader of a new process group, which its children join.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
}

// killGroup kills what is left of the group that a process leads or led. The system does
// not reuse the group's number while members remain. If none remain, the call comes right
// after the exit, too soon for the number to be reused.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }
