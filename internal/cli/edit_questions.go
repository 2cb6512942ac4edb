package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// questions are the questions about a new document that follow from the answers so
// far. Numbers and choices are asked for only on a terminal.
func (c *editCommand) questions(n *newFlags, library *authoring.Library) []*question {
	standard := func(text string) string {
		if c.canAsk() {
			return text
		}
		return ""
	}
	asked := []*question{{
		flag: "the argument rubric or ruleset", text: "Kind of document, rubric or ruleset", value: &n.kind, standard: standard("rubric"),
		check: n.checkKind, help: document.Rubric.Doc + " " + document.RuleSet.Doc,
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
	asked = append(asked, n.idQuestion(kind, library), &question{
		flag: "--name", text: "Display name", value: &n.name, standard: standard(nameOf(n.id)), help: help("name"),
		check: func(name string) error { return authoring.CheckName(kind, name) },
	}, &question{
		flag: "--artifact-type", text: "Artifact type, such as " + strings.Join(types, ", "), value: &n.artifactType, standard: standard(only),
		help: help("artifact_type"), check: func(t string) error { return authoring.CheckArtifactType(kind, t) },
	}, n.partsQuestion(kind))
	if !c.canAsk() {
		return asked
	}
	for _, s := range authoring.Settings(kind, split(*n.parts(kind))) {
		if n.values[s.Path] == nil {
			n.values[s.Path] = new(string)
		}
		asked = append(asked, &question{
			text: settingText(s), value: n.values[s.Path], standard: s.Default, check: s.Check, help: authoring.Meaning(s.Field),
		})
	}
	return asked
}

// endsInVersion matches IDs that end with a version, even a misspelled one.
var endsInVersion = regexp.MustCompile(`([ _-]v|V)[0-9]+$`)

// idQuestion asks for the ID. An answer must end with a version; the value of a flag
// is only checked.
func (n *newFlags) idQuestion(kind *document.Kind, library *authoring.Library) *question {
	return &question{
		flag: "--id", text: "ID, such as user_story_quality_v1", value: &n.id, help: authoring.Meaning(schema.Find(kind.Table.Fields, kind.IDKey)),
		check: func(id string) error {
			complete, full := n.flags.id != "" || endsInVersion.MatchString(id), id
			if !complete {
				full += "_v1"
			}
			if err := authoring.CheckID(kind, full); err != nil {
				return err
			}
			if !complete {
				return fmt.Errorf("the ID %s must end with a version. Write %s", id, full)
			}
			return library.Free(id)
		},
	}
}

// partsQuestion asks for the criteria or rules.
func (n *newFlags) partsQuestion(kind *document.Kind) *question {
	list := authoring.Parts(kind)
	q := &question{
		flag: "--criteria", text: "Criteria, such as clarity, scope, testability", value: n.parts(kind),
		help: authoring.Meaning(list) + " " + authoring.Meaning(schema.Find(list.Value.Elem.Fields, list.Value.Identity)) + " Separate them with commas.",
	}
	if kind == &document.RuleSet {
		q.flag, q.text = "--rules", "Rules, such as a.correctness.endpoints, b.style.naming"
	}
	q.check = func(list string) error { return authoring.CheckParts(kind, split(list)) }
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

// nameOf is a name that an ID suggests: "User story quality" for
// user_story_quality_v1.
func nameOf(id string) string {
	words := strings.ReplaceAll(strings.TrimSuffix(id, "_v1"), "_", " ")
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
