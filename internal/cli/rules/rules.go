// Package rules has the commands that apply rule sets.
package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/rulesets"
	"github.com/rubric-library/rubric-library/internal/rulesets/printer"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// defaultRun is the run file in the working folder.
const defaultRun = "run.json"

// rulesCommand is one call of rubric rules.
type rulesCommand struct {
	command.Asker
	run     string
	formats []string
}

// Command is the command rules, with its subcommands.
func Command(s command.Streams) *cobra.Command {
	c := &rulesCommand{Asker: command.NewAsker(s)}
	cmd := &cobra.Command{
		Use:  "rules",
		Args: command.UnknownCommand,
		RunE: command.NeedsCommand,
	}
	cmd.AddCommand(c.initCommand(), c.prepareCommand(), c.evaluateCommand(), c.scoreCommand(), c.normalizeCommand())
	return cmd
}

func (c *rulesCommand) runFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.run, "run", defaultRun, "the run file")
}

func (c *rulesCommand) readRun() (*rulesets.Run, *source.File, error) {
	if !command.Exists(c.run) {
		return nil, nil, fmt.Errorf("%s does not exist. `rubric rules init` creates it, or set another with --run", c.run)
	}
	return command.Parsed(c.Streams, c.run, rulesets.ReadRun)
}

// preparedRun reads the run file, whose rules must be prepared for a phase.
func (c *rulesCommand) preparedRun(p ruleset.Phase) (*rulesets.Run, error) {
	run, _, err := c.readRun()
	if err != nil {
		return nil, err
	}
	if run.Prepared == nil {
		return nil, fmt.Errorf("%s has no prepared checks. Run `rubric rules prepare` first", c.run)
	}
	if stale := run.StaleRules(p); len(stale) > 0 {
		return nil, fmt.Errorf("%s %s not prepared for phase %s in %s. Run `rubric rules prepare` again",
			schema.Or(stale, "and"), command.IsOrAre(len(stale)), p, c.run)
	}
	return run, nil
}

// phase is a phase by its letter, in either case.
func phase(letter string) (ruleset.Phase, error) {
	switch p := ruleset.Phase(strings.ToUpper(letter)); p {
	case ruleset.PhaseA, ruleset.PhaseB:
		return p, nil
	case "":
		return "", errors.New("--phase is required: A (the rules of phase A) or B (the rules of both phases)")
	}
	return "", fmt.Errorf("--phase must be A (the rules of phase A) or B (the rules of both phases), got %q", letter)
}

// askLines asks for lines until an empty one. It asks again for an invalid line, or for
// all lines of an answer that is taken as a whole.
func (c *rulesCommand) askLines(q step) error {
	fmt.Fprintf(c.Err, "%s. An empty line ends the list.\n", q.text)
	var all []string
	for {
		fmt.Fprint(c.Err, "> ")
		line, err := c.Line("Use " + q.flag + " instead, or end each list with an empty line")
		switch {
		case err != nil:
			return err
		case line == "" && !q.whole:
			return nil
		case line != "" && q.whole:
			all = append(all, line)
			continue
		case q.whole:
			line = strings.Join(all, "\n")
		}
		if err := q.take(line); err != nil {
			fmt.Fprintln(c.Err, command.InertLines(err.Error()))
			all = nil
		} else if q.whole {
			return nil
		}
	}
}

const changesHelp = `Change the rules, one change per line:
  add {id: a.style.order, description: Sections are in order, severity: warn}
  adjust a.style.order.severity=fail
  remove a.style.order
  threshold 0.9
The rules are shown after each change`

// askChanges shows the rules, and applies changes until an empty line.
func (c *rulesCommand) askChanges(s *rulesets.Setup) error {
	show := func() error { return printer.RunRules(c.Err, s.Rules, s.PassThreshold, command.Width(c.Err)) }
	if err := show(); err != nil {
		return err
	}
	return c.askLines(step{flag: "--add, --adjust, or --remove", text: changesHelp, take: func(line string) error {
		if err := update(s, line); err != nil {
			return err
		}
		return show()
	}})
}

// update applies a line such as "remove a.style.order".
func update(s *rulesets.Setup, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "add":
		rule, err := readRow(rest)
		if err != nil {
			return err
		}
		return s.Add(*rule)
	case "adjust":
		return s.Adjust(rest)
	case "remove":
		return s.Remove(rest)
	case "threshold":
		threshold, err := rulesets.ParseThreshold(rest)
		if err == nil {
			s.PassThreshold = threshold
		}
		return err
	}
	return fmt.Errorf("a change must start with add, adjust, remove, or threshold, got %q", word)
}
