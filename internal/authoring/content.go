package authoring

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

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
			n.Entries = append(n.Entries, yamltree.Entry{Key: textNode(pairs[i].(string)), Value: node})
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

// skeleton is the content of a draft whose texts are missing.
func (d *Draft) skeleton() *yamltree.Node {
	list, scoring := Parts(d.Kind), Mapping()
	parts := &yamltree.Node{Kind: yamltree.Sequence}
	for _, name := range d.Parts {
		parts.Items = append(parts.Items, Mapping(list.Value.Identity, name))
	}
	for _, s := range Settings(d.Kind, d.Parts) {
		in := scoring
		if i := slices.Index(d.Parts, s.Part); i >= 0 {
			in = parts.Items[i]
		}
		in.Entries = append(in.Entries, Mapping(s.Field.Key, d.Values[s.Path]).Entries...)
	}
	return Mapping(list.Key, parts, scoringKey, scoring)
}
