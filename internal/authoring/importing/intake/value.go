package intake

import (
	"cmp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Value is a mapping of a file in JSON or YAML, with its place in words.
type Value struct {
	*yamltree.Node
	reader *Reader
	Place  string
	// key is the key of the value in its mapping, or "".
	key string
}

// Value is the value of a node, which can be nil.
func (r *Reader) Value(n *yamltree.Node, place string) Value {
	n = cmp.Or(n, &yamltree.Node{})
	r.places[n] = place
	return Value{n, r, place, ""}
}

// Get is the first value under one of the keys, ignoring case, or nil.
func (v *Value) Get(keys ...string) *yamltree.Node {
	for _, key := range keys {
		for _, e := range v.Entries {
			if strings.EqualFold(e.Key.Value, key) && e.Value.Type != yamltree.Null {
				return e.Value
			}
		}
	}
	return nil
}

// Text is the first text under one of the keys. word is text for a name or a number.
func (v *Value) Text(keys ...string) string {
	for _, key := range keys {
		if n := v.Get(key); n != nil && n.Kind == yamltree.Scalar {
			return v.reader.Take(n)
		}
	}
	return ""
}

// Word is such a text for a name or a number.
func (v *Value) Word(keys ...string) string { return strings.TrimSpace(v.Text(keys...)) }
