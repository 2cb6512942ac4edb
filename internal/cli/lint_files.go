package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// checkBaselineFlags rejects flags that conflict with a new baseline.
func (l *lintCommand) checkBaselineFlags() error {
	flag := "--write-baseline"
	switch {
	case !l.writeBaseline && !l.prune:
		return nil
	case l.writeBaseline && l.prune:
		return errors.New("--write-baseline and --prune can't be combined: --prune only removes entries")
	case l.prune:
		flag = "--prune"
	}
	if l.fix || l.diff {
		return fmt.Errorf("%s can't be combined with --fix or --diff. Fix the findings first, then run it", flag)
	}
	if len(l.library.only) > 0 {
		return fmt.Errorf("%s applies to the whole library. Remove the files and folders", flag)
	}
	return nil
}

// loadBaseline reads the library's baseline, unless --write-baseline replaces it.
func (l *lintCommand) loadBaseline() (err error) {
	if l.writeBaseline {
		return nil
	}
	l.opts.Allowance.Own, err = lint.LoadBaseline(l.fsys)
	if err == nil && l.prune && l.opts.Allowance.Own == nil {
		return fmt.Errorf("there is no %s to prune. --write-baseline writes one", lint.BaselineFile)
	}
	return err
}

// renewBaseline writes a baseline of the current findings, or removes the entries
// that are no longer found.
func (l *lintCommand) renewBaseline() error {
	opts := l.opts
	opts.Allowance = lint.Allowance{}
	report, err := lint.Run(l.fsys, rules.All(), opts)
	if err != nil {
		return err
	}
	b := lint.NewBaseline(report.Findings)
	if l.prune {
		b = l.opts.Allowance.Own.Prune(b, rules.All(), opts.Repository != nil)
	}
	data, err := b.Bytes()
	if err != nil {
		return err
	}
	name := l.library.file(lint.BaselineFile)
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file, so it was not written. Remove it", lint.BaselineFile)
	}
	if err := safefile.Write(name, data, 0o666); err != nil {
		return fmt.Errorf("%s could not be written: %w", lint.BaselineFile, safefile.Reason(err))
	}
	if l.opts.Allowance.Own, err = lint.ParseBaseline(source.NewFile(lint.BaselineFile, data)); err != nil {
		return err
	}
	return printer.BaselineWritten(l.Err, lint.BaselineFile, l.library.prefix, b.Len())
}

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
