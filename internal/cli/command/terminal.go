package command

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/rubric-library/rubric-library/internal/render"
)

// terminal is a stream on which text wraps. Every write has whole lines.
type terminal struct {
	file    *os.File
	columns int
}

func (t *terminal) Write(text []byte) (int, error) {
	if _, err := t.file.WriteString(render.Wrap(string(text), t.columns)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Wrapped is a stream on which text wraps at the width of its terminal, or w itself if it is
// not one.
func Wrapped(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && Terminal(f) {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return &terminal{f, columns}
		}
	}
	return w
}

// Raw is a stream of Wrapped for output that programs read.
func Raw(w io.Writer) io.Writer {
	if t, ok := w.(*terminal); ok {
		return t.file
	}
	return w
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
	o := render.TextOptions{Prefix: prefix, Color: s.Getenv("NO_COLOR") == "" && s.Getenv("TERM") != "dumb" && Terminal(w)} // https://no-color.org
	if t, ok := w.(*terminal); ok {
		o.Columns = t.columns
	}
	return o
}
