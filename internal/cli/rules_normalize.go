package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/rulesets/normalize"
	"github.com/rubric-library/rubric-library/internal/rulesets/printer"
	"github.com/rubric-library/rubric-library/internal/rulesets/runfile"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

var ruleFormats = []string{"json", "yaml"}

func (c *rulesCommand) normalizeCommand() *cobra.Command {
	var section, stdinFilename string
	var constraints []string
	cmd := &cobra.Command{
		Use:   "normalize FILE",
		Short: "Expand shorthand rows to full rules",
		Long: `Expand shorthand rows to full rules. The rows are in the tables of a Markdown file,
or in YAML or JSON. A missing weight follows from the severity, and a missing phase
from the ID. A row without a check needs a constraint: the instruction for this task.

FILE is Markdown if its name ends in .md or .markdown, and - is standard input.
--format yaml writes rules that can be pasted into a rule set.

Exit codes: 0 done, 1 there are mistakes in the rows, 2 the file could not be read.`,
		Example: `  rubric rules normalize CRITERIA-TEMPLATES.md --section "API design"
  rubric rules normalize rows.yaml --constraint "a.correctness.endpoints=Look for GET /orders"
  rubric rules normalize - --stdin-filename rows.md <rows.md --format yaml`,
		Args: arguments(1, 1, "a file of rows, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			outputs, err := outputsOf(c.formats, ruleFormats)
			if err != nil {
				return err
			}
			var f *source.File
			if args[0] == "-" {
				f, err = readAll(stdinFilename, c.In)
			} else {
				f, err = readInput(args[0])
			}
			if err != nil {
				return err
			}
			rules, alone, err := c.normalized(f, section, constraints)
			if errors.Is(err, errWrongInput) {
				return errFindings
			}
			if err != nil {
				return err
			}
			return printOutputs(c.Out, outputs, func(w io.Writer, format string) error {
				return printer.NormalizedRules(w, rules, alone, format)
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&section, "section", "", "the heading above the rows in a Markdown file")
	f.StringArrayVar(&constraints, "constraint", nil, "the instruction of a rule that has none: `ID=TEXT` (repeatable)")
	f.StringVar(&stdinFilename, "stdin-filename", "rows.yaml", "the name of standard input in messages, whose extension determines the format")
	formatFlag(cmd, &c.formats, ruleFormats)
	return cmd
}

// normalized expands the rows of a file, and reports whether it contains one rule
// instead of a list. If it prints mistakes, the error is errWrongInput.
func (c *rulesCommand) normalized(f *source.File, section string, constraints []string) (rules []ruleset.Rule, alone bool, err error) {
	supplied, err := parseConstraints(constraints)
	if err != nil {
		return nil, false, err
	}
	if section != "" && !isMarkdown(f.Path) {
		return nil, false, fmt.Errorf("--section requires a Markdown file, got %s", f.Path)
	}
	rows, problems := rowsOf(f, section)
	rules, more := normalize.Rules(rows, supplied)
	if problems = append(problems, more...); len(problems) > 0 {
		return nil, false, c.refuse(f, problems)
	}
	return rules, len(rows) == 1 && rows[0].Alone, nil
}

// rowsOf reads the rows of a Markdown, YAML, or JSON file.
func rowsOf(f *source.File, section string) ([]normalize.Row, []source.Problem) {
	if isMarkdown(f.Path) {
		return normalize.Markdown(f, section)
	}
	return normalize.YAML(f)
}

func isMarkdown(name string) bool {
	return slices.Contains([]string{".md", ".markdown"}, strings.ToLower(filepath.Ext(name)))
}

// parseConstraints reads ID=TEXT.
func parseConstraints(constraints []string) (map[string]string, error) {
	supplied := map[string]string{}
	for _, constraint := range constraints {
		id, text, found := strings.Cut(constraint, "=")
		id = strings.TrimSpace(id)
		switch {
		case !found || id == "":
			return nil, fmt.Errorf("--constraint must be ID=TEXT, such as a.correctness.endpoints=Look for GET /orders, got %q", constraint)
		case supplied[id] != "":
			return nil, fmt.Errorf("--constraint is set twice for %s. Combine both in one", id)
		}
		supplied[id] = strings.TrimSpace(text)
	}
	return supplied, nil
}

func (c *rulesCommand) prepareCommand() *cobra.Command {
	var letter, checks string
	cmd := &cobra.Command{
		Use:   "prepare",
		Short: "Replace instructions of rules with checks that a program can run",
		Long: `Replace instructions of rules with checks that a program can run: the checks in
the rule set, or those in a file, which take precedence. The checks are written to
the run file; the rest of the file is unchanged.

A rule without checks is listed: it needs a verdict of a judge or a person.
docs/rule-sets.md describes checks.`,
		Example: `  rubric rules prepare
  rubric rules prepare --checks checks.yaml --phase A`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return c.prepare(letter, checks) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&letter, "phase", "B", "the phase whose rules are prepared: A, or B for all")
	cmd.Flags().StringVar(&checks, "checks", "", "a file that supplies checks, as YAML or JSON")
	c.runFlag(cmd)
	return cmd
}

func (c *rulesCommand) prepare(letter, checksFile string) error {
	p, err := phase(letter)
	if err != nil {
		return err
	}
	run, f, err := c.readRun()
	if err != nil {
		return err
	}
	supplied := map[string][]ruleset.Check{}
	if checksFile != "" {
		supplied, _, err = parsed(c.Streams, checksFile, func(f *source.File) (map[string][]ruleset.Check, []source.Problem) {
			return runfile.ReadChecks(f, ruleIDs(run.Criteria.Rules))
		})
		if err != nil {
			return err
		}
	}
	run.Prepared = runfile.Prepare(run.RuleSet(), p, supplied)
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
	return printer.Prepared(c.Out, c.run, run.RuleSet(), run.Prepared, supplied)
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
