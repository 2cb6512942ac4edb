package printer

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Diff prints what fixes would do, as a unified diff.
func Diff(w io.Writer, changes []lint.Change, prefix string) error {
	var out strings.Builder
	for _, c := range changes {
		from, to := path.Join(prefix, c.Path), path.Join(prefix, c.NewPath)
		if from != to {
			fmt.Fprintf(&out, "rename %s to %s\n", sanitize.Line(from), sanitize.Line(to))
		}
		for line := range strings.Lines(string(diff.Diff(from, c.Before, to, c.After))) {
			text := strings.TrimSuffix(line, "\n") // the rest of a line ending may be the only change, so it must be visible
			out.WriteString(sanitize.Line(text) + line[len(text):])
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Fixed prints what was fixed in a file.
func Fixed(w io.Writer, c lint.Change, prefix string) error {
	var out strings.Builder
	for _, fix := range c.Fixes {
		fmt.Fprintf(&out, "%s: fixed: %s\n", sanitize.Line(path.Join(prefix, c.Path)), sanitize.Line(fix.Message))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// BaselineWritten prints that the baseline was written and how many findings it counts.
func BaselineWritten(w io.Writer, name, prefix string, findings int) error {
	_, err := fmt.Fprintf(w, "%s: written: it counts %s\n", sanitize.Line(path.Join(prefix, name)), render.Count(findings, "finding"))
	return err
}
