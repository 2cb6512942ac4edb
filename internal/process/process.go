package process

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"time"
)

// drainTime is how long the output of a program that ended is waited for. Only a
// program that left its process group can hold it open.
const drainTime = time.Second

// Command is what is to be run.
type Command struct {
	Program     string   // the file, as Find finds it
	Args        []string // the first one is the program's name
	Folder      string   // empty for that of this process
	Environment []string // nil for that of this process
	// Input is what the program can read; nil for nothing.
	Input []byte
	// Output gets what the program writes to its standard output, and Error to
	// its standard error; where Error is nil, Output gets both in their order. An
	// error of either ends the program. Nothing is written after Run returned.
	Output, Error io.Writer
	Limit         time.Duration // 0 for none
}

// Ending is how a program ended.
type Ending struct {
	NotStarted error  // without paths, and then there is nothing else
	OutOfTime  bool   // or cancelled
	Refused    error  // of Output or Error
	ExitCode   *int   // nil unless it ended by itself
	How        string // such as "signal: killed"
}

// Run runs a program and waits until it and its process group ended: by
// themselves, at the time limit, or when ctx is cancelled.
func Run(ctx context.Context, c Command) Ending {
	if c.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Limit)
		defer cancel()
	}
	ctx, refuse := context.WithCancelCause(ctx)
	defer refuse(nil)

	stopped := false // Wait returns after Cancel does
	cmd := exec.CommandContext(ctx, c.Program)
	cmd.Args, cmd.Dir, cmd.Env, cmd.WaitDelay = c.Args, c.Folder, c.Environment, drainTime
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
	// Only when the group is gone, the output is waited for: Wait alone would wait
	// for children that hold it open.
	state, err := cmd.Process.Wait()
	killGroup(cmd.Process)
	_ = cmd.Wait() // state says it better
	if err != nil {
		return Ending{NotStarted: Reason(err)}
	}
	e := Ending{Refused: refused()}
	// Whether there is a core dump is a matter of the machine.
	e.How = strings.TrimSuffix(state.String(), " (core dumped)")
	if code := state.ExitCode(); code >= 0 && !stopped {
		e.ExitCode = &code
	}
	e.OutOfTime = stopped && e.Refused == nil
	return e
}

// connect gives a command its input and outputs. refuse is called with the error
// of a writer, the first of which the function that is returned has.
func connect(cmd *exec.Cmd, c Command, refuse func(error)) func() error {
	if c.Input != nil {
		cmd.Stdin = bytes.NewReader(c.Input)
	}
	out := &output{to: c.Output, refuse: refuse}
	failing := out
	cmd.Stdout, cmd.Stderr = out, out
	if c.Error != nil {
		failing = &output{to: c.Error, refuse: refuse}
		cmd.Stderr = failing
	}
	return func() error { return cmp.Or(out.failed, failing.failed) }
}

// output hands what a program writes to a writer until that fails. It takes the
// rest all the same, so that the program ends because it is ended, and not in a
// way of its own because nobody reads.
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
