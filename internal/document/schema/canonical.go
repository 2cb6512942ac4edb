package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Canonical returns the canonical form of a tree that passes Check: JSON by RFC
// 8785, without optional values that equal their default, and with derived values.
// Two documents mean the same if and only if their canonical forms are equal.
func Canonical(v *Value, n *yamltree.Node) []byte {
	return canonical{}.value(sized(n), v, n)
}

// CanonicalJudge is the canonical form of the part of a tree that a judge reads:
// the fields with Judge set. A list whose order means nothing to a judge is sorted
// by identity.
func CanonicalJudge(v *Value, n *yamltree.Node) []byte {
	return canonical{judge: true}.value(sized(n), v, n)
}

// sized returns a buffer for a canonical form, which is about as long as the YAML.
func sized(n *yamltree.Node) []byte { return make([]byte, 0, n.Span.End-n.Span.Start+16) }

// EffectiveValue returns the canonical form of the field's value in an object: the written
// value, or else the derived value or the default, or "". object is nil if the
// document does not have it.
func (f *Field) EffectiveValue(object *yamltree.Node) string {
	value := f.valueIn(object)
	if value == nil {
		return f.Default
	}
	text := string(Canonical(f.Value, value))
	if (text == "[]" || text == "{}") && f.Value.EmptyIsAbsent() {
		return ""
	}
	return text
}

// valueIn is the value of the field in an object: the written or else the derived one, or nil.
func (f *Field) valueIn(object *yamltree.Node) *yamltree.Node {
	value := object.Get(f.Key)
	if value == nil && f.Derive != nil {
		if text := f.Derive(func(key string) string { return object.Get(key).Text() }); text != "" {
			return &yamltree.Node{Kind: yamltree.Scalar, Value: text}
		}
	}
	return value
}

// omits reports whether the canonical form has no value n of the field.
func (f *Field) omits(n *yamltree.Node) bool {
	switch {
	case n == nil:
		return true
	case f.Required || f.Default == "" && !f.Value.EmptyIsAbsent():
		return false
	case f.Value.Shape == List || f.Value.Shape == Map:
		return len(n.Items)+len(n.Entries) == 0
	case f.Value.Shape == Object:
		return string(Canonical(f.Value, n)) == "{}"
	}
	return string(Canonical(f.Value, n)) == f.Default
}

type canonical struct {
	judge bool // only what a judge reads
}

func (c canonical) value(out []byte, v *Value, n *yamltree.Node) []byte {
	switch v.Shape {
	case Object:
		return c.object(out, v, n)
	case Map:
		return c.entries(out, v, n)
	case List:
		out = append(out, '[')
		for i, item := range n.Items {
			if i > 0 {
				out = append(out, ',')
			}
			out = c.value(out, v.Elem, item)
		}
		return append(out, ']')
	case Number, Integer:
		number, _ := strconv.ParseFloat(n.Value, 64) // Check accepts only numbers
		return jsontext.AppendNumber(out, number)
	case Flag:
		return strconv.AppendBool(out, strings.EqualFold(n.Value, "true"))
	}
	return jsontext.Append(out, n.Value)
}

func (c canonical) object(out []byte, v *Value, n *yamltree.Node) []byte {
	fields := v.FieldsOf(n)
	sorted := make([]*Field, 0, len(fields))
	for i := range fields {
		if !c.judge || fields[i].Judge {
			sorted = append(sorted, &fields[i])
		}
	}
	slices.SortFunc(sorted, func(a, b *Field) int { return strings.Compare(a.Key, b.Key) })
	out = append(out, '{')
	start := len(out)
	for _, f := range sorted {
		value := f.valueIn(n)
		if f.omits(value) {
			continue
		}
		if len(out) > start {
			out = append(out, ',')
		}
		out = append(jsontext.Append(out, f.Key), ':')
		if c.judge && f.Value.Identity != "" && f.Class.Reordered < Minor {
			list := *value
			list.Items = slices.SortedStableFunc(slices.Values(value.Items), func(a, b *yamltree.Node) int {
				return strings.Compare(Identity(f.Value, a), Identity(f.Value, b))
			})
			value = &list
		}
		out = c.value(out, f.Value, value)
	}
	return append(out, '}')
}

func (c canonical) entries(out []byte, v *Value, n *yamltree.Node) []byte {
	sorted := slices.Clone(n.Entries)
	slices.SortStableFunc(sorted, func(a, b yamltree.KeyValue) int { return strings.Compare(a.Key.Value, b.Key.Value) })
	sorted = slices.CompactFunc(sorted, func(a, b yamltree.KeyValue) bool { return a.Key.Value == b.Key.Value })
	out = append(out, '{')
	for i, e := range sorted {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(jsontext.Append(out, e.Key.Value), ':')
		out = c.value(out, v.Elem, e.Value)
	}
	return append(out, '}')
}
