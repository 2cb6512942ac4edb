// Package process runs a program without a shell and waits for its end.
//
// It promises that nothing of it stays: whatever the program started in its
// process group ends with it, at the time limit or when it is cancelled. A
// program that leaves the group on purpose is not followed, and not waited for.
package process

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
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
	cmd.Args, cmd.Dir, cmd.Env = c.Args, c.Folder, c.Environment
	cmd.Cancel = func() error {
		stopped = true
		killGroup(cmd.Process)
		return cmd.Process.Kill()
	}
	ownGroup(cmd)
	p, err := connect(cmd, c, refuse)
	if err != nil {
		return Ending{NotStarted: Reason(err)}
	}
	defer p.close()
	err = cmd.Start()
	p.closeTheirs()
	if errors.Is(err, context.DeadlineExceeded) {
		return Ending{OutOfTime: true}
	}
	if err != nil {
		return Ending{NotStarted: Reason(err)}
	}
	p.pump(c.Input)
	_ = cmd.Wait() // ProcessState says it better
	killGroup(cmd.Process)
	e := Ending{Refused: p.drain()}
	// Whether there is a core dump is a matter of the machine.
	e.How = strings.TrimSuffix(cmd.ProcessState.String(), " (core dumped)")
	if code := cmd.ProcessState.ExitCode(); code >= 0 && !stopped {
		e.ExitCode = &code
	}
	e.OutOfTime = stopped && e.Refused == nil
	return e
}

// pipes connect a program with this one. They are files, because with a reader or
// a writer Wait would wait for children that hold them open.
type pipes struct {
	theirs  []*os.File // the ends that the program has
	input   *os.File   // nil where there is nothing to read
	outputs []*output
}

// connect makes the pipes of a program that was not started. refuse is called
// with the error of a writer.
func connect(cmd *exec.Cmd, c Command, refuse func(error)) (p *pipes, err error) {
	p = &pipes{}
	defer func() {
		if err != nil {
			p.closeTheirs()
			p.close()
		}
	}()
	if c.Input != nil {
		read, write, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		p.theirs, p.input, cmd.Stdin = append(p.theirs, read), write, read
	}
	out, err := p.output(c.Output, refuse)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = out, out
	if c.Error != nil {
		own, err := p.output(c.Error, refuse)
		if err != nil {
			return nil, err
		}
		cmd.Stderr = own
	}
	return p, nil
}

// output makes a pipe to a writer and returns the program's end.
func (p *pipes) output(w io.Writer, refuse func(error)) (*os.File, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.theirs = append(p.theirs, write)
	p.outputs = append(p.outputs, &output{from: read, to: w, refuse: refuse, drained: make(chan struct{})})
	return write, nil
}

func (p *pipes) closeTheirs() {
	for _, f := range p.theirs {
		_ = f.Close()
	}
}

// pump begins to write the input and to read the outputs.
func (p *pipes) pump(input []byte) {
	if p.input != nil {
		go func() {
			// A program need not read all of it.
			_, _ = io.Copy(p.input, bytes.NewReader(input))
			_ = p.input.Close()
		}()
	}
	for _, o := range p.outputs {
		go o.pump()
	}
}

// drain waits for the rest of the outputs and returns the first error of a
// writer. After that nothing is written.
func (p *pipes) drain() error {
	timer := time.NewTimer(drainTime)
	defer timer.Stop()
	var refused error
	late := false
	for _, o := range p.outputs {
		if !late {
			select {
			case <-o.drained:
			case <-timer.C:
				late = true
			}
		}
		if err := o.shut(); refused == nil {
			refused = err
		}
	}
	return refused
}

func (p *pipes) close() {
	if p.input != nil {
		_ = p.input.Close()
	}
	for _, o := range p.outputs {
		_ = o.from.Close()
	}
}

// output hands what a program writes to a writer, until it is shut.
type output struct {
	from    *os.File
	refuse  func(error)
	drained chan struct{}

	mu     sync.Mutex
	to     io.Writer // nil when it is shut
	failed error
}

// pump reads to the end, also what nobody takes, so that the program never waits
// for somebody to read.
func (o *output) pump() {
	defer close(o.drained)
	chunk := make([]byte, 4<<10)
	for {
		n, err := o.from.Read(chunk)
		o.take(chunk[:n])
		if err != nil {
			return
		}
	}
}

func (o *output) take(chunk []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.to == nil || o.failed != nil || len(chunk) == 0 {
		return
	}
	if _, o.failed = o.to.Write(chunk); o.failed != nil {
		o.refuse(o.failed)
	}
}

// shut ends the writing and returns the writer's error.
func (o *output) shut() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to = nil
	return o.failed
}
