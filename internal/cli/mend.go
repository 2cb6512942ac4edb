package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// maxRounds bounds how often fixes are looked for again. Two fixes of one file
// that contradict each other take a round each.
const maxRounds = 10

// mend makes the fixes of the findings, or shows them, and returns the report
// on what is left. A file that can't be changed is an error beside the report,
// and keeps no other file from being mended.
func (l *lintCommand) mend(report *lint.Report) (*lint.Report, error) {
	changes, err := l.plan(report)
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
		l.follow(c)
	}
	report, err = lint.Run(l.fsys, rules.All(), l.opts)
	if err != nil {
		return nil, err
	}
	return report, errors.Join(failed...)
}

// plan works out all that the fixes do, sorted by path, and changes no file:
// after each round the library is checked with the mended contents in view.
func (l *lintCommand) plan(report *lint.Report) ([]lint.Change, error) {
	opts := l.opts
	opts.Repository = nil // nothing of it can be mended
	opts.Instead = maps.Clone(opts.Instead)
	if opts.Instead == nil {
		opts.Instead = map[string][]byte{}
	}
	all := map[string]lint.Change{}
	for range maxRounds {
		changes, err := lint.Fixes(l.fsys, opts, report.Findings)
		if err != nil {
			return nil, err
		}
		mended := false
		for _, c := range changes {
			if string(c.Before) != string(c.After) {
				mended = true
				opts.Instead[c.Path] = c.After
			}
			all[c.Path] = merge(all[c.Path], c)
		}
		if !mended {
			break
		}
		if report, err = lint.Run(l.fsys, rules.All(), opts); err != nil {
			return nil, err
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b lint.Change) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	}), nil
}

// merge puts a change of a later round on top of one of an earlier round.
func merge(first, then lint.Change) lint.Change {
	if first.Path == "" {
		return then
	}
	for _, fix := range then.Fixes {
		if fix.Rename == "" || first.NewPath != fix.Rename {
			first.Fixes = append(first.Fixes, fix)
		}
	}
	first.NewPath, first.After = then.NewPath, then.After
	return first
}

// apply changes one file: its content first, so that a rename that fails leaves
// a whole file under the old name.
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

// follow keeps looking at a named file that was renamed.
func (l *lintCommand) follow(c lint.Change) {
	for i, name := range l.opts.Only {
		if name == c.Path {
			l.opts.Only[i] = c.NewPath
		}
	}
}
