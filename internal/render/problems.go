package render

import (
	"io"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Problems writes the problems of an input file, each with its position and the line with
// carets below it.
func Problems(w io.Writer, f *source.File, problems []source.Problem, opts TextOptions) error {
	t := Text{Options: opts}
	for _, p := range problems {
		at := source.Location{File: f.Path}
		if p.Span.Len() > 0 || p.Span.Start > 0 {
			at = source.Locate(f, p.Span)
		}
		t.Printf("%s: %s: %s\n", t.Paint(StyleBold, t.Place(at)), t.Paint(StyleError, "error"), sanitize.Line(p.Message))
		t.Snippet(at, StyleError)
	}
	_, err := io.WriteString(w, t.String())
	return err
}
