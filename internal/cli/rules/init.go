package rules

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/rulesets"
	"github.com/rubric-library/rubric-library/internal/rulesets/printer"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

type initFlags struct {
	library     string
	answersFile string
	force       bool
	threshold   string
	added       []string // rows
	ideal       []string // statements
	answers     rulesets.Answers
}

func (c *rulesCommand) initCommand() *cobra.Command {
	n := &initFlags{}
	a := &n.answers
	cmd := &cobra.Command{
		Use:  "init",
		Args: command.NoArguments(". Set --task-type to the type of the task, --rule-set to the ID of a rule set, or --template to a file of rows"),
		RunE: func(*cobra.Command, []string) error { return c.init(n) },
	}
	f := command.InOrder(cmd)
	f.StringVar(&a.TaskType, "task-type", "", "the task type, which selects the base template, such as api_design")
	f.StringVar(&a.RuleSet, "rule-set", "", "the base template: ID or ID@CONSTRAINT")
	f.StringVar(&a.Template, "template", "", "a Markdown or YAML file of shorthand rows, instead of a rule set")
	f.StringVar(&a.Section, "section", "", "the heading above the rows in the Markdown file")
	f.StringArrayVar(&a.MandatoryChecks, "mandatory", nil,
		"what must hold: the ID of a rule, ID=TEXT, or `TEXT` (repeatable)")
	f.StringArrayVar(&a.QualityPreferences, "preference", nil,
		"what should hold: the ID of a rule, ID=TEXT, or `TEXT` (repeatable)")
	f.StringArrayVar(&n.ideal, "ideal-result", nil, "a `STATEMENT` about the ideal result (repeatable)")
	f.StringArrayVar(&a.Constraints, "constraint", nil, "the instruction of a rule that has none: `ID=TEXT` (repeatable)")
	f.StringArrayVar(&n.added, "add", nil, "a `RULE` to add, as in a rule set: '{id: …, description: …, severity: warn}' (repeatable)")
	f.StringArrayVar(&a.Remove, "remove", nil, "the `ID` of a rule to remove (repeatable)")
	f.StringArrayVar(&a.Adjust, "adjust", nil, "a change to a rule: `ID.FIELD=VALUE` (repeatable)")
	f.StringVar(&n.threshold, "pass-threshold", "",
		"the lowest score that passes, a `NUMBER` from 0 to 1 (default: from the rule set)")
	f.StringVar(&n.answersFile, "answers", "", "a file of answers, as YAML or JSON")
	f.StringVar(&n.library, "library", "", "the library, a bundle or a folder (default: the one that contains the working folder)")
	c.runFlag(cmd)
	f.BoolVar(&n.force, "force", false, "replace an existing run file")
	c.Flag(cmd)
	return cmd
}

func (c *rulesCommand) init(n *initFlags) error {
	if !n.force && command.Exists(c.run) {
		return fmt.Errorf("%s already exists, and nothing was changed. Write another file with --run, or replace it with --force", c.run)
	}
	if err := c.readAnswers(n); err != nil {
		return err
	}
	run, err := c.baseTemplate(n)
	if err != nil {
		return err
	}
	if t := n.answers.PassThreshold; t != nil {
		run.Criteria.PassThreshold = *t
	}
	s := rulesets.New(run.Criteria.Rules, run.Criteria.PassThreshold)
	if c.CanAsk() {
		base := run.RuleSet()
		name := cmp.Or(n.answers.Template, base.ID+" "+base.Version)
		if err := printer.BaseTemplate(c.Err, name, s.Rules, command.Width(c.Err)); err != nil {
			return err
		}
	}
	if err := c.setUp(s, n); err != nil {
		return err
	}
	run.SchemaVersion, run.Task.IdealResult = rulesets.SchemaVersion, s.IdealResult
	run.Criteria.PassThreshold, run.Criteria.Rules = s.PassThreshold, s.Rules
	if err := c.writeRun(run, n.force); err != nil {
		return err
	}
	return printer.RunMade(c.Out, c.run, run)
}

// writeRun writes the run file after checking that it can be read again.
func (c *rulesCommand) writeRun(run *rulesets.Run, force bool) error {
	data, err := render.JSON(run)
	if err != nil {
		return err
	}
	f := source.NewFile(c.run, data)
	if _, problems := rulesets.ReadRun(f); len(problems) > 0 {
		return c.Refuse(f, problems)
	}
	write := safefile.Create
	if force {
		write = safefile.Write
	}
	return command.NotWritten(c.run, write(c.run, data, 0o666))
}

// readAnswers reads the answers that no flag sets from the file of answers. Lists are
// joined, with the file's first.
func (c *rulesCommand) readAnswers(n *initFlags) error {
	a := &n.answers
	a.IdealResult = strings.Join(n.ideal, "\n")
	if n.threshold != "" {
		threshold, err := rulesets.ParseThreshold(n.threshold)
		if err != nil {
			return err
		}
		a.PassThreshold = &threshold
	}
	for _, row := range n.added {
		rule, err := readRow(row)
		if err != nil {
			return err
		}
		a.Add = append(a.Add, *rule)
	}
	if n.answersFile == "" {
		return nil
	}
	file, _, err := command.Parsed(c.Streams, n.answersFile, rulesets.ReadAnswers)
	if err != nil {
		return err
	}
	if a.TaskType+a.RuleSet+a.Template+a.Section == "" {
		a.TaskType, a.RuleSet, a.Template, a.Section = file.TaskType, file.RuleSet, file.Template, file.Section
	}
	a.IdealResult = cmp.Or(a.IdealResult, file.IdealResult)
	a.PassThreshold = cmp.Or(a.PassThreshold, file.PassThreshold)
	// An empty list of the file is an answer: it stays one.
	a.MandatoryChecks = append(file.MandatoryChecks, a.MandatoryChecks...)
	a.QualityPreferences = append(file.QualityPreferences, a.QualityPreferences...)
	a.Constraints = append(file.Constraints, a.Constraints...)
	a.Remove = append(file.Remove, a.Remove...)
	a.Adjust = append(file.Adjust, a.Adjust...)
	a.Add = append(file.Add, a.Add...)
	return nil
}

// readRow reads the rule of --add, which is one of those to add in a file of answers.
func readRow(row string) (*ruleset.Rule, error) {
	answers, problems := rulesets.ReadAnswers(source.NewFile("--add.yaml",
		[]byte("add:\n- "+strings.ReplaceAll(row, "\n", "\n  "))))
	if len(problems) > 0 {
		return nil, fmt.Errorf("--add %s: %s", row, problems[0].Message)
	}
	return &answers.Add[0], nil
}

// setUp applies the answers: those of the flags and the file, and on a terminal those
// to questions.
func (c *rulesCommand) setUp(s *rulesets.Setup, n *initFlags) error {
	a := &n.answers
	var ideal []string
	if strings.TrimSpace(a.IdealResult) != "" {
		ideal = []string{a.IdealResult}
	}
	for _, step := range []step{
		{
			flag: "--mandatory", text: "What must hold? Enter the ID of a rule above or a statement",
			answers: a.MandatoryChecks, take: s.AddMandatory,
		},
		{
			flag:    "--preference",
			text:    "What should hold, without blocking? Enter the ID of a rule above or a statement",
			answers: a.QualityPreferences,
			take:    s.Preference,
		},
		{
			flag: "--ideal-result", text: "What is the ideal result? Enter one statement per line", answers: ideal,
			take: s.SetIdeal, whole: true,
		},
	} {
		if step.answers == nil && c.CanAsk() {
			if err := c.askLines(step); err != nil {
				return err
			}
		} else if err := takeAll(step.flag, step.answers, step.take); err != nil {
			return err
		}
	}
	if c.CanAsk() && a.Add == nil && a.Adjust == nil && a.Remove == nil {
		return c.askChanges(s)
	}
	if err := takeAll("--add", a.Add, s.Add); err != nil {
		return err
	}
	if err := takeAll("--adjust", a.Adjust, s.Adjust); err != nil {
		return err
	}
	return takeAll("--remove", a.Remove, s.Remove)
}

// step is a question whose answer is any number of lines.
type step struct {
	flag, text string
	// answers is nil if there is no answer yet.
	answers []string
	take    func(string) error
	// whole passes all lines to take at once.
	whole bool
}

// takeAll takes the answers one after the other. The error names the flag, which is
// also the key in a file of answers.
func takeAll[T any](flag string, answers []T, take func(T) error) error {
	for _, answer := range answers {
		if err := take(answer); err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
	}
	return nil
}
