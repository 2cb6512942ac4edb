package authoring

import (
	"errors"
	"strconv"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Setting is a number or a choice in a new document, but not a text.
type Setting struct {
	// Path is the key in Draft.Values. Part is the criterion or rule of the setting, or
	// "" for the whole document.
	Path, Part string
	Field      *schema.Field
	Default    string
}

// defaults are the usual values, by key.
var defaults = map[string]string{
	"weight": "essential", "severity": "fail", "threshold": "3.0", "pass_threshold": "3.5", "essential_minimum": "3.0",
}

// Settings are the settings of a new document of a kind with some parts.
func Settings(k *document.Kind, parts []string) []Setting {
	var settings []Setting
	add := func(fields []schema.Field, part, prefix string, optional bool) {
		for i := range fields {
			f := &fields[i]
			if (f.Required || optional) && (f.Value.Shape == schema.Choice || f.Value.Shape == schema.Number) {
				s := Setting{Path: prefix + f.Key, Part: part, Field: f, Default: defaults[f.Key]}
				if s.Check(s.Default) != nil { // the pass threshold of a rule set is a fraction
					s.Default = "0.8"
				}
				settings = append(settings, s)
			}
		}
	}
	for _, part := range parts {
		add(Parts(k).Value.Elem.Fields, part, part+".", false)
	}
	add(schema.Find(k.Table.Fields, scoringKey).Value.Fields, "", "", true)
	return settings
}

// Check returns why a text can't be the value.
func (s *Setting) Check(text string) error {
	n := &yamltree.Node{Kind: yamltree.Scalar, Type: yamltree.String, Style: yamltree.Plain, Value: text}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		n.Type = yamltree.Float
	}
	if problems := schema.Check(s.Field.Value, n, s.Field.Key); len(problems) > 0 {
		return errors.New(problems[0].Message)
	}
	return nil
}
