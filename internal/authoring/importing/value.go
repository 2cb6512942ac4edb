package importing

import (
	"cmp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// value is a mapping of a file in JSON or YAML, with its place in words.
type value struct {
	*yamltree.Node
	reader *reader
	place  string
	// key is the key of the value in its mapping, or "".
	key string
}

// value is the value of a node, which can be nil.
func (r *reader) value(n *yamltree.Node, place string) value {
	n = cmp.Or(n, &yamltree.Node{})
	r.places[n] = place
	return value{n, r, place, ""}
}

// get is the first value under one of the keys, ignoring case, or nil.
func (v *value) get(keys ...string) *yamltree.Node {
	for _, key := range keys {
		for _, e := range v.Entries {
			if strings.EqualFold(e.Key.Value, key) && e.Value.Type != yamltree.Null {
				return e.Value
			}
		}
	}
	return nil
}

// text is the first text under one of the keys. word is text for a name or a number.
func (v *value) text(keys ...string) string {
	for _, key := range keys {
		if n := v.get(key); n != nil && n.Kind == yamltree.Scalar {
			return v.reader.take(n)
		}
	}
	return ""
}

func (v *value) word(keys ...string) string { return strings.TrimSpace(v.text(keys...)) }
