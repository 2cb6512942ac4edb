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
	// values are the answers about settings, by path.
	values map[string]*string
	// flags are the same before anything was asked.
	flags *newFlags
}

func (c *editCommand) newCommand() *cobra.Command {
	n := &newFlags{}
	cmd := &cobra.Command{
		Use:   "new [rubric | ruleset]",
		Short: "Start a rubric or a rule set",
		Long: `Begin a rubric or a rule set as a draft, version 0.1.0, where it belongs:
rubrics/<artifact type>/<ID>.yaml. What is still to write is left empty, and
rubric-lint names each place until it is written.

On a terminal, the command asks for names, weights, and thresholds, and offers
defaults, so that only texts are left to write. The answer help explains a question,
and back returns to the previous one.

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
	flags := *n
	n.flags, n.values = &flags, map[string]*string{}
	questions := func() []*question { return c.questions(n, library) }
	var err error
	if c.canAsk() {
		err = c.converse(questions)
	} else {
		err = c.answer(questions()...)
	}
	if err != nil {
		return nil, err
	}
	kind, err := kindOf(n.kind)
	if err != nil {
		return nil, err
	}
	d := &authoring.Draft{Kind: kind, ID: n.id, Name: n.name, ArtifactType: n.artifactType, Parts: split(*n.parts(kind)), Values: map[string]string{}}
	for path, value := range n.values {
		d.Values[path] = *value
	}
	return d, nil
}

// parts is what the flag for the criteria or rules of a kind says.
func (n *newFlags) parts(kind *document.Kind) *string {
	if kind == &document.RuleSet {
		return &n.rules
	}
	return &n.criteria
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
