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
	for _, c := range changes {
		from, to := path.Join(prefix, c.Path), path.Join(prefix, c.NewPath)
		if from != to {
			if _, err := fmt.Fprintf(w, "rename %s to %s\n", sanitize.Line(from), sanitize.Line(to)); err != nil {
				return err
			}
		}
		// A line ending may be the only change, so it must be visible.
		lines := strings.SplitAfter(string(diff.Diff(from, c.Before, to, c.After)), "\n")
		for _, line := range lines {
			text, end := strings.CutSuffix(line, "\n")
			if text = sanitize.Line(text); end {
				text += "\n"
			}
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// Fixed prints what was fixed in a file.
func Fixed(w io.Writer, c lint.Change, prefix string) error {
	for _, fix := range c.Fixes {
		if _, err := fmt.Fprintf(w, "%s: fixed: %s\n", sanitize.Line(path.Join(prefix, c.Path)), sanitize.Line(fix.Message)); err != nil {
			return err
		}
	}
	return nil
}

// BaselineWritten prints that the baseline was written and how many findings it counts.
func BaselineWritten(w io.Writer, name, prefix string, findings int) error {
	_, err := fmt.Fprintf(w, "%s: written: it counts %s\n", sanitize.Line(path.Join(prefix, name)), render.Count(findings, "finding"))
	return err
}
