package authoring

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// scoringKey is the only optional key in a new document: the linter warns if it is
// missing.
const scoringKey = "scoring"

// template writes a new document from the table of its kind: the required keys in the
// order of the table, with their meaning above them if a text is missing.
type template struct {
	out    strings.Builder
	values map[string]string
	part   string // the name of the current part, with a dot, or ""
}

func (d *Draft) text() []byte {
	t := &template{values: d.Values}
	fmt.Fprintf(&t.out, "# yaml-language-server: $schema=../../schema/%s\n", d.Kind.SchemaFile)
	known := map[string]string{d.Kind.IDKey: d.ID, "name": d.Name, versionKey: firstVersion, "artifact_type": d.ArtifactType}
	parts := Parts(d.Kind)
	var more []*schema.Field
	for i := range d.Kind.Table.Fields {
		f := &d.Kind.Table.Fields[i]
		switch text, ok := known[f.Key]; {
		case ok:
			fmt.Fprintf(&t.out, "%s: %s\n", f.Key, write(text, yamltree.DoubleQuoted, false))
		case f.Key == parts.Key:
			t.parts(f, d.Parts)
		case f.Required || f.Key == scoringKey:
			t.out.WriteByte('\n')
			t.field(f, "", true)
		case f.Key != deprecatedKey:
			more = append(more, f)
		}
	}
	t.out.WriteByte('\n')
	t.comment("", "Optional keys:")
	t.optional("", more)
	return []byte(t.out.String())
}

// parts writes the criteria or the rules. The first has comments.
func (t *template) parts(list *schema.Field, names []string) {
	t.out.WriteByte('\n')
	t.comment("", list.Doc)
	t.out.WriteString(list.Key + ":\n")
	elem := list.Value.Elem
	for i, name := range names {
		if i > 0 {
			t.out.WriteByte('\n')
		}
		fmt.Fprintf(&t.out, "  - %s: %s\n", list.Value.Identity, write(name, yamltree.DoubleQuoted, false))
		t.part = name + "."
		t.group(elem.Fields, list.Value.Identity, "    ", i == 0, false)
	}
	t.part = ""
}

// group writes the keys of a group except for done, which is already written. all also
// writes the optional keys, which are otherwise only mentioned.
func (t *template) group(fields []schema.Field, done, indent string, comments, all bool) {
	// The comment of the group itself explains anchors and examples.
	alike := !slices.ContainsFunc(fields, func(f schema.Field) bool { return f.Value.Shape != schema.Text })
	var more []*schema.Field
	for i := range fields {
		switch f := &fields[i]; {
		case f.Key == done:
		case f.Required || all:
			t.field(f, indent, comments && !alike)
		case comments:
			more = append(more, f)
		}
	}
	t.optional(indent, more)
}

// field writes a key with its value, if the author gave one, or with the keys of its
// group.
func (t *template) field(f *schema.Field, indent string, comments bool) {
	if comments {
		t.comment(indent, Meaning(f))
	}
	value := t.values[t.part+f.Key]
	if value != "" {
		value = " " + value
	}
	fmt.Fprintf(&t.out, "%s%s:%s\n", indent, f.Key, value)
	if f.Value.Shape == schema.Object {
		t.group(f.Value.Fields, "", indent+"  ", comments, !f.Required)
	}
}

// optional mentions keys that can be added.
func (t *template) optional(indent string, fields []*schema.Field) {
	for _, f := range fields {
		t.comment(indent, f.Key+" (optional): "+Meaning(f))
	}
}

// Meaning is the meaning of a field, with its words.
func Meaning(f *schema.Field) string {
	text := f.Doc
	for _, o := range f.Value.Options {
		text += " " + o.Word + ": " + o.Doc
	}
	return text
}

const width = 80

func (t *template) comment(indent, text string) {
	line := indent + "#"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > width {
			t.out.WriteString(line + "\n")
			line = indent + "#"
		}
		line += " " + word
	}
	t.out.WriteString(line + "\n")
}

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
