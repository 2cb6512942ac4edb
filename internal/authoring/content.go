package authoring

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Mapping is a mapping for Draft.Content, from keys that each precede their value: a
// string or a *yamltree.Node. Keys with an empty value are left out.
func Mapping(pairs ...any) *yamltree.Node {
	n := &yamltree.Node{Kind: yamltree.Mapping}
	for i := 0; i+1 < len(pairs); i += 2 {
		put(n, pairs[i].(string), pairs[i+1])
	}
	return n
}

func put(n *yamltree.Node, key string, value any) {
	node, _ := value.(*yamltree.Node)
	if text, _ := value.(string); text != "" {
		node = textNode(text)
	}
	if present(node) {
		n.Entries = append(n.Entries, yamltree.Entry{Key: textNode(key), Value: node})
	}
}

// present reports whether a value is not empty.
func present(n *yamltree.Node) bool {
	return n != nil && (n.Value != "" || len(n.Entries)+len(n.Items) > 0)
}

func textNode(text string) *yamltree.Node {
	return &yamltree.Node{Kind: yamltree.Scalar, Type: yamltree.String, Value: text}
}

// Sequence is a list for Draft.Content.
func Sequence(items ...*yamltree.Node) *yamltree.Node {
	return &yamltree.Node{Kind: yamltree.Sequence, Items: items}
}

// Texts is a list of texts for Draft.Content.
func Texts(texts ...string) *yamltree.Node {
	list := Sequence()
	for _, text := range texts {
		list.Items = append(list.Items, textNode(text))
	}
	return list
}

// skeleton is the content of a draft whose texts are missing.
func (d *Draft) skeleton() *yamltree.Node {
	list, parts := Parts(d.Kind), Sequence()
	for _, name := range d.Parts {
		parts.Items = append(parts.Items, Mapping(list.Value.Identity, name))
	}
	root := Mapping(list.Key, parts)
	for _, s := range Settings(d.Kind, d.Parts) {
		put(s.group(d.Kind, root), s.Field.Key, d.Values[s.Path])
	}
	return root
}

// Missing are the settings that Content does not have.
func (d *Draft) Missing() []Setting {
	var names []string
	list := Parts(d.Kind)
	for _, item := range d.Content.Get(list.Key).List() {
		names = append(names, item.Get(list.Value.Identity).Text())
	}
	return slices.DeleteFunc(Settings(d.Kind, names), func(s Setting) bool {
		return s.group(d.Kind, d.Content).Get(s.Field.Key) != nil
	})
}

// Set adds a setting to Content.
func (d *Draft) Set(s Setting, value string) { put(s.group(d.Kind, d.Content), s.Field.Key, value) }

// group is the part of a content that has a setting.
func (s *Setting) group(k *document.Kind, root *yamltree.Node) *yamltree.Node {
	if s.Part == "" {
		if root.Get(scoringKey) == nil {
			root.Entries = append(root.Entries, yamltree.Entry{Key: textNode(scoringKey), Value: Mapping()})
		}
		return root.Get(scoringKey)
	}
	list := Parts(k)
	parts := root.Get(list.Key).List()
	return parts[slices.IndexFunc(parts, func(n *yamltree.Node) bool { return n.Get(list.Value.Identity).Text() == s.Part })]
}
