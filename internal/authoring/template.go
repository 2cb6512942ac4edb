package authoring

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/layout"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// exampleIntro is the comment at the top of an example.
const exampleIntro = "An example of a complete %s. Replace its texts with your own: `rubric lint` says at each of them what to write, and the library can't be released before. Your editor explains each key."

// newText returns the text of a new document. digest is that of an imported draft.
func (d *Draft) newText(digest string) []byte {
	content, o := d.withRecord(digest), layout.Options{Notes: d.Notes, Settings: d.Original == nil}
	if content == nil {
		content = d.example()
		o.Comments = []string{fmt.Sprintf(exampleIntro, d.Kind.Noun)}
	}
	root := Mapping(d.Kind.IDKey, d.ID, "name", d.Name, versionKey, cmp.Or(d.version, firstVersion),
		"artifact_type", d.ArtifactType)
	for _, e := range content.Entries {
		if root.Get(e.Key.Value) == nil {
			root.Entries = append(root.Entries, e)
		}
	}
	return layout.Document(d.Kind, root, o)
}

// Setting is a number or a choice in a document, but not a text.
type Setting struct {
	Field   *schema.Field
	Default string
}

// defaults are the usual values, by key.
var defaults = map[string]string{
	"weight": "essential", "severity": "fail", "threshold": "3.0", "pass_threshold": "3.5", "essential_minimum": "3.0",
}

// Settings are the settings that every document of a kind has: those of a criterion or a rule,
// and those of its scoring.
func Settings(k *document.Kind) []Setting {
	var settings []Setting
	add := func(fields []schema.Field, optional bool) {
		for i := range fields {
			f := &fields[i]
			if (f.Required || optional) && (f.Value.Shape == schema.Choice || f.Value.Shape == schema.Number) {
				s := Setting{Field: f, Default: defaults[f.Key]}
				if s.Check(s.Default) != nil { // the pass threshold of a rule set is a fraction
					s.Default = "0.8"
				}
				settings = append(settings, s)
			}
		}
	}
	add(Parts(k).Value.Elem.Fields, false)
	add(schema.Find(k.Table.Fields, "scoring").Value.Fields, true)
	return settings
}

// Check returns why a text can't be the value.
func (s *Setting) Check(text string) error {
	if problems := schema.Check(s.Field.Value, layout.Plain(text), s.Field.Key); len(problems) > 0 {
		return errors.New(problems[0].Message)
	}
	return nil
}
