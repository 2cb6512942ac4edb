package rules

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/layout"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/rulesets"
	"github.com/rubric-library/rubric-library/internal/rulesets/normalize"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// baseTemplate is a run with the rules of the template that the answers name: a file of rows,
// a rule set, or the rule set for a task type.
func (c *rulesCommand) baseTemplate(n *initFlags) (*rulesets.Run, error) {
	a := &n.answers
	switch {
	case a.Template != "" && a.RuleSet != "":
		return nil, errors.New("--template and --rule-set can't be combined: a run has one base template")
	case a.Template != "":
		return c.templateOfFile(n)
	case a.Section != "":
		return nil, errors.New("--section requires --template: the Markdown file with the heading")
	}
	constraints, err := parseConstraints(a.Constraints)
	if err != nil {
		return nil, err
	}
	if len(constraints) > 0 {
		return nil, errors.New("--constraint requires --template: every rule of a rule set already has an instruction. Change it with --adjust ID.check=TEXT")
	}
	from, err := command.FindLibrary(command.Place{
		From: n.library, Advice: "Set --library to a bundle or a folder, or --template to a file of rows",
	}, nil)
	if err != nil {
		return nil, err
	}
	var run *rulesets.Run
	err = c.ReadLibrary(from, func(l *command.Opened) error {
		chosen, err := c.chooseRuleSet(l, n)
		if err == nil {
			run, err = c.runOf(l, chosen)
		}
		return err
	})
	return run, err
}

// chooseRuleSet is the named rule set, or the one for the task type.
func (c *rulesCommand) chooseRuleSet(l *command.Opened, n *initFlags) (string, error) {
	a := &n.answers
	if a.RuleSet != "" {
		return a.RuleSet, nil
	}
	matches, err := l.Search(library.Query{Kind: library.KindRuleSet})
	if err != nil {
		return "", err
	}
	types := map[string][]string{} // the IDs of the rule sets that a new run can use
	for _, m := range matches {
		types[m.ArtifactType] = append(types[m.ArtifactType], m.ID)
	}
	names := slices.Sorted(maps.Keys(types))
	if len(names) == 0 {
		return "", errors.New("the library has no rule set. Set --library to another library, or --template to a file of rows")
	}
	if a.TaskType == "" && !c.CanAsk() {
		return "", fmt.Errorf("--task-type is required: the library has rule sets for %s", schema.Or(names, "and"))
	}
	err = c.Answer(&command.Question{
		Flag: "--task-type", Text: "Task type: " + strings.Join(names, ", "), Value: &a.TaskType,
		Check: func(t string) error {
			if len(types[t]) > 0 {
				return nil
			}
			return fmt.Errorf("the library has no rule set for the task type %s.%s It has rule sets for %s",
				schema.Quote(t), schema.DidYouMean(t, names), schema.Or(names, "and"))
		},
	})
	if err != nil {
		return "", err
	}
	found := types[a.TaskType]
	if len(found) == 1 {
		return found[0], nil
	}
	return "", fmt.Errorf("the library has several rule sets for %s: set --rule-set to %s",
		a.TaskType, schema.Or(found, "or"))
}

// runOf is a run of the rules of a rule set, by ID or ID@CONSTRAINT. It warns on the error
// stream if the rule set is retired or deprecated.
func (c *rulesCommand) runOf(l *command.Opened, text string) (*rulesets.Run, error) {
	found, d, err := c.Find(l, text)
	if err != nil {
		return nil, err
	}
	if d.RuleSet == nil {
		return nil, fmt.Errorf("%s is a rubric, but a rule set is needed", found.ID)
	}
	entry, err := l.Entry(found.ID)
	if err != nil {
		return nil, err
	}
	if entry.Deprecated != nil {
		fmt.Fprintf(c.Err, "warning: %s is deprecated: %s\n", found.ID, sanitize.Line(entry.Deprecated.Reason))
	}
	return &rulesets.Run{
		Task: rulesets.Task{Type: d.RuleSet.ArtifactType},
		Criteria: rulesets.Criteria{
			RuleSet:       &rulesets.RuleSetReference{ID: found.ID, Version: found.Version, Digest: found.Digest},
			PassThreshold: d.RuleSet.Scoring.PassThreshold, Rules: d.RuleSet.Rules,
		},
	}, nil
}

func (c *rulesCommand) templateOfFile(n *initFlags) (*rulesets.Run, error) {
	a := &n.answers
	if err := c.askThreshold(a); err != nil {
		return nil, err
	}
	f, err := command.ReadInput(a.Template)
	if err != nil {
		return nil, err
	}
	if err := c.askChecks(f, a); err != nil {
		return nil, err
	}
	rules, _, err := c.normalizeFile(f, a.Section, a.Constraints)
	if err != nil {
		return nil, err
	}
	template := &rulesets.TemplateReference{
		File: filepath.ToSlash(a.Template), Section: a.Section, Digest: fmt.Sprintf("sha256:%x", sha256.Sum256(f.Data)),
	}
	return &rulesets.Run{
		Task:     rulesets.Task{Type: a.TaskType},
		Criteria: rulesets.Criteria{Template: template, PassThreshold: *a.PassThreshold, Rules: rules},
	}, nil
}

func (c *rulesCommand) askThreshold(a *rulesets.Answers) error {
	if a.PassThreshold != nil {
		return nil
	}
	var said string
	var threshold float64
	err := c.Answer(&command.Question{
		Flag: "--pass-threshold", Text: "The lowest score that passes, from 0 to 1, such as 0.8", Value: &said,
		Check: func(text string) (err error) {
			threshold, err = rulesets.ParseThreshold(text)
			return err
		},
	})
	a.PassThreshold = &threshold
	return err
}

// askChecks asks on a terminal for the checks of rows that have none. Without a
// terminal, normalizing reports missing checks.
func (c *rulesCommand) askChecks(f *source.File, a *rulesets.Answers) error {
	rows, problems := rowsOf(f, a.Section)
	if len(problems) > 0 || !c.CanAsk() {
		return nil
	}
	supplied, err := parseConstraints(a.Constraints)
	if err != nil {
		return err
	}
	for _, row := range rows {
		id := row.ID()
		if row.Field("check") != nil || id == "" || supplied[id] != "" {
			continue
		}
		var check string
		err := c.Answer(&command.Question{
			Flag: "--constraint " + id + "=TEXT", Text: "How is " + id + " verified", Value: &check,
			Check: func(string) error { return nil },
		})
		if err != nil {
			return err
		}
		a.Constraints = append(a.Constraints, id+"="+check)
	}
	return nil
}

var ruleFormats = []string{"json", "yaml"}

func (c *rulesCommand) normalizeCommand() *cobra.Command {
	var section, stdinFilename string
	var constraints []string
	cmd := &cobra.Command{
		Use:  "normalize FILE",
		Args: command.Arguments(1, 1, "a file of rows, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			outputs, err := command.OutputsOf(c.formats, ruleFormats)
			if err != nil {
				return err
			}
			var f *source.File
			if args[0] == "-" {
				f, err = command.ReadAll(stdinFilename, c.In)
			} else {
				f, err = command.ReadInput(args[0])
			}
			if err != nil {
				return err
			}
			rules, alone, err := c.normalizeFile(f, section, constraints)
			if errors.Is(err, command.ErrWrongInput) {
				return command.ErrFindings
			}
			if err != nil {
				return err
			}
			return command.PrintOutputs(c.Out, outputs, func(w io.Writer, format string) error {
				data := normalize.EncodeJSON(rules, alone)
				if format == "yaml" {
					data = asYAML(rules)
				}
				_, err := w.Write(data)
				return err
			})
		},
	}
	f := command.InOrder(cmd)
	f.StringVar(&section, "section", "", "the heading above the rows in a Markdown file")
	f.StringArrayVar(&constraints, "constraint", nil, "the instruction of a rule that has none: `ID=TEXT` (repeatable)")
	f.StringVar(&stdinFilename, "stdin-filename", "rows.yaml",
		"the name of standard input in messages, whose extension determines the format")
	command.FormatFlag(cmd, &c.formats, ruleFormats)
	return cmd
}

// asYAML are rules as the key rules of a rule set.
func asYAML(rules []ruleset.Rule) []byte {
	data := normalize.EncodeJSON(rules, false)
	tree, _ := yamltree.ParseJSON("file", source.NewFile("rules.json", data), len(data)) // its own output
	return layout.Field(authoring.Parts(&document.RuleSet), tree.Root)
}

// normalizeFile expands the rows of a file, and reports whether it contains one rule
// instead of a list. If it prints mistakes, the error is errWrongInput.
func (c *rulesCommand) normalizeFile(
	f *source.File, section string, constraints []string,
) (rules []ruleset.Rule, alone bool, err error) {
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
		return nil, false, c.Refuse(f, problems)
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
		id, text = strings.TrimSpace(id), strings.TrimSpace(text)
		switch {
		case !found || id == "" || text == "":
			return nil, fmt.Errorf("--constraint must be ID=TEXT, such as a.correctness.endpoints=Look for GET /orders, got %q", constraint)
		case supplied[id] != "":
			return nil, fmt.Errorf("--constraint is set twice for %s. Combine both in one", id)
		}
		supplied[id] = text
	}
	return supplied, nil
}
