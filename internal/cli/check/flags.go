package check

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// lintFlags are the flags of a check. Only the command line sets them.
type lintFlags struct {
	formats       []string
	show          string
	failLevel     string
	statistics    bool
	stepOutputs   command.StepOutputs
	config        string
	stdinFilename string
	explain       string
	listRules     bool
	comparisonFlags
	editFlags
}

// comparisonFlags say which commits are checked, and what they are compared with.
type comparisonFlags struct {
	base  string
	rev   string
	steps string // --range
	audit bool
}

// editFlags say what a check changes, or shows that it would change.
type editFlags struct{ fix, diff, writeBaseline, prune bool }

// conflicts are the flags that can't be combined: a commit can't be changed, and a baseline counts
// what fixes leave.
var conflicts = command.Conflicts(
	"rev range fix diff write-baseline prune stdin-filename",
	"range base audit fix diff write-baseline prune stdin-filename",
	"fix diff write-baseline prune",
	"diff write-baseline prune",
	"write-baseline prune",
)

// register adds the flags to a command.
func (f *lintFlags) register(cmd *cobra.Command) {
	flags := command.InOrder(cmd)
	command.FormatFlag(cmd, &f.formats, lintFormats())
	flags.StringVar(&f.show, "show", "", "notes: list notes in the text format, which otherwise only counts them")
	flags.StringVar(&f.base, "base", "", "the revision to compare versions with, or none")
	flags.StringVar(&f.rev, "rev", "", "check this commit instead of the working tree")
	flags.StringVar(&f.steps, "range", "", "check every commit in `OLD..NEW`, as a server does for a push")
	flags.BoolVar(&f.audit, "audit", false, "also check every step of the first-parent history")
	command.FailLevelFlag(cmd, &f.failLevel)
	flags.BoolVar(&f.statistics, "statistics", false, "also count the findings of each lint rule, most first")
	f.stepOutputs.Flag(cmd, "errors, warnings, and findings (numbers), and base (the commit since which the library changed)")
	flags.BoolVar(&f.fix, "fix", false, "fix findings that have a safe fix, then check again")
	flags.BoolVar(&f.diff, "diff", false, "show the changes of --fix without making them")
	flags.BoolVar(&f.writeBaseline, "write-baseline", false,
		"write the current findings to "+lint.BaselineFile+", so only new ones are shown")
	flags.BoolVar(&f.prune, "prune", false, "lower the counts in "+lint.BaselineFile+" to what is still found")
	flags.StringVar(&f.config, "config", "",
		"the configuration file (default: "+lint.ConfigFile+" in the library, if it exists)")
	flags.StringVar(&f.stdinFilename, "stdin-filename", "", "the file name of the document on standard input")
	flags.BoolVar(&f.listRules, "list-rules", false, "list the lint rules")
	flags.StringVar(&f.explain, "explain", "", "explain a lint rule")
}

// validate refuses what no check can do, before anything is read. args are the names of files and
// folders. It returns the outputs.
func (f *lintFlags) validate(s command.Streams, args []string) ([]command.Output, error) {
	outputs, err := command.OutputsOf(f.formats, lintFormats())
	if err != nil {
		return nil, err
	}
	if err := f.checkStatistics(outputs); err != nil {
		return nil, err
	}
	if err := f.stepOutputs.Check(s); err != nil {
		return nil, err
	}
	if err := command.CheckFailLevel(f.failLevel); err != nil {
		return nil, err
	}
	if f.show != "" && f.show != command.ShowNotes {
		return nil, fmt.Errorf("--show must be %s, got %q", command.ShowNotes, f.show)
	}
	if f.diff && slices.ContainsFunc(outputs, func(o command.Output) bool { return o.Format != "text" && o.File == "" }) {
		return nil, errors.New("--diff writes to standard output. Write the findings to a file: --format FORMAT=FILE")
	}
	if f.audit && f.base == command.NoBase {
		return nil, errors.New("--audit checks the history, which --base none ignores: remove one of them")
	}
	return outputs, f.checkStdin(args)
}

// checkStatistics refuses --statistics if no output has a place for counts.
func (f *lintFlags) checkStatistics(outputs []command.Output) error {
	if !f.statistics {
		return nil
	}
	var counting []string
	for _, format := range lintFormatTable {
		if format.counts {
			counting = append(counting, format.name)
		}
	}
	if slices.ContainsFunc(outputs, func(o command.Output) bool { return slices.Contains(counting, o.Format) }) {
		return nil
	}
	return fmt.Errorf("--statistics: the format %s has no place for counts. Add --format %s",
		outputs[0].Format, schema.Or(counting, "or"))
}

// checkStdin refuses what can't be done with a document on standard input, which is the path -.
func (f *lintFlags) checkStdin(args []string) error {
	stdin := slices.Contains(args, "-")
	switch {
	case stdin && len(args) > 1:
		return errors.New("- is one document on standard input and can't be combined with other paths")
	case stdin && f.stdinFilename == "":
		return errors.New("--stdin-filename is required with -: the path that the document has, or will have")
	case stdin && f.fix:
		return errors.New("--fix can't change standard input. --diff shows what it would change")
	case !stdin && f.stdinFilename != "":
		return errors.New("--stdin-filename requires the path -, which reads standard input")
	}
	return nil
}

// failingSeverity returns the lowest severity that makes the exit code 1.
func (f *lintFlags) failingSeverity() lint.Severity {
	if f.failLevel == "warning" {
		return lint.Warning
	}
	return lint.Error
}
