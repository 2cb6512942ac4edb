package authoring

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// firstVersion is the version of a new document: a draft.
const firstVersion = "0.1.0"

// Draft is the initial content of a new document.
type Draft struct {
	Kind                   *document.Kind
	ID, Name, ArtifactType string
	// Content has the keys except for those above and the version. Missing required keys are
	// left empty. Without Content, the draft is an example to replace.
	Content *yamltree.Node
	// Original, unless it is nil, is the document that the draft begins as a copy of, instead of
	// Content.
	Original *document.Document
	// Parts are the names of the criteria, or the IDs of the rules, of an example. Without
	// them, it has its own.
	Parts []string
	// Notes are comments for the author above criteria or rules of Content, by name.
	Notes map[string][]string
	// Source is the file that Content is imported from, and Part is the part of it and its format.
	Source, Part string

	// old is the document that the draft replaces, or nil. version is "" for firstVersion.
	old     *document.Document
	version string
}

// Parts is the field of a kind that lists its criteria or its rules.
func Parts(k *document.Kind) *schema.Field {
	i := slices.IndexFunc(k.Table.Fields, func(f schema.Field) bool { return f.Required && f.Value.Identity != "" })
	return &k.Table.Fields[i]
}

// Mapping is a mapping for Draft.Content, from keys that each precede their value: a
// string or a *yamltree.Node. Keys with an empty value are left out.
func Mapping(pairs ...any) *yamltree.Node {
	n := &yamltree.Node{Kind: yamltree.Mapping}
	for i := 0; i+1 < len(pairs); i += 2 {
		node, _ := pairs[i+1].(*yamltree.Node)
		if text, ok := pairs[i+1].(string); ok {
			node = textNode(text)
		}
		if present(node) {
			n.Entries = append(n.Entries, yamltree.KeyValue{Key: textNode(pairs[i].(string)), Value: node})
		}
	}
	return n
}

func textNode(text string) *yamltree.Node {
	return &yamltree.Node{Kind: yamltree.Scalar, Type: yamltree.String, Value: text}
}

func present(n *yamltree.Node) bool {
	return n != nil && (n.Value != "" || len(n.Entries)+len(n.Items) > 0)
}

// example is the content of a draft without Content. Its texts repeat if it has more parts than
// the example.
func (d *Draft) example() *yamltree.Node {
	root := d.Kind.Draft()
	list := Parts(d.Kind)
	parts := root.Get(list.Key)
	texts := parts.Items
	for i, name := range d.Parts {
		part := *texts[i%len(texts)]
		part.Entries = slices.Clone(part.Entries)
		at := slices.IndexFunc(part.Entries, func(e yamltree.KeyValue) bool { return e.Key.Value == list.Value.Identity })
		part.Entries[at].Value = textNode(name)
		parts.Items = append(parts.Items, &part)
	}
	if len(d.Parts) > 0 {
		parts.Items = parts.Items[len(texts):]
	}
	return root
}
