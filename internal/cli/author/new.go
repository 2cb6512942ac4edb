package author

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// newDocument is one call of `rubric new`.
type newDocument struct {
	authoring.Draft
	kind, criteria, rules string
	// library is FROM, and from the document to copy.
	library, from string
}

func (c *editCommand) newCommand() *cobra.Command {
	n := &newDocument{}
	rest := command.Arguments(0, 1, "at most rubric or ruleset; flags set everything else. FROM is for --from: a file that ends in .zip, or a folder, written as . or with a / in its path")
	cmd := &cobra.Command{
		Use: "new [FROM] [rubric | ruleset]",
		Args: func(cmd *cobra.Command, args []string) error {
			_, args = command.SplitFrom(args)
			return rest(cmd, args)
		},
		ValidArgs: []string{"rubric", "ruleset"},
		RunE: func(_ *cobra.Command, args []string) error {
			n.library, args = command.SplitFrom(args)
			n.kind = strings.Join(args, "")
			return c.change(func(l *authoring.Local) (*authoring.Edit, error) { return c.create(l, n) })
		},
	}
	f := command.InOrder(cmd)
	f.StringVar(&n.ArtifactType, "artifact-type", "", "the artifact type, such as jira_tickets; also the folder")
	f.StringVar(&n.Name, "name", "", "the display name")
	f.StringVar(&n.ID, "id", "", "the ID, such as user_story_quality_v1 (default: from the name)")
	f.StringVar(&n.criteria, "criteria", "", "the names of a rubric's criteria, separated by commas (default: those of the example)")
	f.StringVar(&n.rules, "rules", "", "the IDs of a rule set's rules, separated by commas (default: those of the example)")
	f.StringVar(&n.from, "from", "", "begin with the text of `ID[@VERSION]` in FROM (default: in this library and its history)")
	return c.flags(cmd)
}

func (c *editCommand) create(l *authoring.Local, n *newDocument) (*authoring.Edit, error) {
	if n.from != "" {
		return c.copy(l, n)
	}
	if n.library != "" {
		return nil, fmt.Errorf("%s is only read with --from, which names a document in it", n.library)
	}
	if err := c.askDraft(l, n); err != nil {
		return nil, err
	}
	return l.Create(n.Draft)
}

// kindOf is a kind of document by its word on the command line.
func kindOf(word string) (*document.Kind, error) {
	switch word {
	case "rubric":
		return &document.Rubric, nil
	case "ruleset":
		return &document.RuleSet, nil
	}
	return nil, fmt.Errorf("the kind of a new document must be rubric or ruleset, got %q", word)
}

// askDraft asks for what a new document needs and no flag sets.
func (c *editCommand) askDraft(l *authoring.Local, n *newDocument) error {
	d, criteria, rules := &n.Draft, n.criteria, n.rules
	err := c.Answer(&command.Question{
		Flag: "the argument rubric or ruleset", Text: "Kind of document, rubric or ruleset", Value: &n.kind,
		Standard: c.suggestion("rubric"),
		Check:    func(word string) error { _, err := kindOf(word); return err },
	})
	if err != nil {
		return err
	}
	d.Kind, _ = kindOf(n.kind) // checked above
	parts := &command.Question{
		Flag: "--criteria", Text: "Criteria, separated by commas, or Enter for those of the example",
		Value: &criteria, Optional: true,
	}
	if d.Kind == &document.RuleSet {
		parts.Flag, parts.Text, parts.Value = "--rules", "Rules, such as a.correctness.endpoints, b.style.naming, or Enter for those of the example", &rules
	}
	if criteria != "" && parts.Value != &criteria || rules != "" && parts.Value != &rules {
		return fmt.Errorf("--criteria is for rubrics and --rules is for rule sets, but this is a %s", d.Kind.Noun)
	}
	parts.Check = func(list string) error {
		if list == "" {
			return nil
		}
		return authoring.CheckParts(d.Kind, split(list))
	}
	if err := c.Answer(append(c.names(l, d), parts)...); err != nil {
		return err
	}
	d.Parts = split(*parts.Value)
	return nil
}

func split(list string) []string {
	words := strings.Split(list, ",")
	for i, word := range words {
		words[i] = strings.TrimSpace(word)
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

// names are the questions about what identifies a new document.
func (c *editCommand) names(l *authoring.Local, d *authoring.Draft) []*command.Question {
	return []*command.Question{c.artifactType(d.Kind, &d.ArtifactType), {
		Flag: "--name", Text: "Name", Value: &d.Name,
		Standard: func() string { return c.suggestion(nameFor(d.Kind, d.ArtifactType))() },
		Check:    func(name string) error { return authoring.Check(d.Kind, "name", name) },
	}, {
		Flag: "--id", Text: "ID", Value: &d.ID,
		Standard: func() string { return authoring.FirstID(d.Name) },
		Optional: true,
		Check: func(id string) error {
			switch {
			case id != "":
				return l.CheckID(d.Kind, id)
			case d.Name != "":
				return fmt.Errorf("--id is required: no ID follows from the name %s", schema.Quote(d.Name))
			}
			return nil // the name is missing
		},
	}}
}

// artifactType is the question about the artifact type. The default is that of the other
// documents, if it is the same for all.
func (c *editCommand) artifactType(kind *document.Kind, value *string) *command.Question {
	types, standard := command.TypesIn(c.library.Root), ""
	switch len(types) {
	case 0:
		types, standard = []string{"bug_reports", "test_plans"}, "documents"
	case 1:
		standard = types[0]
	}
	return &command.Question{
		Flag:     "--artifact-type",
		Text:     "Artifact type, such as " + strings.Join(types[:min(len(types), 8)], ", "),
		Value:    value,
		Standard: c.suggestion(standard),
		Check:    func(t string) error { return authoring.Check(kind, "artifact_type", t) },
	}
}

// suggestion is a default that a user has to accept, at a terminal or with --yes.
func (c *editCommand) suggestion(text string) func() string {
	return func() string {
		if c.Yes || c.CanAsk() {
			return text
		}
		return ""
	}
}
