package judging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/files/process"
)

const (
	// maxOutput is how many bytes a judge may write to its standard output.
	maxOutput = 1 << 20
	// maxError is how many bytes at the end of its standard error are kept.
	maxError = 2 << 10
	// longestPause is the longest pause before a judge is asked again.
	longestPause = time.Minute
	// exitUnavailable is the exit code of a command that can't reach its model: EX_TEMPFAIL
	// of sysexits.h.
	exitUnavailable = 75
)

// Judge is a command that answers one question each time it is started, in a new and empty
// folder: the library has the labels.
type Judge struct {
	// Command is the program and its arguments, run without a shell. A name without
	// a slash is looked up in PATH. Find makes the paths of files absolute.
	Command []string
	// TimeLimit is how long one attempt may take; 0 means no limit.
	TimeLimit time.Duration
	// Retries is how often an unavailable judge is asked again. An unreadable answer is
	// never asked for again: that would make a judge look better than it is.
	Retries int
	// Pause is the time before it is asked again. It doubles with each further time, up to
	// a minute.
	Pause time.Duration
	// MaxFailures is how many failures in a row end the work, which also ends when the
	// first three attempts of a run all fail; 0 for no limit.
	MaxFailures int
	// Lines says that the command stays up: it reads a request from each line and
	// writes an answer on a line, which repeats the number of the item.
	Lines bool

	program string
}

// Find finds the program. It returns an error if the program can't be started.
func (j *Judge) Find() error {
	program, err := process.Find(j.Command[0], "")
	if err != nil {
		return j.notStarted(err)
	}
	if _, err := exec.LookPath(program); err != nil {
		return j.notStarted(process.Reason(err))
	}
	j.program = program
	j.Command = slices.Clone(j.Command)
	if filepath.Base(j.Command[0]) != j.Command[0] {
		j.Command[0] = program
	}
	for i, arg := range j.Command[1:] {
		if info, err := os.Stat(arg); err != nil || info.IsDir() {
			continue
		}
		if j.Command[i+1], err = filepath.Abs(arg); err != nil {
			return err
		}
	}
	return nil
}

// run starts the command in a folder of its own, and waits until it ends.
func (j *Judge) run(ctx context.Context, c process.Command) process.Ending {
	folder, err := os.MkdirTemp("", "judge-")
	if err != nil {
		return process.Ending{NotStarted: err}
	}
	defer os.RemoveAll(folder)
	c.Program, c.Args, c.Folder = j.program, j.Command, folder
	return process.Run(ctx, c)
}

func (j *Judge) notStarted(err error) error {
	return fmt.Errorf("the judge %q could not be started: %w", j.Command[0], err)
}

// attempt asks a judge once. The failure has no reason if it answered.
type attempt func(ctx context.Context, input []byte) (output []byte, f Failure, err error)

// worker returns how one of several workers asks, and what ends it.
func (j *Judge) worker() (attempt, func()) {
	if !j.Lines {
		return j.attempt, func() {}
	}
	s := &session{judge: j}
	return s.attempt, func() { s.stop() }
}

// attempt starts the command once. The failure has no reason if the command succeeded.
// After an error, further attempts are useless. Only the time limit and one exit code mean
// that the judge was unavailable: it could use any other failure to be asked again.
func (j *Judge) attempt(ctx context.Context, input []byte) (output []byte, f Failure, err error) {
	var out limited
	var stderr tail
	e := j.run(ctx, process.Command{Input: bytes.NewReader(input), Output: &out, Error: &stderr, Limit: j.TimeLimit})
	succeeded := e.ExitCode != nil && *e.ExitCode == 0
	if ctx.Err() != nil && !succeeded {
		return nil, f, context.Cause(ctx)
	}
	f.Output = stderr.text()
	switch {
	case e.NotStarted != nil:
		return nil, f, j.notStarted(e.NotStarted)
	case e.Refused != nil:
		f.Reason = fmt.Sprintf("the command wrote more than %d KiB", maxOutput>>10)
	case e.OutOfTime:
		f.Reason, f.Unavailable = fmt.Sprintf("the command did not finish within %v", j.TimeLimit), true
	case e.ExitCode == nil:
		f.Reason = "the command crashed: " + e.How
	case !succeeded:
		f.Reason = fmt.Sprintf("the command failed with exit code %d", *e.ExitCode)
		f.Unavailable = *e.ExitCode == exitUnavailable
	}
	return out.kept, f, nil
}

// limited keeps up to maxOutput bytes and refuses more.
type limited struct{ kept []byte }

func (l *limited) Write(chunk []byte) (int, error) {
	if len(l.kept)+len(chunk) > maxOutput {
		return 0, errors.New("too much output")
	}
	l.kept = append(l.kept, chunk...)
	return len(chunk), nil
}

// tail keeps the last maxError bytes.
type tail struct {
	kept []byte
	cut  bool
}

func (t *tail) Write(chunk []byte) (int, error) {
	t.kept = append(t.kept, chunk...)
	if more := len(t.kept) - maxError; more > 0 {
		t.kept, t.cut = append(t.kept[:0], t.kept[more:]...), true
	}
	return len(chunk), nil
}

// text returns the kept output as valid UTF-8, starting at a line if it can.
func (t *tail) text() string {
	text := string(t.kept)
	if t.cut {
		if _, rest, ok := strings.Cut(text, "\n"); ok {
			text = rest
		}
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// session is a judge command that stays up: it reads a request from each line and writes
// an answer on a line. One goroutine uses it at a time.
type session struct {
	judge *Judge

	in     *os.File // nil while the command is not running
	lines  chan []byte
	ended  chan process.Ending
	stderr *tail
	cancel context.CancelFunc
}

func (s *session) start(ctx context.Context) error {
	out, in, err := os.Pipe()
	if err != nil {
		return err
	}
	ctx, s.cancel = context.WithCancel(ctx)
	s.in, s.lines, s.ended, s.stderr = in, make(chan []byte, 16), make(chan process.Ending, 1), &tail{}
	go func(lines chan<- []byte, ended chan<- process.Ending, stderr *tail) {
		e := s.judge.run(ctx, process.Command{Input: out, Output: &lineWriter{to: lines}, Error: stderr})
		_ = out.Close() // it was only read
		ended <- e
	}(s.lines, s.ended, s.stderr)
	return nil
}

// stop ends the command. A command that reads the end of its input can end by itself.
func (s *session) stop() process.Ending {
	if s.in == nil {
		return process.Ending{}
	}
	_ = s.in.Close() // no more requests
	s.in = nil
	select {
	case e := <-s.ended:
		s.cancel()
		return e
	case <-time.After(time.Second):
		s.cancel()
		return <-s.ended
	}
}

// attempt asks once, as Judge.attempt does. After a failure, the next attempt starts the
// command again.
func (s *session) attempt(ctx context.Context, input []byte) (output []byte, f Failure, err error) {
	if s.in == nil {
		if err := s.start(ctx); err != nil {
			return nil, f, err
		}
	}
	timer := time.NewTimer(s.judge.TimeLimit)
	defer timer.Stop()
	select {
	case <-s.lines:
		s.stop()
		return nil, Failure{Reason: "the command wrote a line without a request", Output: s.stderr.text()}, nil
	default:
	}
	line, late := s.exchange(ctx, input, timer.C)
	if line != nil {
		return line, f, nil
	}
	if late {
		s.cancel()
		f.Reason, f.Unavailable = fmt.Sprintf("the command did not answer within %v", s.judge.TimeLimit), true
	}
	f, err = s.explain(ctx, f)
	return nil, f, err
}

// exchange writes a request and waits for the line that answers it. Without a line, late is whether
// the time was over.
func (s *session) exchange(ctx context.Context, input []byte, timeout <-chan time.Time) (line []byte, late bool) {
	_ = s.in.SetWriteDeadline(time.Now().Add(s.judge.TimeLimit)) // pipes of this kind take it
	if _, err := s.in.Write(input); err != nil {
		return nil, errors.Is(err, os.ErrDeadlineExceeded)
	}
	select {
	case line = <-s.lines:
		return line, false
	case e := <-s.ended:
		s.ended <- e
	case <-timeout:
		return nil, true
	case <-ctx.Done():
	}
	return nil, false
}

// explain stops the command, and completes why it did not answer. The error ends the run.
func (s *session) explain(ctx context.Context, f Failure) (Failure, error) {
	e := s.stop()
	f.Output = s.stderr.text()
	switch {
	case ctx.Err() != nil:
		return f, context.Cause(ctx)
	case e.NotStarted != nil:
		return f, s.judge.notStarted(e.NotStarted)
	case e.Refused != nil:
		f.Reason, f.Unavailable = fmt.Sprintf("the command wrote more than %d KiB without a line end, or lines without requests", maxOutput>>10), false
	case f.Reason == "" && e.ExitCode != nil:
		f.Reason = fmt.Sprintf("the command ended with exit code %d before it answered", *e.ExitCode)
		f.Unavailable = *e.ExitCode == exitUnavailable
	case f.Reason == "":
		f.Reason = "the command ended before it answered: " + e.How
	}
	return f, nil
}

type lineWriter struct {
	to   chan<- []byte
	rest []byte
}

var errLine = errors.New("not a line")

func (w *lineWriter) Write(chunk []byte) (int, error) {
	w.rest = append(w.rest, chunk...)
	for {
		line, rest, found := bytes.Cut(w.rest, []byte("\n"))
		if !found {
			break
		}
		select {
		case w.to <- bytes.Clone(line):
		default:
			return 0, errLine
		}
		w.rest = rest
	}
	if len(w.rest) > maxOutput {
		return 0, errLine
	}
	return len(chunk), nil
}
