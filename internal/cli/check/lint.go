package check

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// lintCommand is one call of rubric-lint. prepare sets what is below the flags. Nothing changes it
// later, except that --fix renames the files that are named.
type lintCommand struct {
	command.Streams
	lintFlags

	outputs []command.Output
	subject
	opts lint.Options
}

// Lint is the command rubric-lint.
func Lint(s command.Streams) *cobra.Command {
	l := &lintCommand{Streams: s}
	cmd := &cobra.Command{
		Use:     "rubric-lint [PATH...]",
		PreRunE: conflicts,
		RunE: func(cmd *cobra.Command, args []string) error {
			// A library of 100,000 rubrics takes less than 1 GB.
			debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), 900<<20))
			if !l.listRules && !cmd.Flags().Changed("explain") {
				return l.run(args)
			}
			all, err := l.rulesHere()
			if err != nil {
				return err
			}
			if l.listRules {
				return printer.Rules(l.Out, cmd.CommandPath(), all, command.Width(l.Out))
			}
			return explainRule(l.Out, all, l.explain, cmd.CommandPath())
		},
	}
	l.register(cmd)
	return command.Describe(cmd)
}

func (l *lintCommand) run(args []string) error {
	if err := l.prepare(args); err != nil {
		return err
	}
	if l.opts.History != nil {
		defer l.opts.History.Repo.Close()
	}
	opts := l.opts
	if l.writeBaseline || l.prune {
		var err error
		if opts.Allowance.Own, err = l.renewBaseline(); err != nil {
			return err
		}
	}
	report, err := l.check(opts)
	if err != nil {
		return err
	}
	var failed error
	if l.fix || l.diff {
		if report, failed = l.fixFindings(opts, report); report == nil {
			return failed
		}
	}
	if report.Base != nil {
		command.ReportIgnored(l.Err, report.Base.Ignored)
	}
	if err := l.write(report); err != nil {
		return err
	}
	if err := cmp.Or(l.setOutputs(report), failed); err != nil {
		return err
	}
	if slices.ContainsFunc(report.Findings, func(f lint.Finding) bool { return f.Severity >= l.failingSeverity() }) {
		return command.ErrFindings
	}
	return nil
}

// check checks the library, and shows its progress.
func (l *lintCommand) check(opts lint.Options) (*lint.Report, error) {
	watch := l.Watch()
	defer watch.Stop()
	opts.Progress = watch.Report
	return lint.Run(l.fsys, rules.All(), opts)
}

// prepare validates the flags, finds what is checked, and decides about the options.
func (l *lintCommand) prepare(args []string) (err error) {
	if l.outputs, err = l.validate(l.Streams, args); err != nil {
		return err
	}
	stdin := slices.Contains(args, "-")
	if stdin {
		args = []string{l.stdinFilename}
	}
	if l.subject, err = l.open(args); err != nil {
		return err
	}
	if (l.writeBaseline || l.prune) && len(l.library.Only) > 0 {
		return errors.New("a baseline counts the findings of the whole library. Remove the files and folders")
	}
	opts := l.subject.options()
	opts.Failing = l.failingSeverity()
	if stdin {
		if opts.Instead, err = l.readStdin(); err != nil {
			return err
		}
	}
	if opts.Config, err = l.loadConfig(l.fsys); err != nil {
		return err
	}
	if l.documents == nil {
		if opts.Allowance.Own, err = l.loadBaseline(); err != nil {
			return err
		}
		if opts, err = l.compareWith(opts); err != nil {
			return err
		}
	}
	l.opts = opts
	return nil
}

// readStdin reads the document on standard input, by the path of the file that it stands for.
func (l *lintCommand) readStdin() (map[string][]byte, error) {
	only := l.library.Only
	if l.documents != nil {
		only = l.documents.names
	}
	_, isDir, _ := command.Locate(l.stdinFilename)
	if isDir || len(only) != 1 || l.documents == nil && !strings.HasPrefix(only[0], lint.Root+"/") {
		return nil, fmt.Errorf("--stdin-filename must name a file in %s/", lint.Root)
	}
	f, err := command.ReadAll("standard input", l.In)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{only[0]: f.Data}, nil
}

func (l *lintCommand) loadConfig(fsys fs.FS) (*lint.Config, error) {
	if l.config == "" && l.documents != nil {
		return nil, nil // the defaults
	}
	if l.config == "" {
		return lint.LoadConfig(fsys, rules.All())
	}
	f, err := command.ReadInput(l.config)
	if err != nil {
		return nil, err
	}
	return lint.ParseConfig(f, rules.All())
}
