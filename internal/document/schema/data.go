package schema

import (
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Data returns a value as data of Go: an Object as map[string]any with all keys that its type has,
// a List as []any, a Map as map[string]string, a number as float64, a Flag as bool, and any other
// value as string. What is absent, null, or of another shape has its derived value or its default,
// or else is empty: "", 0, false, or without elements.
func Data(v *Value, n *yamltree.Node) any {
	switch v.Shape {
	case Object:
		return dataOfObject(v, n)
	case List:
		items := n.List()
		all := make([]any, len(items))
		for i, item := range items {
			all[i] = Data(v.Elem, item)
		}
		return all
	case Map:
		all := map[string]string{}
		if n != nil {
			for _, e := range n.Entries {
				all[e.Key.Value] = textOf(e.Value)
			}
		}
		return all
	case Number, Integer:
		number, _ := strconv.ParseFloat(textOf(n), 64) // 0 for what is no number
		return number
	case Flag:
		return n.IsTrue()
	}
	return textOf(n)
}

func dataOfObject(v *Value, n *yamltree.Node) map[string]any {
	all := map[string]any{}
	for i := range v.Fields {
		all[v.Fields[i].Key] = v.Fields[i].data(n)
	}
	for _, variant := range v.Variants {
		for i := range variant.Fields {
			all[variant.Fields[i].Key] = variant.Fields[i].data(n)
		}
	}
	return all
}

// data returns the value of the field in an object, which can be nil.
func (f *Field) data(object *yamltree.Node) any {
	value := f.valueIn(object)
	if value == nil && f.Default != "" {
		value = &yamltree.Node{Kind: yamltree.Scalar, Value: strings.Trim(f.Default, `"`)}
	}
	return Data(f.Value, value)
}

// textOf returns the text of a single value; "" if it has none.
func textOf(n *yamltree.Node) string {
	if n == nil || n.Type == yamltree.Null {
		return ""
	}
	return n.Value
}
