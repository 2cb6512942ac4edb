// Package printer prints the output of the commands for authors.
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

// Edited prints the change of a file: "created x.yaml: version 2.0.0".
func Edited(w io.Writer, f authoring.File, prefix string) error {
	_, err := fmt.Fprintf(w, "%s %s: %s\n", f.Done(), sanitize.Line(path.Join(prefix, f.Path)), sanitize.Line(f.Note))
	return err
}

// Diff prints an edit as a unified diff.
func Diff(w io.Writer, e *authoring.Edit, prefix string) error {
	changes := make([]lint.Change, len(e.Files))
	for i, f := range e.Files {
		changes[i] = lint.Change{Path: f.Path, NewPath: f.Path, Before: f.Before, After: f.After}
	}
	return lintprinter.Diff(w, changes, prefix)
}

// Warnings prints the remaining tasks of the author, one per line.
func Warnings(w io.Writer, e *authoring.Edit) error { return lines(w, "warning: ", e.Warnings) }

// NextSteps prints the next steps of the author, one per line.
func NextSteps(w io.Writer, steps []string) error { return lines(w, "", steps) }

func lines(w io.Writer, prefix string, texts []string) error {
	for _, text := range texts {
		if _, err := fmt.Fprintf(w, "%s%s\n", prefix, sanitize.Line(text)); err != nil {
			return err
		}
	}
	return nil
}
