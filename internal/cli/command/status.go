package command

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// status is a line that changes, on a terminal. Whatever else is written there erases it first.
// A nil status shows nothing.
type status struct {
	out     io.Writer
	columns int // of the terminal
	start   time.Time

	mu    sync.Mutex
	text  string
	width int // of the shown text
}

// status is the line of the error stream, or nil if that is not a terminal, or a job of CI has it.
func (s Streams) status() *status {
	t, ok := s.Err.(*terminal)
	if !ok || s.Getenv("CI") != "" || s.Getenv("TERM") == "dumb" {
		return nil
	}
	return t.status
}

// show replaces the line.
func (s *status) show(text string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if text = sanitize.Line(text); text == s.text {
		return
	}
	shown := render.Beginning(text, s.columns-1) // a full line can move the cursor to the next one
	_, _ = io.WriteString(s.out, s.erasing()+shown)
	s.text, s.width = text, render.Columns(shown)
}

// clear erases the line.
func (s *status) clear() { _ = s.interrupt(func() error { return nil }) }

// interrupt erases the line before something is written.
func (s *status) interrupt(write func() error) error {
	if s == nil {
		return write()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if erasing := s.erasing(); erasing != "" {
		if _, err := io.WriteString(s.out, erasing); err != nil {
			return err
		}
	}
	return write()
}

// erasing returns what erases the line, which is then empty.
func (s *status) erasing() string {
	if s.width == 0 {
		return ""
	}
	blank := strings.Repeat(" ", s.width)
	s.text, s.width = "", 0
	return "\r" + blank + "\r"
}

// keep ends the line, which stays.
func (s *status) keep() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.width > 0 {
		_, _ = fmt.Fprintln(s.out)
	}
	s.text, s.width = "", 0
}
