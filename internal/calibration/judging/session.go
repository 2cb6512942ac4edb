package judging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/rubric-library/rubric-library/internal/files/process"
)

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
	_ = s.in.SetWriteDeadline(time.Now().Add(s.judge.TimeLimit)) // pipes of this kind take it
	_, err = s.in.Write(input)
	late := errors.Is(err, os.ErrDeadlineExceeded)
	if err == nil {
		select {
		case line := <-s.lines:
			return line, f, nil
		case e := <-s.ended:
			s.ended <- e
		case <-timer.C:
			late = true
		case <-ctx.Done():
		}
	}
	if late {
		s.cancel()
		f.Reason, f.Unavailable = fmt.Sprintf("the command did not answer within %v", s.judge.TimeLimit), true
	}
	e := s.stop()
	switch f.Output = s.stderr.text(); {
	case ctx.Err() != nil:
		return nil, f, context.Cause(ctx)
	case e.NotStarted != nil:
		return nil, f, s.judge.notStarted(e.NotStarted)
	case e.Refused != nil:
		f.Reason, f.Unavailable = fmt.Sprintf("the command wrote more than %d KiB without a line end, or lines without requests", maxOutput>>10), false
	case f.Reason == "" && e.ExitCode != nil:
		f.Reason, f.Unavailable = fmt.Sprintf("the command ended with exit code %d before it answered", *e.ExitCode), *e.ExitCode == exitUnavailable
	case f.Reason == "":
		f.Reason = "the command ended before it answered: " + e.How
	}
	return nil, f, nil
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
