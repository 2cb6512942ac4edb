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

type newFlags struct {
	kind, id, name, artifactType, criteria, rules string
	// values are the answers about settings, by path.
	values map[string]*string
	// flags are the values before the first question.
	flags *newFlags
}

func (c *editCommand) newCommand() *cobra.Command {
	n := &newFlags{}
	cmd := &cobra.Command{
		Use:       "new [rubric | ruleset]",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: []string{"rubric", "ruleset"},
		RunE: func(_ *cobra.Command, args []string) error {
			n.kind = strings.Join(args, "")
			return c.change(func(l *authoring.Local) (*authoring.Edit, error) {
				d, err := c.draft(n, l)
				if err != nil {
					return nil, err
				}
				return l.New(*d)
			})
		},
	}
	f := command.InOrder(cmd)
	f.StringVar(&n.id, "id", "", "the ID, such as user_story_quality_v1")
	f.StringVar(&n.name, "name", "", "the display name")
	f.StringVar(&n.artifactType, "artifact-type", "", "the artifact type, such as jira_tickets; also the folder")
	f.StringVar(&n.criteria, "criteria", "", "the names of a rubric's criteria, separated by commas")
	f.StringVar(&n.rules, "rules", "", "the IDs of a rule set's rules, separated by commas")
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
	return nil, fmt.Errorf("the kind of a new document must be rubric or ruleset, got %q", word)
}

// draft is the new document from the flags and answers.
func (c *editCommand) draft(n *newFlags, library *authoring.Local) (*authoring.Draft, error) {
	flags := *n
	n.flags, n.values = &flags, map[string]*string{}
	questions := func() []*command.Question { return c.questions(n, library) }
	var err error
	if c.CanAsk() {
		err = c.Converse(questions)
	} else {
		err = c.Answer(questions()...)
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

// parts is the value of --criteria or --rules, by kind.
func (n *newFlags) parts(kind *document.Kind) *string {
	if kind == &document.RuleSet {
		return &n.rules
	}
	return &n.criteria
}

// artifactTypes are a hint: some artifact types of the library, or examples.
func (c *editCommand) artifactTypes() []string {
	types := command.TypesIn(c.library.Root)
	if len(types) == 0 {
		return []string{"jira_tickets", "test_plans"}
	}
	return types[:min(len(types), 8)]
}

func split(list string) []string {
	words := strings.Split(list, ",")
	for i, word := range words {
		words[i] = strings.TrimSpace(word)
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

// questions are the questions about a new document that follow from the answers so
// far. Numbers and choices are asked for only on a terminal.
func (c *editCommand) questions(n *newFlags, library *authoring.Local) []*command.Question {
	standard := func(text string) string {
		if c.CanAsk() {
			return text
		}
		return ""
	}
	asked := []*command.Question{{
		Flag: "the argument rubric or ruleset", Text: "Kind of document, rubric or ruleset", Value: &n.kind, Standard: standard("rubric"),
		Check: n.checkKind, Help: document.Rubric.Doc + " " + document.RuleSet.Doc,
	}}
	kind, err := kindOf(n.kind)
	if err != nil {
		return asked
	}
	help := func(key string) string { return authoring.Meaning(schema.Find(kind.Table.Fields, key)) }
	types := c.artifactTypes()
	only := ""
	if len(types) == 1 {
		only = types[0]
	}
	asked = append(asked, &command.Question{
		Flag: "--id", Text: "ID, such as user_story_quality_v1", Value: &n.id, Help: help(kind.IDKey),
		Check: func(id string) error { return library.CheckID(kind, id) },
	}, &command.Question{
		Flag: "--name", Text: "Display name", Value: &n.name, Standard: standard(authoring.NameOf(n.id)), Help: help("name"),
		Check: func(name string) error { return authoring.CheckName(kind, name) },
	}, &command.Question{
		Flag: "--artifact-type", Text: "Artifact type, such as " + strings.Join(types, ", "), Value: &n.artifactType, Standard: standard(only),
		Help: help("artifact_type"), Check: func(t string) error { return authoring.CheckArtifactType(kind, t) },
	}, n.partsQuestion(kind))
	if !c.CanAsk() {
		return asked
	}
	for _, s := range authoring.Settings(kind, split(*n.parts(kind))) {
		if n.values[s.Path] == nil {
			n.values[s.Path] = new(string)
		}
		asked = append(asked, &command.Question{
			Text: settingText(s), Value: n.values[s.Path], Standard: s.Default, Check: s.Check, Help: authoring.Meaning(s.Field),
		})
	}
	return asked
}

func (n *newFlags) partsQuestion(kind *document.Kind) *command.Question {
	list := authoring.Parts(kind)
	q := &command.Question{
		Flag: "--criteria", Text: "Criteria, such as clarity, scope, testability", Value: n.parts(kind),
		Help: authoring.Meaning(list) + " " + authoring.Meaning(schema.Find(list.Value.Elem.Fields, list.Value.Identity)) + " Separate them with commas.",
	}
	if kind == &document.RuleSet {
		q.Flag, q.Text = "--rules", "Rules, such as a.correctness.endpoints, b.style.naming"
	}
	q.Check = func(list string) error { return authoring.CheckParts(kind, split(list)) }
	return q
}

// checkKind rejects a word that is not a kind of document, or does not fit the flags.
func (n *newFlags) checkKind(word string) error {
	kind, err := kindOf(word)
	if err != nil {
		return err
	}
	if kind == &document.Rubric && n.flags.rules != "" || kind == &document.RuleSet && n.flags.criteria != "" {
		return fmt.Errorf("--criteria is for rubrics and --rules is for rule sets, but this is a %s", kind.Noun)
	}
	return nil
}

// settingText is the question for a setting: "clarity: threshold, a number from 1.0
// to 5.0".
func settingText(s authoring.Setting) string {
	text := strings.NewReplacer("_", " ", `"`, "").Replace(s.Field.Key + ", " + s.Field.Value.Expected())
	if s.Part != "" {
		return s.Part + ": " + text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
