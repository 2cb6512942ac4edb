package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// fixFindings applies or shows the fixes of the findings, and returns a report of what
// is left. A file that can't be changed is an additional error; the other files are
// still fixed.
func (l *lintCommand) fixFindings(report *lint.Report) (*lint.Report, error) {
	changes, err := lint.FixAll(l.fsys, rules.All(), l.opts, report)
	if err != nil {
		return nil, err
	}
	if l.diff {
		return report, printer.Diff(l.Out, changes, l.library.prefix)
	}
	var failed []error
	for _, c := range changes {
		if err := l.apply(c); err != nil {
			failed = append(failed, err)
			continue
		}
		if err := printer.Fixed(l.Err, c, l.library.prefix); err != nil {
			return nil, err
		}
		if i := slices.Index(l.opts.Only, c.Path); i >= 0 {
			l.opts.Only[i] = c.NewPath // it is still checked
		}
	}
	report, err = lint.Run(l.fsys, rules.All(), l.opts)
	if err != nil {
		return nil, err
	}
	return report, errors.Join(failed...)
}

// apply changes one file: first its content, so that a failed rename leaves a complete
// file under the old name.
func (l *lintCommand) apply(c lint.Change) error {
	name := l.library.file(c.Path)
	if string(c.Before) != string(c.After) {
		if err := safefile.Write(name, c.After, 0o666); err != nil {
			return fmt.Errorf("%s could not be changed: %w", c.Path, safefile.Reason(err))
		}
	}
	if c.NewPath == c.Path {
		return nil
	}
	if err := safefile.Move(name, l.library.file(c.NewPath)); err != nil {
		return fmt.Errorf("%s could not be renamed to %s: %w", c.Path, c.NewPath, safefile.Reason(err))
	}
	return nil
}
