package rules

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/rulesets/normalize"
	"github.com/rubric-library/rubric-library/internal/rulesets/printer"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

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
			rules, alone, err := c.normalized(f, section, constraints)
			if errors.Is(err, command.ErrWrongInput) {
				return command.ErrFindings
			}
			if err != nil {
				return err
			}
			return command.PrintOutputs(c.Out, outputs, func(w io.Writer, format string) error {
				return printer.NormalizedRules(w, rules, alone, format)
			})
		},
	}
	f := command.InOrder(cmd)
	f.StringVar(&section, "section", "", "the heading above the rows in a Markdown file")
	f.StringArrayVar(&constraints, "constraint", nil, "the instruction of a rule that has none: `ID=TEXT` (repeatable)")
	f.StringVar(&stdinFilename, "stdin-filename", "rows.yaml", "the name of standard input in messages, whose extension determines the format")
	command.FormatFlag(cmd, &c.formats, ruleFormats)
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
