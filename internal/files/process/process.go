package process

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// drainTime is how long Run waits for output after a program has exited. Only a program
// that left its process group can keep the output open.
const drainTime = time.Second

// Command is a command to run.
type Command struct {
	Program     string    // the file, as returned by Find
	Args        []string  // the first is the program's name
	Folder      string    // the working directory; empty for that of this process
	Environment []string  // nil for that of this process
	Input       io.Reader // the standard input; nil for none. A program reads a file directly
	// Output receives the standard output and Error the standard error. If Error is
	// nil, Output receives both in order. An error of either stops the program.
	// Nothing is written after Run returns.
	Output, Error io.Writer
	Limit         time.Duration // the time limit; 0 for none
}

// Ending describes how a program ended.
type Ending struct {
	NotStarted error  // why it was not started, without paths; then nothing else is set
	OutOfTime  bool   // it reached the time limit or was canceled
	Refused    error  // the error of Output or Error
	ExitCode   *int   // nil unless it exited by itself
	How        string // such as "signal: killed"
}

// Run runs a program and waits until it and its process group have ended: because it
// exited, reached the time limit, or ctx was canceled.
func Run(ctx context.Context, c Command) Ending {
	if c.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Limit)
		defer cancel()
	}
	ctx, refuse := context.WithCancelCause(ctx)
	defer refuse(nil)

	stopped := false // set before Wait returns
	cmd := exec.CommandContext(ctx, c.Program)
	cmd.Args, cmd.Dir, cmd.Env, cmd.Stdin, cmd.WaitDelay = c.Args, c.Folder, c.Environment, c.Input, drainTime
	cmd.Cancel = func() error {
		stopped = true
		killGroup(cmd.Process)
		return cmd.Process.Kill()
	}
	ownGroup(cmd)
	refused := connect(cmd, c, refuse)
	err := cmd.Start()
	if errors.Is(err, context.DeadlineExceeded) {
		return Ending{OutOfTime: true}
	}
	if err != nil {
		return Ending{NotStarted: Reason(err)}
	}
	// Kill the group before waiting for the output: Wait alone would wait for children
	// that keep it open.
	state, err := cmd.Process.Wait()
	killGroup(cmd.Process)
	_ = cmd.Wait() // state has the details
	if err != nil {
		return Ending{NotStarted: Reason(err)}
	}
	e := Ending{Refused: refused()}
	// A core dump depends on the machine.
	e.How = strings.TrimSuffix(state.String(), " (core dumped)")
	if code := state.ExitCode(); code >= 0 && !stopped {
		e.ExitCode = &code
	}
	e.OutOfTime = stopped && e.Refused == nil
	return e
}

// connect sets the outputs of a command. refuse is called with each error of a
// writer; the returned function returns the first one.
func connect(cmd *exec.Cmd, c Command, refuse func(error)) func() error {
	out := &output{to: c.Output, refuse: refuse}
	failing := out
	cmd.Stdout, cmd.Stderr = out, out
	if c.Error != nil {
		failing = &output{to: c.Error, refuse: refuse}
		cmd.Stderr = failing
	}
	return func() error { return cmp.Or(out.failed, failing.failed) }
}

// output passes data to a writer until the writer fails, and then discards the rest, so
// that the program is killed instead of failing on a closed pipe.
type output struct {
	to     io.Writer
	refuse func(error)
	failed error
}

func (o *output) Write(chunk []byte) (int, error) {
	if o.failed == nil {
		if _, o.failed = o.to.Write(chunk); o.failed != nil {
			o.refuse(o.failed)
		}
	}
	return len(chunk), nil
}

// Find returns the file of a program. A name is looked up in PATH. A path is relative to
// folder, or to the working directory of this process if folder is empty.
func Find(program, folder string) (string, error) {
	if filepath.Base(program) != program {
		if filepath.IsAbs(program) {
			return program, nil
		}
		return filepath.Abs(filepath.Join(folder, program))
	}
	path, err := exec.LookPath(program)
	return path, Reason(err)
}

// Reason returns why a program could not be started, without paths, which can be
// temporary.
func Reason(err error) error {
	switch number := syscall.Errno(0); {
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("the program is not in PATH")
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("the program or its interpreter does not exist")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission to execute it is denied")
	case errors.As(err, &number):
		return number
	}
	return err
}
