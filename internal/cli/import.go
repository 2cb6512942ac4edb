package cli

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

type importDocuments struct {
	from, as, id, artifactType string
	set                        []string
	settings                   map[string]string // by key
}

func (c *editCommand) importCommand() *cobra.Command {
	n := &importDocuments{settings: map[string]string{}}
	cmd := &cobra.Command{
		Use:   "import FILE --from FORMAT",
		Short: "Import rubrics and checklists from other tools as drafts",
		Long: `Import the rubrics of another tool, or a checklist, as drafts, version 0.1.0, in
rubrics/<artifact type>/<ID>.yaml. The command prints what it derived and what it left
out, and why. It invents no text: rubric-lint reports each place that is empty.

The items of a checklist become the rules of a rule set. A comment marks items that
are stated negatively or conditionally, with a new sentence if it is evident.

Values that the file does not have, such as weights and thresholds, can be set for all
documents with --set. On a terminal, the command asks for them. It writes all documents
or none, and never overwrites a file. docs/import.md describes the formats.` + authorHelp,
		Example: `  rubric import rubrics.jsonl --from prometheus --artifact-type travel_plan \
    --set weight=essential --set threshold=3 --set pass_threshold=3.5
  rubric import promptfooconfig.yaml --from promptfoo --artifact-type support_reply
  rubric import release-checklist.md --from markdown --id release_v1 --artifact-type release`,
		Args: arguments(1, 1, "a file"),
		RunE: func(_ *cobra.Command, args []string) error { return c.importFile(n, args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&n.from, "from", "", "the format of the file: "+schema.Or(importing.Formats(), "or"))
	f.StringVar(&n.as, "as", "", "rubric or ruleset (default: what the file is)")
	f.StringVar(&n.artifactType, "artifact-type", "", "the artifact type, such as jira_tickets; also the folder")
	f.StringVar(&n.id, "id", "", "the ID, if the file has one document (default: derived)")
	f.StringArrayVar(&n.set, "set", nil, "`KEY=VALUE`: a weight, threshold, severity, pass_threshold, or essential_minimum that the file does not have (repeatable)")
	_ = cmd.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(importing.Formats(), cobra.ShellCompDirectiveNoFileComp)) // the flag is there
	return c.flags(cmd)
}

func (c *editCommand) importFile(n *importDocuments, name string) error {
	var imported *importing.Imported
	err := c.change(func(l *authoring.Library) (*authoring.Edit, error) {
		options := importing.Options{Format: n.from, ID: n.id}
		if err := n.check(&options); err != nil {
			return nil, err
		}
		f, err := readInput(name)
		if err != nil {
			return nil, err
		}
		read, problems := importing.Read(f, options)
		if len(problems) > 0 {
			return nil, c.refuse(f, problems)
		}
		if err := c.complete(n, read.Drafts); err != nil {
			return nil, err
		}
		imported = read
		return l.Import(read.Drafts)
	})
	if err != nil || imported == nil {
		return err
	}
	base := filepath.Base(name)
	for _, part := range []struct {
		title   string
		remarks []importing.Remark
	}{{"Derived from " + base, imported.Derived}, {"Not imported from " + base, imported.Dropped}} {
		if len(part.remarks) > 0 {
			fmt.Fprintf(c.Out, "%s:\n", inertLines(part.title))
		}
		for _, r := range part.remarks {
			fmt.Fprintln(c.Out, inertLines("- "+sentence(r)))
		}
	}
	return nil
}

// sentence is a remark with its places.
func sentence(r importing.Remark) string {
	switch {
	case r.First == "":
		return r.Text
	case r.Count == 1:
		return fmt.Sprintf("%s (%s)", r.Text, r.First)
	}
	return fmt.Sprintf("%s (%d times, first in %s)", r.Text, r.Count, r.First)
}

// check checks the flags.
func (n *importDocuments) check(o *importing.Options) error {
	if n.from == "" {
		return fmt.Errorf("--from is required: %s", schema.Or(importing.Formats(), "or"))
	}
	if n.as != "" {
		kind, err := kindOf(n.as)
		if err != nil {
			return fmt.Errorf("--as must be rubric or ruleset, got %q", n.as)
		}
		o.Kind = kind
	}
	known := []string{"weight", "threshold", "severity", "pass_threshold", "essential_minimum"}
	for _, pair := range n.set {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || !slices.Contains(known, key) {
			return fmt.Errorf("--set must be KEY=VALUE with one of the keys %s, got %q", schema.Or(known, "and"), pair)
		}
		n.settings[key] = value
	}
	if n.id == "" {
		return nil
	}
	return authoring.CheckID(&document.Rubric, n.id)
}

// complete adds what the file does not have from flags and answers: each key once for all
// documents.
func (c *editCommand) complete(n *importDocuments, drafts []authoring.Draft) error {
	types := c.artifactTypes()
	for i := range drafts {
		if drafts[i].ArtifactType != "" && n.artifactType == "" {
			continue
		}
		err := c.answer(&question{
			flag: "--artifact-type", text: "Artifact type, such as " + strings.Join(types, ", "), value: &n.artifactType,
			check: func(t string) error { return authoring.CheckArtifactType(drafts[i].Kind, t) },
		})
		if err != nil {
			return err
		}
		drafts[i].ArtifactType = n.artifactType
	}
	used, left := map[string]bool{}, map[string]int{}
	for i := range drafts {
		for _, s := range drafts[i].Missing() {
			used[s.Field.Key] = true
			value, known := n.settings[s.Field.Key]
			if !known && c.canAsk() {
				q := &question{text: fmt.Sprintf("%s in all documents that have none, %s", s.Field.Key, s.Field.Value.Expected()), value: &value, standard: s.Default, check: s.Check}
				if err := c.askUntilRight(q); err != nil {
					return err
				}
			} else if err := s.Check(value); value != "" && err != nil {
				return fmt.Errorf("--set: %w", err)
			}
			n.settings[s.Field.Key] = value
			drafts[i].Set(s, value)
			if value == "" {
				left[s.Field.Key]++
			}
		}
	}
	for key, value := range n.settings {
		if value != "" && !used[key] {
			return errors.New("--set " + key + " has no effect: each document has a value for it, or no place. Omit it")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprintf(c.Err, "warning: %s is empty %d times. To set it in all documents, use --set %s=VALUE\n", key, left[key], key)
	}
	return nil
}
