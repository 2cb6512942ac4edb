package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// newFlags is what the author says of a new document.
type newFlags struct {
	kind, id, name, artifactType, criteria, rules string
}

func (c *editCommand) newCommand() *cobra.Command {
	n := &newFlags{}
	cmd := &cobra.Command{
		Use:   "new [rubric | ruleset]",
		Short: "Start a rubric or a rule set",
		Long: `Begin a rubric or a rule set as a draft, version 0.1.0, where it belongs:
rubrics/<artifact type>/<ID>.yaml. What is still to write is left empty, and
rubric-lint names each place until it is written.

The first document of a library also makes an empty ledger, rubrics/retired.yaml,
and a .gitattributes with which two branches that each retire a document merge.` + authorHelp,
		Example: `  rubric new
  rubric new rubric --id bug_report_quality_v1 --name "Bug report quality" \
    --artifact-type jira_tickets --criteria steps,expectation,environment
  rubric new ruleset --id rest_api_design_v1 --name "REST API design" \
    --artifact-type api_design --rules a.correctness.endpoints,b.style.naming`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: []string{"rubric", "ruleset"},
		RunE: func(_ *cobra.Command, args []string) error {
			n.kind = strings.Join(args, "")
			return c.begin(n)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&n.id, "id", "", "the ID, such as user_story_quality_v1")
	f.StringVar(&n.name, "name", "", "the name for people")
	f.StringVar(&n.artifactType, "artifact-type", "", "what it is for, such as jira_tickets; also the folder")
	f.StringVar(&n.criteria, "criteria", "", "the names of a rubric's criteria, with commas between them")
	f.StringVar(&n.rules, "rules", "", "the IDs of a rule set's rules, with commas between them")
	return c.flags(cmd)
}

// kindOf is a kind of document by its word on the command line.
func kindOf(word string) (*document.Kind, error) {
	switch word {
	case "rubric":
		return &document.Rubric, nil
	case "ruleset":
		return &document.RuleSet, nil
	}
	return nil, fmt.Errorf("a new document is a rubric or a ruleset, and %q was said", word)
}

// begin makes a new document.
func (c *editCommand) begin(n *newFlags) error {
	defer c.close()
	library, err := c.open()
	if err != nil {
		return err
	}
	d, err := c.draft(n, library)
	if err != nil {
		return err
	}
	e, err := library.New(*d)
	if err != nil {
		return err
	}
	return c.carryOut(e)
}

// draft is what the author says, by flags and answers.
func (c *editCommand) draft(n *newFlags, library *authoring.Library) (*authoring.Draft, error) {
	err := c.answer(&question{
		flag: "rubric or ruleset after new", text: "What is it to be, rubric or ruleset", value: &n.kind,
		check: func(word string) error { _, err := kindOf(word); return err },
	})
	if err != nil {
		return nil, err
	}
	kind, err := kindOf(n.kind)
	if err != nil {
		return nil, err
	}
	parts, err := n.parts(kind)
	if err != nil {
		return nil, err
	}
	err = c.answer(&question{
		flag: "--id", text: "ID, such as user_story_quality_v1", value: &n.id,
		check: func(id string) error {
			if err := authoring.CheckID(kind, id); err != nil {
				return err
			}
			return library.Free(id)
		},
	}, &question{
		flag: "--name", text: "Name for people", value: &n.name,
		check: func(name string) error { return authoring.CheckName(kind, name) },
	}, &question{
		flag: "--artifact-type", text: "Artifact type, such as " + strings.Join(c.artifactTypes(), ", "), value: &n.artifactType,
		check: func(t string) error { return authoring.CheckArtifactType(kind, t) },
	}, parts)
	return &authoring.Draft{Kind: kind, ID: n.id, Name: n.name, ArtifactType: n.artifactType, Parts: split(*parts.value)}, err
}

// parts is the question for what the kind of document lists.
func (n *newFlags) parts(kind *document.Kind) (*question, error) {
	q := &question{
		flag: "--criteria", text: "Criteria, such as clarity, scope, testability", value: &n.criteria,
		check: func(list string) error { return authoring.CheckParts(kind, split(list)) },
	}
	other := n.rules
	if kind == &document.RuleSet {
		q.flag, q.text, q.value = "--rules", "Rules, such as a.correctness.endpoints, b.style.naming", &n.rules
		other = n.criteria
	}
	if other != "" {
		return nil, fmt.Errorf("a rubric has --criteria and a rule set has --rules, and this is to be a %s", kind.Noun)
	}
	return q, nil
}

// typesIn are the artifact types that a library has.
func typesIn(root string) []string {
	var types []string
	entries, _ := os.ReadDir(filepath.Join(root, lint.Root)) // without a library there are none
	for _, e := range entries {
		if e.IsDir() && folderName.MatchString(e.Name()) {
			types = append(types, e.Name())
		}
	}
	return types
}

// artifactTypes are some that the library has, or examples: they are a hint only.
func (c *editCommand) artifactTypes() []string {
	types := typesIn(c.library.root)
	if len(types) == 0 {
		return []string{"jira_tickets", "test_plans"}
	}
	return types[:min(len(types), 8)]
}

var folderName = regexp.MustCompile(`^[a-z0-9_]+$`)

// split is a list that is written with commas.
func split(list string) []string {
	words := strings.Split(list, ",")
	for i, word := range words {
		words[i] = strings.TrimSpace(word)
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}
