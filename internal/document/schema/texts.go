package schema

import "github.com/rubric-library/rubric-library/internal/document/yamltree"

// EachText calls do with the texts of a tree, in the order of the file, as far as the tree has
// the structure of the type. f is the nearest field around a text, and v is the type of the text.
func EachText(v *Value, root *yamltree.Node, do func(f *Field, v *Value, n *yamltree.Node)) {
	eachText(nil, v, root, do)
}

func eachText(f *Field, v *Value, n *yamltree.Node, do func(f *Field, v *Value, n *yamltree.Node)) {
	switch v.Shape {
	case Text:
		if n.Kind == yamltree.Scalar && n.Type == yamltree.String {
			do(f, v, n)
		}
	case Object:
		fields := v.FieldsOf(n)
		for _, e := range n.Entries {
			if inner := Find(fields, e.Key.Value); inner != nil {
				eachText(inner, inner.Value, e.Value, do)
			}
		}
	case Map:
		for _, e := range n.Entries {
			eachText(f, v.Elem, e.Value, do)
		}
	case List:
		for _, item := range n.Items {
			eachText(f, v.Elem, item, do)
		}
	}
}
