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

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// lintCommand is one call of rubric-lint.
type lintCommand struct {
	command.Streams

	formats       []string
	show          string
	base          string
	rev           string
	steps         string // --range
	audit         bool
	failLevel     string
	statistics    bool
	config        string
	stdinFilename string
	explain       string
	fix, diff     bool
	writeBaseline bool
	prune         bool
	listRules     bool
	stepOutputs   command.StepOutputs

	outputs []command.Output
	library *command.Paths
	// documents are what is checked outside of a library, or nil.
	documents *documents
	span      *change.Range // nil without --range
	fsys      fs.FS
	opts      lint.Options
}

// Lint is the command rubric-lint.
func Lint(s command.Streams) *cobra.Command {
	l := &lintCommand{Streams: s}
	cmd := &cobra.Command{
		Use: "rubric-lint [PATH...]",
		// A commit can't be changed, and a baseline counts what fixes leave.
		PreRunE: command.Conflicts(
			"rev range fix diff write-baseline prune stdin-filename",
			"range base audit fix diff write-baseline prune stdin-filename",
			"fix diff write-baseline prune",
			"diff write-baseline prune",
			"write-baseline prune",
		),
		RunE: func(cmd *cobra.Command, args []string) error { return l.run(cmd, args) },
	}
	f := command.InOrder(cmd)
	command.FormatFlag(cmd, &l.formats, lintFormats())
	f.StringVar(&l.show, "show", "", "notes: list notes in the text format, which otherwise only counts them")
	f.StringVar(&l.base, "base", "", "the revision to compare versions with, or none")
	f.StringVar(&l.rev, "rev", "", "check this commit instead of the working tree")
	f.StringVar(&l.steps, "range", "", "check every commit in `OLD..NEW`, as a server does for a push")
	f.BoolVar(&l.audit, "audit", false, "also check every step of the first-parent history")
	command.FailLevelFlag(cmd, &l.failLevel)
	f.BoolVar(&l.statistics, "statistics", false, "also count the findings of each lint rule, most first")
	l.stepOutputs.Flag(cmd, "errors, warnings, and findings (numbers), and base (the commit since which the library changed)")
	f.BoolVar(&l.fix, "fix", false, "fix findings that have a safe fix, then check again")
	f.BoolVar(&l.diff, "diff", false, "show the changes of --fix without making them")
	f.BoolVar(&l.writeBaseline, "write-baseline", false, "write the current findings to "+lint.BaselineFile+", so only new ones are shown")
	f.BoolVar(&l.prune, "prune", false, "lower the counts in "+lint.BaselineFile+" to what is still found")
	f.StringVar(&l.config, "config", "", "the configuration file (default: "+lint.ConfigFile+" in the library, if it exists)")
	f.StringVar(&l.stdinFilename, "stdin-filename", "", "the file name of the document on standard input")
	f.BoolVar(&l.listRules, "list-rules", false, "list the lint rules")
	f.StringVar(&l.explain, "explain", "", "explain a lint rule")
	return command.Describe(cmd)
}

func (l *lintCommand) run(cmd *cobra.Command, args []string) error {
	// A library of 100,000 rubrics takes less than 1 GB.
	debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), 900<<20))
	switch {
	case l.listRules:
		return printer.Rules(l.Out, cmd.CommandPath(), rules.All(), command.Width(l.Out))
	case cmd.Flags().Changed("explain"):
		return l.explainRule(cmd.CommandPath())
	}
	if err := l.prepare(args); err != nil {
		return err
	}
	if l.opts.History != nil {
		defer l.opts.History.Repo.Close()
	}
	if l.writeBaseline || l.prune {
		if err := l.renewBaseline(); err != nil {
			return err
		}
	}
	report, err := l.check(l.opts)
	if err != nil {
		return err
	}
	var failed error
	if l.fix || l.diff {
		if report, failed = l.fixFindings(report); report == nil {
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
	if slices.ContainsFunc(report.Findings, func(f lint.Finding) bool { return f.Severity >= l.failing() }) {
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

// prepare validates the flags, finds the library, and loads its configuration.
func (l *lintCommand) prepare(args []string) (err error) {
	if l.outputs, err = command.OutputsOf(l.formats, lintFormats()); err != nil {
		return err
	}
	if err := l.checkStatistics(); err != nil {
		return err
	}
	if err := l.stepOutputs.Check(l.Streams); err != nil {
		return err
	}
	if err := command.CheckFailLevel(l.failLevel); err != nil {
		return err
	}
	if l.show != "" && l.show != command.ShowNotes {
		return fmt.Errorf("--show must be %s, got %q", command.ShowNotes, l.show)
	}
	if l.diff && slices.ContainsFunc(l.outputs, func(o command.Output) bool { return o.Format != "text" && o.File == "" }) {
		return errors.New("--diff writes to standard output. Write the findings to a file: --format FORMAT=FILE")
	}
	stdin := slices.Contains(args, "-")
	switch {
	case stdin && len(args) > 1:
		return errors.New("- is one document on standard input and can't be combined with other paths")
	case stdin && l.stdinFilename == "":
		return errors.New("--stdin-filename is required with -: the path that the document has, or will have")
	case stdin && l.fix:
		return errors.New("--fix can't change standard input. --diff shows what it would change")
	case !stdin && l.stdinFilename != "":
		return errors.New("--stdin-filename requires the path -, which reads standard input")
	case stdin:
		args = []string{l.stdinFilename}
	}
	if err := l.open(args); err != nil {
		return err
	}
	if (l.writeBaseline || l.prune) && len(l.library.Only) > 0 {
		return errors.New("a baseline counts the findings of the whole library. Remove the files and folders")
	}
	if stdin {
		if err := l.readStdin(); err != nil {
			return err
		}
	}
	l.opts.Failing = l.failing()
	if l.opts.Config, err = l.loadConfig(l.fsys); err != nil || l.documents != nil {
		return err
	}
	if err := l.loadBaseline(); err != nil {
		return err
	}
	return l.compareWith()
}

// open finds the library: in a commit with --rev and --range, or else on disk.
func (l *lintCommand) open(args []string) (err error) {
	if l.rev != "" || l.steps != "" {
		return l.openRevision(args)
	}
	d, err := documentsOf(args, l.stdinFilename)
	if err != nil {
		return err
	}
	if d != nil {
		return l.openDocuments(d)
	}
	if l.library, err = command.FindLibrary(args, l.stdinFilename); err != nil && len(args) == 0 {
		return fmt.Errorf("%w. To check files on their own, name them: rubric lint FILE", err)
	} else if err != nil {
		return err
	}
	files := gitrepo.NewWorkTree(l.library.Root)
	l.fsys = files
	l.opts = lint.Options{Only: l.library.Only, Ignored: files.Ignored}
	if root, folder, found := l.library.Repository(); found && len(l.library.Only) == 0 {
		l.opts.Repository = &lint.Repository{Files: gitrepo.NewWorkTree(root), Folder: folder}
	}
	return nil
}

// readStdin reads the document on standard input instead of the named file.
func (l *lintCommand) readStdin() error {
	only := l.library.Only
	if l.documents != nil {
		only = l.documents.names
	}
	if _, isDir, _ := command.Locate(l.stdinFilename); isDir || len(only) != 1 || l.documents == nil && !strings.HasPrefix(only[0], lint.Root+"/") {
		return fmt.Errorf("--stdin-filename must name a file in %s/", lint.Root)
	}
	f, err := command.ReadAll("standard input", l.In)
	if err != nil {
		return err
	}
	l.opts.Instead = map[string][]byte{only[0]: f.Data}
	return nil
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

// explainRule explains the rule of --explain. program is how the command was called.
func (l *lintCommand) explainRule(program string) error {
	if rule := rules.Find(l.explain); rule != nil {
		return printer.Explain(l.Out, rule)
	}
	if slices.Contains(lint.Removed, l.explain) {
		_, err := fmt.Fprintf(l.Out, "The lint rule %s was removed. A configuration, an ignore comment, or a baseline that names it gets a note.\n", l.explain)
		return err
	}
	var ids, family []string
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
		if strings.EqualFold(fmt.Sprint(r.Family), l.explain) {
			family = append(family, r.ID)
		}
	}
	if len(family) > 0 {
		return fmt.Errorf("%q is a group of lint rules. Name one of them: %s", l.explain, strings.Join(family, ", "))
	}
	return fmt.Errorf("unknown lint rule %q%s\n`%s --list-rules` lists them", l.explain, suggest.Question(". Did you mean %q?", l.explain, ids), program)
}
