package command

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/rubric-library/rubric-library/internal/render"
)

// terminal is a stream on which text wraps. Every write has whole lines.
type terminal struct {
	file    *os.File
	columns int
	status  *status // of the error stream
}

func (t *terminal) Write(text []byte) (int, error) {
	err := t.status.interrupt(func() error {
		_, err := t.file.WriteString(render.Wrap(string(text), t.columns))
		return err
	})
	if err != nil {
		return 0, err
	}
	return len(text), nil
}

// wrap returns a stream on which text wraps at the width of its terminal, or w itself if it is
// not one. The error stream comes last, and gets the line.
func (s Streams) wrap(w io.Writer, line *status) io.Writer {
	f, ok := w.(*os.File)
	if !ok || !Terminal(f) {
		return w
	}
	columns := s.columns(f)
	if columns == 0 {
		return w
	}
	line.out, line.columns = f, columns
	return &terminal{f, columns, line}
}

// columns is the width of a terminal, or 0 if it is not known. COLUMNS is the width that a user
// prefers, as POSIX defines it.
func (s Streams) columns(f *os.File) int {
	if columns, err := strconv.Atoi(s.Getenv("COLUMNS")); err == nil && columns > 0 {
		return columns
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// Raw is a stream of Main for output that programs read.
func Raw(w io.Writer) io.Writer {
	if t, ok := w.(*terminal); ok {
		return t.file
	}
	return w
}

// Width is the number of columns of a stream of Main, or 0 if it is not a terminal.
func Width(w io.Writer) int {
	if t, ok := w.(*terminal); ok {
		return t.columns
	}
	return 0
}

// Terminal reports whether a stream is a terminal.
func Terminal(stream any) bool {
	if t, ok := stream.(*terminal); ok {
		stream = t.file
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// TextOptions are the settings of text for a stream.
func (s Streams) TextOptions(w io.Writer, prefix string) render.TextOptions {
	isColored := s.Getenv("NO_COLOR") == "" && s.Getenv("TERM") != "dumb" && Terminal(w) // https://no-color.org
	return render.TextOptions{Prefix: prefix, Color: isColored, Columns: Width(w)}
}
