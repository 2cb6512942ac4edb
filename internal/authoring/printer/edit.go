// Package printer prints what the commands for authors write.
package printer

import (
	"fmt"
	"io"
	"path"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/lint"
	lintprinter "github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Edited tells what was done to a file: "created x.yaml: version 2.0.0".
func Edited(w io.Writer, f authoring.File, prefix string) error {
	_, err := fmt.Fprintf(w, "%s %s: %s\n", f.Done(), sanitize.Line(path.Join(prefix, f.Path)), sanitize.Line(f.Note))
	return err
}

// Diff shows what an edit would do to the files, as a unified diff.
func Diff(w io.Writer, e *authoring.Edit, prefix string) error {
	changes := make([]lint.Change, len(e.Files))
	for i, f := range e.Files {
		changes[i] = lint.Change{Path: f.Path, NewPath: f.Path, Before: f.Before, After: f.After}
	}
	return lintprinter.Diff(w, changes, prefix)
}

// Warnings writes what the author has to do besides, a line each.
func Warnings(w io.Writer, e *authoring.Edit) error {
	for _, warning := range e.Warnings {
		if _, err := fmt.Fprintf(w, "warning: %s\n", sanitize.Line(warning)); err != nil {
			return err
		}
	}
	return nil
}

// NextSteps writes what the author can do now, a line each.
func NextSteps(w io.Writer, steps []string) error {
	for _, step := range steps {
		if _, err := fmt.Fprintln(w, sanitize.Line(step)); err != nil {
			return err
		}
	}
	return nil
}
