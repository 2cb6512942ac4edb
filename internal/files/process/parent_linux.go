package process

import "syscall"

// dieWithParent makes a command end when this process does, however that happens.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
