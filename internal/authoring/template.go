package authoring

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// scoringKey is the only optional key in a new document: the linter warns if it is
// missing.
const scoringKey = "scoring"

// template writes a new document from the table of its kind: the keys that have a value
// and the required keys, in the order of the table.
type template struct {
	out   strings.Builder
	notes map[string][]string
}

// exampleIntro is the comment at the top of an example.
const exampleIntro = "An example of a complete %s. Replace its texts with your own: `rubric lint` says at each of them what to write, and the library can't be released before. Your editor explains each key."

// written is the text of a new document. digest is that of an imported draft.
func (d *Draft) written(digest string) []byte {
	t, root := &template{notes: d.Notes}, d.recorded(digest)
	fmt.Fprintf(&t.out, "# yaml-language-server: $schema=../../schema/%s\n", d.Kind.SchemaFile)
	if root == nil {
		root = d.example()
		t.out.WriteString("#\n")
		t.comment("", fmt.Sprintf(exampleIntro, d.Kind.Noun))
	}
	known := map[string]string{d.Kind.IDKey: d.ID, "name": d.Name, versionKey: cmp.Or(d.version, firstVersion), "artifact_type": d.ArtifactType}
	for i := range d.Kind.Table.Fields {
		f := &d.Kind.Table.Fields[i]
		switch value := root.Get(f.Key); {
		case known[f.Key] != "": // all are valid
			fmt.Fprintf(&t.out, "%s: %s\n", f.Key, yamltree.QuoteVisibly(known[f.Key]))
		case present(value) || f.Required || f.Key == scoringKey:
			if f.Value.Shape != schema.Text {
				t.out.WriteByte('\n')
			}
			t.field(f, value, "")
		}
	}
	return []byte(t.out.String())
}

// Written is a key of a document with its value, in the layout of a new document.
func Written(f *schema.Field, value *yamltree.Node) []byte {
	t := &template{}
	t.field(f, value, "")
	return []byte(t.out.String())
}

// list writes the elements of a list.
func (t *template) list(list *schema.Value, n *yamltree.Node, indent string) {
	identity := cmp.Or(list.Identity, list.Elem.Variant)
	for i, item := range n.List() {
		if list.Elem.Shape != schema.Object {
			t.out.WriteString(indent + "  -" + scalar(list.Elem, item, indent+"    ") + "\n")
			continue
		}
		if i > 0 {
			t.out.WriteByte('\n')
		}
		name := item.Get(identity).Text()
		for _, note := range t.notes[name] {
			// A text from elsewhere must not end the comment, or ignore a lint rule.
			t.comment(indent+"  ", strings.ReplaceAll(sanitize.Line(note), "rubric-lint:", "rubric-lint"))
		}
		fmt.Fprintf(&t.out, "%s  - %s: %s\n", indent, identity, yamltree.QuoteVisibly(name))
		t.group(list.Elem.FieldsOf(item), item, identity, indent+"    ", false)
	}
}

// group writes the keys of a group except for done, which is already written. all also
// writes the optional keys if there is no value.
func (t *template) group(fields []schema.Field, n *yamltree.Node, done, indent string, all bool) {
	for i := range fields {
		f := &fields[i]
		if f.Key != done && (f.Required || all && !present(n) || present(n.Get(f.Key))) {
			t.field(f, n.Get(f.Key), indent)
		}
	}
}

// field writes a key with its value, if there is one, or with the keys of its group.
func (t *template) field(f *schema.Field, n *yamltree.Node, indent string) {
	t.out.WriteString(indent + f.Key + ":")
	switch f.Value.Shape {
	case schema.Object:
		t.out.WriteByte('\n')
		t.group(f.Value.Fields, n, "", indent+"  ", !f.Required)
	case schema.List:
		t.out.WriteByte('\n')
		t.list(f.Value, n, indent)
	case schema.Map:
		t.out.WriteByte('\n')
		for _, e := range n.Entries {
			t.out.WriteString(indent + "  " + e.Key.Value + ":" + scalar(f.Value.Elem, e.Value, indent+"    ") + "\n")
		}
	default:
		t.out.WriteString(scalar(f.Value, n, indent+"  ") + "\n")
	}
}

// scalar is a value after its colon or dash: nothing for a missing one. indent is the
// indentation of further lines.
func scalar(v *schema.Value, n *yamltree.Node, indent string) string {
	switch text := n.Text(); {
	case text == "":
		return ""
	case v.Shape != schema.Text && len(schema.Check(v, plain(text), "")) == 0:
		return " " + text
	case v.Noun == "pattern" || strings.Contains(text, `\`) && !strings.Contains(text, "\n"):
		return " " + yamltree.QuotePattern(text)
	case strings.Contains(text, "\n"):
		return readable(text, strings.ReplaceAll(" |-\n"+indent+strings.ReplaceAll(text, "\n", "\n"+indent), "\n"+indent+"\n", "\n\n"))
	case len(text) > width-len(indent):
		return readable(text, " >-\n"+wording.Wrap(indent, text, width))
	default:
		return " " + yamltree.QuoteVisibly(text)
	}
}

// readable is a text as a block if that reads as the same text, and else in quotes.
func readable(text, block string) string {
	tree, problems := yamltree.Parse(source.NewFile("", []byte("text:"+block+"\n")))
	harmful := slices.ContainsFunc(strings.Split(block, "\n"), func(line string) bool { return sanitize.Line(line) != line })
	if len(problems) == 0 && tree.Root.Get("text").Text() == text && !harmful && string(sanitize.YAML([]byte(block))) == block {
		return block
	}
	return " " + yamltree.QuoteVisibly(text)
}

const width = 80

func (t *template) comment(indent, text string) {
	t.out.WriteString(wording.Wrap(indent+"# ", text, width) + "\n")
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
	add(schema.Find(k.Table.Fields, scoringKey).Value.Fields, true)
	return settings
}

// Check returns why a text can't be the value.
func (s *Setting) Check(text string) error {
	if problems := schema.Check(s.Field.Value, plain(text), s.Field.Key); len(problems) > 0 {
		return errors.New(problems[0].Message)
	}
	return nil
}

// plain is a text without quotes as a value.
func plain(text string) *yamltree.Node {
	n := &yamltree.Node{Kind: yamltree.Scalar, Type: yamltree.String, Style: yamltree.Plain, Value: text}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		n.Type = yamltree.Float
	}
	if text == "true" || text == "false" {
		n.Type = yamltree.Bool
	}
	return n
}
