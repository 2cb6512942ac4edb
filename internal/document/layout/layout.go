// Package layout writes documents in the layout of this project: the keys in the order of their
// table, one below the other, with long texts as blocks.
//
// It may import the rooms that docs/development/development.md lists below it.
package layout

import (
	"cmp"
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

// Options are the settings of a layout.
type Options struct {
	// Comments are paragraphs above the document.
	Comments []string
	// Notes are comments above criteria or rules, by name.
	Notes map[string][]string
	// Settings also writes the key "scoring" and its keys if they have no value, to be completed.
	Settings bool
}

// Document writes a document: the keys that have a value and the required keys. Texts that are not
// valid, such as missing ones, stay as they are.
func Document(k *document.Kind, root *yamltree.Node, o Options) []byte {
	w := &writer{notes: o.Notes, settings: o.Settings}
	fmt.Fprintf(&w.out, "# yaml-language-server: $schema=../../schema/%s\n", k.SchemaFile)
	for _, text := range o.Comments {
		w.out.WriteString("#\n")
		w.comment("", text)
	}
	oneLine := []string{k.IDKey, "name", "version", "artifact_type"}
	for i := range k.Table.Fields {
		f := &k.Table.Fields[i]
		switch value := root.Get(f.Key); {
		case slices.Contains(oneLine, f.Key) && value.Text() != "":
			fmt.Fprintf(&w.out, "%s: %s\n", f.Key, yamltree.QuoteVisibly(value.Text()))
		case present(value) || f.Required || o.Settings && f.Key == "scoring":
			if f.Value.Shape != schema.Text {
				w.out.WriteByte('\n')
			}
			w.field(f, value, "")
		}
	}
	return []byte(w.out.String())
}

// Canonical writes a document from its canonical form. The result has the same digest.
func Canonical(k *document.Kind, canonical []byte) ([]byte, error) {
	d, err := document.ParseCanonical("document", canonical, k)
	if err != nil {
		return nil, err
	}
	digest, err := d.Digest()
	if err != nil {
		return nil, err
	}
	// A reference has no spaces, so it stays on one line.
	made := Document(k, d.Root(), Options{Comments: []string{d.ID() + "@" + d.Version() + "#" + digest}})
	if again, err := document.ParseAs(source.NewFile("document", made), k).Digest(); err != nil || again != digest {
		return nil, fmt.Errorf("the YAML of %s@%s does not mean the same as its canonical form: %w", d.ID(), d.Version(), err)
	}
	return made, nil
}

// Field writes a key with its value.
func Field(f *schema.Field, value *yamltree.Node) []byte {
	w := &writer{settings: true}
	w.field(f, value, "")
	return []byte(w.out.String())
}

type writer struct {
	out      strings.Builder
	notes    map[string][]string
	settings bool
}

// present reports whether a value has content.
func present(n *yamltree.Node) bool {
	return n != nil && (n.Value != "" || len(n.Entries)+len(n.Items) > 0)
}

// key is a key of a map, in quotes if YAML could read it as anything but a text.
func key(text string) string {
	others := []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
	if slices.Contains(others, text) || !document.IsID(text) {
		return yamltree.QuoteVisibly(text)
	}
	return text
}

// list writes the elements of a list.
func (w *writer) list(list *schema.Value, n *yamltree.Node, indent string) {
	identity := cmp.Or(list.Identity, list.Elem.Variant)
	for i, item := range n.List() {
		if list.Elem.Shape != schema.Object {
			w.out.WriteString(indent + "  -" + scalar(list.Elem, item, indent+"    ") + "\n")
			continue
		}
		if i > 0 {
			w.out.WriteByte('\n')
		}
		name := item.Get(identity).Text()
		for _, note := range w.notes[name] {
			// A text from elsewhere must not end the comment, or ignore a lint rule.
			w.comment(indent+"  ", strings.ReplaceAll(sanitize.Line(note), "rubric-lint:", "rubric-lint"))
		}
		fmt.Fprintf(&w.out, "%s  - %s: %s\n", indent, identity, yamltree.QuoteVisibly(name))
		w.group(list.Elem.FieldsOf(item), item, identity, indent+"    ", false)
	}
}

// group writes the keys of a group except for done, which is already written. all also
// writes the optional keys if there is no value.
func (w *writer) group(fields []schema.Field, n *yamltree.Node, done, indent string, all bool) {
	for i := range fields {
		f := &fields[i]
		if f.Key != done && (f.Required || all && !present(n) || present(n.Get(f.Key))) {
			w.field(f, n.Get(f.Key), indent)
		}
	}
}

// field writes a key with its value, if there is one, or with the keys of its group.
func (w *writer) field(f *schema.Field, n *yamltree.Node, indent string) {
	w.out.WriteString(indent + f.Key + ":")
	switch f.Value.Shape {
	case schema.Object:
		w.out.WriteByte('\n')
		w.group(f.Value.Fields, n, "", indent+"  ", w.settings && !f.Required)
	case schema.List:
		w.out.WriteByte('\n')
		w.list(f.Value, n, indent)
	case schema.Map:
		w.out.WriteByte('\n')
		for _, e := range n.Entries {
			w.out.WriteString(indent + "  " + key(e.Key.Value) + ":" + scalar(f.Value.Elem, e.Value, indent+"    ") + "\n")
		}
	default:
		w.out.WriteString(scalar(f.Value, n, indent+"  ") + "\n")
	}
}

// scalar is a value after its colon or dash: nothing for a missing one. indent is the
// indentation of further lines.
func scalar(v *schema.Value, n *yamltree.Node, indent string) string {
	switch text := n.Text(); {
	case text == "" && n != nil && v.Blank:
		return ` ""`
	case text == "":
		return ""
	case v.Shape != schema.Text && len(schema.Check(v, Plain(text), "")) == 0:
		return " " + text
	case v.Noun == "pattern" || strings.Contains(text, `\`) && !strings.Contains(text, "\n"):
		return " " + yamltree.QuotePattern(text)
	case strings.Contains(text, "\n"):
		return readable(text, strings.ReplaceAll(" |-\n"+indent+strings.ReplaceAll(text, "\n", "\n"+indent),
			"\n"+indent+"\n", "\n\n"))
	case len(text) > width-len(indent) && strings.Contains(text, " "):
		return readable(text, " >-\n"+wording.Wrap(indent, text, width))
	default:
		return " " + yamltree.QuoteVisibly(text)
	}
}

// readable is a text as a block if that reads as the same text, and else in quotes.
func readable(text, block string) string {
	tree, problems := yamltree.Parse(source.NewFile("", []byte("text:"+block+"\n")))
	harmful := slices.ContainsFunc(strings.Split(block, "\n"), func(line string) bool {
		return sanitize.Line(line) != line
	})
	if len(problems) == 0 && tree.Root.Get("text").Text() == text && !harmful &&
		string(sanitize.YAML([]byte(block))) == block {
		return block
	}
	return " " + yamltree.QuoteVisibly(text)
}

const width = 80

func (w *writer) comment(indent, text string) {
	w.out.WriteString(wording.Wrap(indent+"# ", text, width) + "\n")
}

// Plain is a text without quotes as a value.
func Plain(text string) *yamltree.Node {
	n := &yamltree.Node{Kind: yamltree.Scalar, Type: yamltree.String, Style: yamltree.Plain, Value: text}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		n.Type = yamltree.Float
	}
	if text == "true" || text == "false" {
		n.Type = yamltree.Bool
	}
	return n
}
