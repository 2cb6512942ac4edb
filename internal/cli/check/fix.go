package check

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// fixFindings applies or shows the fixes of the findings, and returns a report of what
// is left. A file that can't be changed is an additional error; the other files are
// still fixed.
func (l *lintCommand) fixFindings(opts lint.Options, report *lint.Report) (*lint.Report, error) {
	changes, err := lint.FixAll(l.fsys, rules.All(), opts, report)
	if err != nil {
		return nil, err
	}
	if l.diff {
		return report, printer.Diff(command.Raw(l.Out), changes, l.library.Prefix)
	}
	done := l.Err // other formats are for programs
	if slices.ContainsFunc(l.outputs, func(o command.Output) bool { return o.Format == "text" && o.File == "" }) {
		done = l.Out
	}
	var failed []error
	for _, c := range changes {
		if err := l.apply(c); err != nil {
			failed = append(failed, err)
			continue
		}
		for _, fix := range c.Fixes {
			name := sanitize.Line(path.Join(l.library.Prefix, c.Path))
			if _, err := fmt.Fprintf(done, "%s: fixed: %s\n", name, sanitize.Line(fix.Message)); err != nil {
				return nil, err
			}
		}
		i := slices.Index(l.library.Only, c.Path)
		if i >= 0 {
			l.library.Only[i] = c.NewPath // it is still checked
		}
	}
	opts.Only = l.library.Only
	report, err = l.check(opts)
	if err != nil {
		return nil, err
	}
	return report, errors.Join(failed...)
}

// apply changes one file: first its content, so that a failed rename leaves a complete
// file under the old name.
func (l *lintCommand) apply(c lint.FileChange) error {
	name := l.library.File(c.Path)
	if string(c.Before) != string(c.After) {
		if err := safefile.Write(name, c.After, 0o666); err != nil {
			return fmt.Errorf("%s could not be changed: %w", c.Path, safefile.Reason(err))
		}
	}
	if c.NewPath == c.Path {
		return nil
	}
	if err := safefile.Move(name, l.library.File(c.NewPath)); err != nil {
		return fmt.Errorf("%s could not be renamed to %s: %w", c.Path, c.NewPath, safefile.Reason(err))
	}
	return nil
}
