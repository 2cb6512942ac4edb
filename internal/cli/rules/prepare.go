package rules

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/rulesets"
	"github.com/rubric-library/rubric-library/internal/rulesets/printer"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

type prepareFlags struct {
	phase, checks, pending string
	own                    bool
}

func (c *rulesCommand) prepareCommand() *cobra.Command {
	p := &prepareFlags{}
	cmd := &cobra.Command{
		Use:  "prepare",
		Args: command.NoArguments(". Set --run to the run file, or --checks to a file of checks"),
		RunE: func(*cobra.Command, []string) error { return c.prepare(p) },
	}
	f := command.InOrder(cmd)
	f.StringVar(&p.phase, "phase", "B", "the phase whose rules are prepared: A, or B for all")
	f.StringVar(&p.checks, "checks", "", "a file that supplies checks, as YAML or JSON")
	f.BoolVar(&p.own, "own-checks", false, "drop the checks that were supplied earlier")
	c.runFlag(cmd)
	f.StringVar(&p.pending, "pending", "", "write the rules that have no checks to a new `FILE`, with checks empty")
	return cmd
}

func (c *rulesCommand) prepare(flags *prepareFlags) error {
	p, err := phase(flags.phase)
	if err != nil {
		return err
	}
	if err := checkPending(flags.pending); err != nil {
		return err
	}
	run, f, err := c.readRun()
	if err != nil {
		return err
	}
	supplied, err := c.readChecks(flags.checks, rulesets.IDs(run.Criteria.Rules))
	if err != nil {
		return err
	}
	before := run.Prepared
	if flags.own {
		before = nil
	}
	run.Prepared = rulesets.Prepare(run.RuleSet(), p, supplied, before)
	if err := checkUseful(run.Prepared); err != nil {
		return err
	}
	data, err := rulesets.SetPrepared(f, run.Prepared)
	if err != nil {
		return fmt.Errorf("%s: %w", c.run, err)
	}
	missing := run.Prepared.Outside
	note := render.Count(len(missing), "rule") +
		" without checks to %s. Fill in the checks of each, remove the rules that no program can verify, and pass the file with --checks"
	blank := pendingRule{Checks: &[]ruleset.Check{}}
	if err := c.writePending(flags.pending, "checks", run.RuleSet(), missing, blank, note); err != nil {
		return err
	}
	if err := safefile.Write(c.run, data, 0o666); err != nil {
		return command.NotWritten(c.run, err)
	}
	return printer.Prepared(c.Out, c.run, run.RuleSet(), run.Prepared, command.Width(c.Out))
}

// checkUseful returns an error for a check that can't find anything out.
func checkUseful(prepared *rulesets.Prepared) error {
	for _, rule := range prepared.Rules {
		for i, check := range rule.Checks {
			if _, problem := rulesets.Useless(&check); problem != "" {
				return fmt.Errorf("check %d of %s: %s", i+1, rule.Rule, problem)
			}
		}
	}
	return nil
}

// pendingRule is an entry of a file of verdicts or checks to fill in, with the words of the
// rule. It has no reason, because an empty one would be a mistake.
type pendingRule struct {
	Rule        string           `json:"rule"`
	Verdict     *string          `json:"verdict,omitempty"`
	Checks      *[]ruleset.Check `json:"checks,omitempty"`
	Description string           `json:"description"`
	Check       string           `json:"check"`
}

// checkPending rejects an existing file: a person may have filled it in.
func checkPending(name string) error {
	if name != "" && command.Exists(name) {
		return fmt.Errorf("%s already exists, and nothing was changed. Write another file with --pending", name)
	}
	return nil
}

// readChecks reads a file with the checks of rules that have these IDs; none if its name is "".
func (c *rulesCommand) readChecks(name string, ids []string) (map[string][]ruleset.Check, error) {
	if name == "" {
		return map[string][]ruleset.Check{}, nil
	}
	read := func(f *source.File) (map[string][]ruleset.Check, []source.Problem) {
		return rulesets.ReadChecks(f, ids)
	}
	checks, _, err := command.Parsed(c.Streams, name, read)
	return checks, err
}

// writePending writes a new file, if it has a name, with an entry for each of the rules, under a
// key. Each entry has the empty field of blank. note says what was written, where, and what for.
func (c *rulesCommand) writePending(
	name, key string, set *ruleset.RuleSet, ids []string, blank pendingRule, note string,
) error {
	if name == "" {
		return nil
	}
	entries := []pendingRule{}
	for _, id := range ids {
		for _, r := range set.Rules {
			if r.ID == id {
				entries = append(entries, pendingRule{id, blank.Verdict, blank.Checks, r.Description, r.Check})
			}
		}
	}
	data, err := render.JSON(map[string]any{key: entries})
	if err == nil {
		err = command.NotWritten(name, safefile.Create(name, data, 0o666))
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Err, "note: wrote "+note+".\n", sanitize.Line(name))
	return err
}
