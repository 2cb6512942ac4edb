package cli

import (
	"fmt"
	"maps"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/rulesets/printer"
	"github.com/rubric-library/rubric-library/internal/rulesets/runfile"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

type prepareFlags struct {
	phase, checks string
	own           bool
	judgeFlags
	propose  bool
	artifact string
}

func (c *rulesCommand) prepareCommand() *cobra.Command {
	p := &prepareFlags{}
	cmd := &cobra.Command{
		Use:   "prepare [-- COMMAND]",
		Short: "Replace instructions of rules with checks that a program can run",
		Long: `Replace instructions of rules with checks that a program can run: the checks in
the rule set, or those in a file, which take precedence, also when the run is
prepared again. The checks are written to the run file; the rest of the file is
unchanged.

A rule without checks is listed: it needs a verdict of a judge or a person.
docs/rule-sets.md describes checks.

--propose asks the command after -- for checks of these rules: docs/judge-protocol.md
describes what it reads and writes. Proposals must pass the linter and do what their
examples show. On a terminal, each is shown and used only if you confirm it. Otherwise,
they are written to run.proposals.json, and the run file is not changed: review them,
and pass the file with --checks.`,
		Example: `  rubric rules prepare
  rubric rules prepare --checks checks.yaml --phase A
  rubric rules prepare --propose --artifact artifact.md -- python3 propose.py`,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, command := beforeDash(cmd, args)
			if len(args) > 0 {
				return fmt.Errorf("prepare takes no arguments before --, got %q", args[0])
			}
			p.command.Command = command
			return c.prepare(p)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&p.phase, "phase", "B", "the phase whose rules are prepared: A, or B for all")
	f.StringVar(&p.checks, "checks", "", "a file that supplies checks, as YAML or JSON")
	f.BoolVar(&p.own, "own-checks", false, "drop the checks that were supplied earlier")
	c.runFlag(cmd)
	f.BoolVar(&p.propose, "propose", false, "ask the command after -- for checks of the rules that have none")
	f.StringVar(&p.artifact, "artifact", "", "a file or folder on which proposed checks are tried")
	f.DurationVar(&p.command.TimeLimit, "time-limit", 2*time.Minute, "how long each proposal may take")
	p.judgeFlags.add(cmd, "rule")
	c.flag(cmd)
	return cmd
}

func (c *rulesCommand) prepare(flags *prepareFlags) error {
	p, err := phase(flags.phase)
	if err != nil {
		return err
	}
	if err := flags.checkCommand("--propose", flags.propose); err != nil {
		return err
	}
	if flags.propose && !c.canAsk() && exists(c.beside(proposalsFile)) {
		return fmt.Errorf("%s already exists, and nothing was changed. Use it with --checks, or remove it", c.beside(proposalsFile))
	}
	run, f, err := c.readRun()
	if err != nil {
		return err
	}
	supplied := map[string][]ruleset.Check{}
	if flags.checks != "" {
		supplied, _, err = parsed(c.Streams, flags.checks, func(f *source.File) (map[string][]ruleset.Check, []source.Problem) {
			return runfile.ReadChecks(f, ruleIDs(run.Criteria.Rules))
		})
		if err != nil {
			return err
		}
	}
	before := run.Prepared
	if flags.own {
		before = nil
	}
	run.Prepared = runfile.Prepare(run.RuleSet(), p, supplied, before)
	if flags.propose && len(run.Prepared.Outside) > 0 {
		accepted, confirmed, err := c.propose(flags, run, run.Prepared.Outside)
		if err != nil || !confirmed {
			return err
		}
		maps.Copy(supplied, accepted)
		run.Prepared = runfile.Prepare(run.RuleSet(), p, supplied, before)
	}
	if err := useful(run.Prepared); err != nil {
		return err
	}
	data, err := runfile.SetPrepared(f, run.Prepared)
	if err != nil {
		return fmt.Errorf("%s: %w", c.run, err)
	}
	if err := safefile.Write(c.run, data, 0o666); err != nil {
		return fmt.Errorf("%s could not be written: %w", c.run, safefile.Reason(err))
	}
	return printer.Prepared(c.Out, c.run, run.RuleSet(), run.Prepared)
}

// useful rejects checks that can't run or whose result does not depend on the artifact.
func useful(p *runfile.Prepared) error {
	for _, rule := range p.Rules {
		for i, check := range rule.Checks {
			if problem := useless(&check); problem != "" {
				return fmt.Errorf("check %d of %s: %s", i+1, rule.Rule, problem)
			}
		}
	}
	return nil
}

// useless is the problem with a check, or "".
func useless(c *ruleset.Check) string {
	if c.Type != ruleset.CheckContent {
		return ""
	}
	expression, err := rubric.CompilePattern(c.Pattern, c.IgnoreCase)
	present := c.Expect != ruleset.ExpectAbsent
	switch {
	case err != nil:
		return fmt.Sprintf("the pattern can't be used: %v", err)
	case c.Pattern != "" && expression.MatchString(""):
		return fmt.Sprintf("the pattern %s matches empty text, so it is found in every artifact. Require some text in it", c.Pattern)
	case present && c.MinCount != nil && *c.MinCount == 0 && c.MaxCount == nil:
		return "with min_count 0 and no max_count, the check always passes. Remove min_count or add max_count"
	}
	return ""
}
