package evaluate

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"
)

// drainTime is how long the output of a command that ended is waited for. Only a
// program that left its process group can hold it open.
const drainTime = time.Second

// process is what is to be run.
type process struct {
	program     string   // the file
	args        []string // the first one is the program's name
	folder      string
	environment []string
	hidden      []string      // paths that the output must not show
	limit       time.Duration // 0 for none
}

// ending is how a process ended.
type ending struct {
	notStarted error // and then nothing else
	outOfTime  bool
	exitCode   *int   // nil unless it ended by itself
	how        string // such as "signal: killed"
	output     string
	truncated  bool
}

// run runs a process and waits until it and its process group ended: by
// themselves, at the time limit, or when ctx is cancelled.
func run(ctx context.Context, p process) ending {
	if p.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.limit)
		defer cancel()
	}
	read, write, err := os.Pipe()
	if err != nil {
		return ending{notStarted: cause(err)}
	}
	defer read.Close()

	stopped := false // Wait returns after Cancel does
	cmd := exec.CommandContext(ctx, p.program)
	cmd.Args, cmd.Dir, cmd.Env = p.args, p.folder, p.environment
	// A file, unlike a writer, lets Wait return when the process ended, even if a
	// child still holds the output.
	cmd.Stdout, cmd.Stderr = write, write
	cmd.Cancel = func() error {
		stopped = true
		killGroup(cmd.Process)
		return cmd.Process.Kill()
	}
	ownGroup(cmd)
	err = cmd.Start()
	_ = write.Close()
	if errors.Is(err, context.DeadlineExceeded) {
		return ending{outOfTime: true}
	}
	if err != nil {
		return ending{notStarted: cause(err)}
	}
	out, drained := newOutput(p.hidden), make(chan struct{})
	go func() {
		defer close(drained)
		out.read(read)
	}()

	_ = cmd.Wait() // ProcessState says it better
	killGroup(cmd.Process)
	select {
	case <-drained:
	case <-time.After(drainTime):
	}

	e := ending{outOfTime: stopped}
	// Whether there is a core dump is a matter of the machine.
	e.how = strings.TrimSuffix(cmd.ProcessState.String(), " (core dumped)")
	e.output, e.truncated = out.text()
	if code := cmd.ProcessState.ExitCode(); code >= 0 && !stopped {
		e.exitCode = &code
	}
	return e
}
