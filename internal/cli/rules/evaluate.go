package rules

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/rulesets"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/internal/rulesets/printer"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

var resultFormats = []string{"text", "json", "junit"}

type evaluateFlags struct {
	phase, verdicts  string
	diff             string // a range of commits
	pending          string
	ruleSet, library string
	options          evaluate.Options
	outputs          []command.Output
}

func (c *rulesCommand) evaluateCommand() *cobra.Command {
	e := &evaluateFlags{}
	cmd := &cobra.Command{
		Use: "evaluate [ARTIFACT]",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || (len(args) == 1) == (e.diff != "") {
				return errors.New("evaluate needs one artifact: a file, a folder, or --diff BASE...HEAD")
			}
			return c.evaluate(strings.Join(args, ""), e)
		},
	}
	f := command.InOrder(cmd)
	f.StringVar(&e.phase, "phase", "", "the phase: A, or B for the rules of both")
	f.StringVar(&e.diff, "diff", "", "the artifact: what the commits `BASE..HEAD` change, or BASE...HEAD since their merge base")
	f.StringVar(&e.verdicts, "verdicts", "", "a file with verdicts of a judge or a person, as YAML or JSON")
	f.BoolVar(&e.options.AllowExec, "allow-exec", false, "run the commands of executable checks")
	f.DurationVar(&e.options.TimeLimit, "time-limit", time.Minute, "how long each command or pattern search may take")
	c.runFlag(cmd)
	f.StringVar(&e.pending, "pending", "", "write the verdicts that are still missing to a new `FILE`, with verdict empty")
	command.FormatFlag(cmd, &c.formats, resultFormats)
	return cmd
}

func (c *rulesCommand) evaluate(name string, e *evaluateFlags) error {
	if e.options.TimeLimit <= 0 {
		return fmt.Errorf("--time-limit must be positive, such as 30s, got %v", e.options.TimeLimit)
	}
	if err := checkPending(e.pending); err != nil {
		return err
	}
	p, run, outside, err := c.readGiven(e, c.preparedRun)
	if err != nil {
		return err
	}
	set := run.RuleSet()
	artifact, err := c.artifact(name, e)
	if err != nil {
		return err
	}
	ctx, stop := command.UntilInterrupted()
	defer stop()
	rules, err := evaluate.Rules(ctx, set, p, run.Prepared.Checks(), outside, artifact, e.options)
	if ctx.Err() != nil {
		return errors.New("interrupted: there is no result, and every command was stopped")
	}
	if err != nil {
		return err
	}
	if again, err := c.artifact(name, e); err != nil || again.Digest() != artifact.Digest() {
		return fmt.Errorf("%s changed while it was evaluated, so there is no result. Use only commands that don't change the artifact", cmp.Or(name, e.diff))
	}
	var missing []string
	for _, r := range rules {
		if r.Source == evaluate.SourceNone {
			missing = append(missing, r.ID)
		}
	}
	note := fmt.Sprintf("%s that %s missing to %%s. Fill in each verdict (pass, fail, or skipped), add a reason, and pass the file with --verdicts",
		render.Count(len(missing), "verdict"), command.IsOrAre(len(missing)))
	if err := c.writePending(e.pending, "verdicts", set, missing, pendingRule{Verdict: new("")}, note); err != nil {
		return err
	}
	return c.report(run, rules, &printer.File{File: cmp.Or(name, e.diff), Digest: artifact.Digest()}, p, e)
}

// readGiven reads the flags that evaluate and score share: the phase, the run, and the verdicts.
func (c *rulesCommand) readGiven(
	e *evaluateFlags, open func(ruleset.Phase) (*rulesets.Run, error),
) (p ruleset.Phase, run *rulesets.Run, verdicts map[string]ruleset.Result, err error) {
	if p, err = phase(e.phase); err != nil {
		return p, nil, nil, err
	}
	if e.outputs, err = command.OutputsOf(c.formats, resultFormats); err != nil {
		return p, nil, nil, err
	}
	if run, err = open(p); err == nil {
		verdicts, err = c.readVerdicts(e.verdicts, run.RuleSet(), p)
	}
	return p, run, verdicts, err
}

// artifact reads the file or folder with a name, without the files that the command reads and
// writes, or what commits change.
func (c *rulesCommand) artifact(name string, e *evaluateFlags) (*evaluate.Artifact, error) {
	if e.diff == "" {
		// These contain what checks search for.
		others := []string{c.run, e.verdicts, e.pending}
		for _, o := range e.outputs {
			others = append(others, o.File)
		}
		return evaluate.ReadArtifact(name, others...)
	}
	repo, err := gitrepo.Open(".")
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	return evaluate.ReadDiff(repo, e.diff)
}

// report scores the rules and prints the result. It fails if the artifact does.
func (c *rulesCommand) report(
	run *rulesets.Run, rules []evaluate.RuleResult, artifact *printer.File, p ruleset.Phase, f *evaluateFlags,
) error {
	results := map[string]ruleset.Result{}
	for _, r := range rules {
		results[r.ID] = r.Result
	}
	score, err := run.RuleSet().Score(p, results)
	if err != nil {
		return err
	}
	e := printer.NewEvaluation(run, rules, &score)
	e.Artifact = artifact
	if f.ruleSet == "" {
		digest, err := run.Digest()
		if err != nil {
			return err
		}
		e.Run = &printer.File{File: c.run, Digest: digest}
	}
	err = command.PrintOutputs(c.Out, f.outputs, func(w io.Writer, format string) error {
		switch format {
		case "json":
			return render.WriteJSON(w, e)
		case "junit":
			return printer.EvaluationJUnit(w, e)
		}
		return printer.EvaluationText(w, e, c.TextOptions(w, ""))
	})
	if err == nil && !score.Passed {
		return command.ErrFindings
	}
	return err
}

// readVerdicts reads the verdicts of the rules that are active in a phase, and notes
// on the error stream how many others there are.
func (c *rulesCommand) readVerdicts(
	name string, set *ruleset.RuleSet, p ruleset.Phase,
) (map[string]ruleset.Result, error) {
	if name == "" {
		return nil, nil
	}
	all, _, err := command.Parsed(c.Streams, name, func(f *source.File) (map[string]ruleset.Result, []source.Problem) {
		return rulesets.ReadVerdicts(f, rulesets.IDs(set.Rules))
	})
	if err != nil {
		return nil, err
	}
	active := map[string]ruleset.Result{}
	for _, rule := range set.Active(p) {
		if result, ok := all[rule.ID]; ok {
			active[rule.ID] = result
		}
	}
	if idle := len(all) - len(active); idle > 0 {
		fmt.Fprintf(c.Err, "note: ignored %d of %d verdicts: their rules are not active in phase %s.\n", idle, len(all), p)
	}
	return active, nil
}

func (c *rulesCommand) scoreCommand() *cobra.Command {
	e := &evaluateFlags{}
	cmd := &cobra.Command{
		Use:  "score VERDICTS",
		Args: command.Arguments(1, 1, "a file of verdicts"),
		RunE: func(cmd *cobra.Command, args []string) error {
			e.verdicts = args[0]
			if e.ruleSet != "" && cmd.Flags().Changed("run") {
				return errors.New("--run and --rule-set can't be combined: the rules come from one of them")
			}
			return c.score(e)
		},
	}
	f := command.InOrder(cmd)
	f.StringVar(&e.phase, "phase", "", "the phase: A, or B for the rules of both")
	c.runFlag(cmd)
	f.StringVar(&e.ruleSet, "rule-set", "", "a rule set of the library instead of a run: ID or ID@CONSTRAINT")
	f.StringVar(&e.library, "library", "", "the library, a bundle or a folder (default: the one that contains the working folder)")
	command.FormatFlag(cmd, &c.formats, resultFormats)
	return cmd
}

func (c *rulesCommand) score(e *evaluateFlags) error {
	p, run, results, err := c.readGiven(e, func(ruleset.Phase) (*rulesets.Run, error) {
		if e.ruleSet == "" {
			run, _, err := c.readRun()
			return run, err
		}
		from, err := command.FindLibrary(command.Place{From: e.library, Advice: "Set --library to a bundle or a folder"}, nil)
		if err != nil {
			return nil, err
		}
		var run *rulesets.Run
		err = c.ReadLibrary(from, func(l *command.Opened) error {
			run, err = c.runOf(l, e.ruleSet)
			return err
		})
		return run, err
	})
	if err != nil {
		return err
	}
	var rules []evaluate.RuleResult
	for _, rule := range run.RuleSet().Active(p) {
		if result, ok := results[rule.ID]; ok {
			rules = append(rules, evaluate.RuleResult{ID: rule.ID, Result: result, Source: evaluate.SourceOutside})
		}
	}
	return c.report(run, rules, nil, p, e)
}
