package schema

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Decode fills the struct that into points to with a tree that passes Check. The
// result is that of encoding/json for the canonical form, several times as fast.
// Keys that the struct does not name are skipped. An array takes the fields of an
// object in their order.
func Decode(v *Value, n *yamltree.Node, into any) {
	decode(v, n, reflect.ValueOf(into).Elem())
}

func decode(v *Value, n *yamltree.Node, out reflect.Value) {
	if out.Kind() == reflect.Pointer {
		out.Set(reflect.New(out.Type().Elem()))
		out = out.Elem()
	}
	switch v.Shape {
	case Object:
		decodeObject(v, n, out)
	case List:
		out.Set(reflect.MakeSlice(out.Type(), len(n.Items), len(n.Items)))
		for i, item := range n.Items {
			decode(v.Elem, item, out.Index(i))
		}
	case Map:
		out.Set(reflect.MakeMapWithSize(out.Type(), len(n.Entries)))
		for _, e := range n.Entries {
			value := reflect.New(out.Type().Elem()).Elem()
			decode(v.Elem, e.Value, value)
			out.SetMapIndex(reflect.ValueOf(e.Key.Value), value)
		}
	case Number, Integer:
		number, err := strconv.ParseFloat(n.Value, 64)
		if err != nil {
			return // not reached for a checked tree
		}
		out.Set(reflect.ValueOf(number).Convert(out.Type()))
	case Flag:
		out.SetBool(strings.EqualFold(n.Value, "true"))
	default:
		out.SetString(n.Value)
	}
}

func decodeObject(v *Value, n *yamltree.Node, out reflect.Value) {
	fields := v.FieldsOf(n)
	for i := range fields {
		f := &fields[i]
		at := out
		if out.Kind() == reflect.Array {
			at = out.Index(i)
		} else if index, known := fieldIndexes(out.Type())[f.Key]; known {
			at = out.Field(index)
		} else {
			continue
		}
		if value := f.valueIn(n); !f.omits(value) {
			decode(f.Value, value, at)
		}
	}
}

// structKeys has the index of each field by its key in JSON, by type.
var structKeys sync.Map

func fieldIndexes(t reflect.Type) map[string]int {
	if keys, ok := structKeys.Load(t); ok {
		return keys.(map[string]int)
	}
	keys := map[string]int{}
	for i := range t.NumField() {
		key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		keys[key] = i
	}
	structKeys.Store(t, keys)
	return keys
}
