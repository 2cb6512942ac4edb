package author

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

type documentImport struct {
	as, artifactType, levels string
	set, columns             []string
	bestFirst, worstFirst    bool
	replace                  bool
	options                  importing.Options
}

func (c *editCommand) importCommand() *cobra.Command {
	n := &documentImport{options: importing.Options{Settings: map[string]string{}, Columns: map[string]string{}}}
	cmd := &cobra.Command{
		Use:  "import FILE",
		Args: command.Arguments(1, 1, "a file"),
		RunE: func(_ *cobra.Command, args []string) error { return c.importFile(n, args[0]) },
	}
	f := command.InOrder(cmd)
	f.StringVar(&n.options.Format, "from", "",
		"the format of the file: "+schema.Or(importing.Formats, "or")+" (default: what the content is)")
	f.StringVar(&n.as, "as", "", "rubric or ruleset (default: what the file is)")
	f.StringVar(&n.artifactType, "artifact-type", "", "the artifact type, such as jira_tickets; also the folder")
	f.StringVar(&n.options.ID, "id", "", "the ID, if the file has one document (default: derived)")
	f.StringVar(&n.options.GroupBy, "group-by", "",
		"the `KEY` or column that has the ID of each rubric (default: rubric_id, or one rubric)")
	f.StringArrayVar(&n.columns, "column", nil, "`FIELD=COLUMN`: the column of a table that has a field (repeatable)")
	f.BoolVar(&n.options.Lists, "lists", false, "lists without boxes are rules")
	f.StringArrayVar(&n.set, "set", nil, "`KEY=VALUE`: a weight, threshold, severity, pass_threshold, or essential_minimum that the file does not have (repeatable)")
	f.BoolVar(&n.bestFirst, "best-first", false, "the first level of each criterion in the file is its best one")
	f.BoolVar(&n.worstFirst, "worst-first", false, "the first level of each criterion in the file is its worst one")
	f.StringVar(&n.levels, "levels", "", "`OLD=NEW,...`: the scores from 1 to 5 of the levels in the file, such as 0=1,4=2,6=3,8=4,10=5")
	f.BoolVar(&n.replace, "replace", false, "if the file was imported before, replace the documents that nobody has edited")
	formats := cobra.FixedCompletions(importing.Formats, cobra.ShellCompDirectiveNoFileComp)
	_ = cmd.RegisterFlagCompletionFunc("from", formats) // the flag is there
	return c.flags(cmd)
}

func (c *editCommand) importFile(n *documentImport, name string) error {
	if err := n.check(); err != nil {
		return err
	}
	var imported *importing.Imported
	err := c.change(func(l *authoring.Local) (*authoring.Edit, error) {
		f, err := command.ReadInput(name)
		if err != nil {
			return nil, err
		}
		read, problems := importing.Read(f, n.options)
		if len(problems) > 0 {
			return nil, c.Refuse(f, problems)
		}
		if err := c.complete(n, read); err != nil {
			return nil, err
		}
		// With what is complete now.
		imported, problems = importing.Read(f, n.options)
		if len(problems) > 0 {
			return nil, c.Refuse(f, problems)
		}
		for i := range imported.Drafts {
			d := &imported.Drafts[i]
			d.ArtifactType = cmp.Or(n.artifactType, d.ArtifactType)
			d.Source = c.sourceOf(name)
		}
		return l.Import(n.replace, imported.Drafts...)
	})
	if err != nil {
		return err
	}
	base := filepath.Base(name)
	if imported.Recognized != "" {
		fmt.Fprintln(c.Out, command.InertLines(fmt.Sprintf("%s was read as %s. If it is something else, name the format with --from.",
			base, imported.Recognized)))
	}
	c.remarks("Derived from "+base, imported.Derived)
	c.remarks("Not imported from "+base, imported.Dropped)
	return nil
}

// sourceOf names a file in the record of an import: by its path in the library, if it is there,
// because many folders have a file of the same name.
func (c *editCommand) sourceOf(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		if relative, err := filepath.Rel(c.library.Root, abs); err == nil && filepath.IsLocal(relative) {
			return filepath.ToSlash(relative)
		}
	}
	return filepath.Base(name)
}

func (c *editCommand) remarks(title string, remarks []importing.Remark) {
	for i, r := range remarks {
		if i == 0 {
			fmt.Fprintln(c.Out, command.InertLines(title+":"))
		}
		place := ""
		if r.Count > 1 {
			place = fmt.Sprintf(" (%d times, first in %s)", r.Count, cmp.Or(r.First, "the file"))
		} else if r.First != "" {
			place = " (" + r.First + ")"
		}
		fmt.Fprintln(c.Out, command.InertLines("- "+r.Text+place))
	}
}

func (n *documentImport) check() error {
	if n.as != "" {
		kind, err := kindOf(n.as)
		if err != nil {
			return fmt.Errorf("--as must be rubric or ruleset, got %q", n.as)
		}
		n.options.Kind = kind
	}
	switch {
	case n.bestFirst && n.worstFirst, n.levels != "" && (n.bestFirst || n.worstFirst):
		return errors.New("use only one of --best-first, --worst-first, and --levels")
	case n.bestFirst:
		n.options.Levels.Order = levels.BestFirst
	case n.worstFirst:
		n.options.Levels.Order = levels.WorstFirst
	case n.levels != "":
		scores, err := levels.Assignments(n.levels)
		if err != nil {
			return err
		}
		n.options.Levels.Scores = scores
	}
	var err error
	if n.options.Columns, err = command.Columns(n.columns, "FIELD", "5=Good"); err != nil {
		return err
	}
	for _, pair := range n.set {
		key, value, _ := strings.Cut(pair, "=")
		if value == "" {
			return fmt.Errorf("--set must be KEY=VALUE, such as threshold=3, got %q", pair)
		}
		n.options.Settings[key] = value
	}
	return nil
}

// complete asks for what the file does not have: each key once for all documents.
func (c *editCommand) complete(n *documentImport, read *importing.Imported) error {
	kind := read.Drafts[0].Kind
	if n.artifactType != "" ||
		slices.ContainsFunc(read.Drafts, func(d authoring.Draft) bool { return d.ArtifactType == "" }) {
		if err := c.Answer(c.artifactType(kind, &n.artifactType)); err != nil {
			return err
		}
	}
	var known []string
	for _, s := range authoring.Settings(kind) {
		key := s.Field.Key
		known = append(known, key)
		value, missing := n.options.Settings[key], read.Missing[key]
		switch {
		case value != "":
			if err := s.Check(value); err != nil {
				return fmt.Errorf("--set: %w", err)
			}
		case missing > 0 && c.CanAsk():
			q := &command.Question{
				Text: fmt.Sprintf("%s where the file has none, %s", key, s.Field.Value.Expected()), Value: &value,
				Standard: func() string { return s.Default }, Check: s.Check,
			}
			if err := c.AskUntilRight(q); err != nil {
				return err
			}
			n.options.Settings[key] = value
		case missing > 0:
			fmt.Fprintf(c.Err, "warning: values of %s that the file does not have: %d. To set them, use --set %[1]s=VALUE\n", key, missing)
		}
	}
	for key := range n.options.Settings {
		if !slices.Contains(known, key) {
			return fmt.Errorf("--set: a %s has no %q. Use %s", kind.Noun, key, schema.Or(known, "or"))
		}
	}
	return nil
}
