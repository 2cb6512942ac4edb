package schema

import (
	"sort"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// PathAt is the path of the value at an offset of the file, or of the group around
// it. It names the elements of lists.
func PathAt(n *yamltree.Node, offset int) *Path {
	var at *Path
	for n != nil {
		switch {
		case len(n.Entries) > 0:
			i := sort.Search(len(n.Entries), func(i int) bool { return n.Entries[i].Value.Span.End >= offset })
			if i == len(n.Entries) || n.Entries[i].Key.Span.Start > offset {
				return at
			}
			at, n = at.Key(n.Entries[i].Key.Value, ""), n.Entries[i].Value
		case len(n.Items) > 0:
			i := sort.Search(len(n.Items), func(i int) bool { return n.Items[i].Span.End >= offset })
			if i == len(n.Items) || n.Items[i].Span.Start > offset {
				return at
			}
			name := n.Items[i].Get("name")
			if name == nil {
				name = n.Items[i].Get("id")
			}
			at, n = at.Elem(i, name.Text(), ""), n.Items[i]
		default:
			return at
		}
	}
	return at
}
