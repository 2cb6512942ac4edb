package render

import (
	"fmt"
	"io"
	"path"

	"github.com/rubric-library/rubric-library/internal/edit"
	"github.com/rubric-library/rubric-library/internal/inert"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// Edited tells what was done to a file: "made x.yaml: version 2.0.0".
func Edited(w io.Writer, f edit.File, prefix string) error {
	_, err := fmt.Fprintf(w, "%s %s: %s\n", f.Done(), inert.Line(path.Join(prefix, f.Path)), inert.Line(f.Note))
	return err
}

// EditDiff shows what an edit would do to the files, as a unified diff.
func EditDiff(w io.Writer, e *edit.Edit, prefix string) error {
	changes := make([]lint.Change, len(e.Files))
	for i, f := range e.Files {
		changes[i] = lint.Change{Path: f.Path, NewPath: f.Path, Before: f.Before, After: f.After}
	}
	return Diff(w, changes, prefix)
}

// EditWarnings writes what the author has to do besides, a line each.
func EditWarnings(w io.Writer, e *edit.Edit) error {
	for _, warning := range e.Warnings {
		if _, err := fmt.Fprintf(w, "warning: %s\n", inert.Line(warning)); err != nil {
			return err
		}
	}
	return nil
}
