package yamltree

import "strings"

// Text is the value of a scalar, or "" if n is nil or not a scalar.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.Value
}

// List has the values of a sequence. It is empty if n is nil or not a sequence.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// IsTrue reports whether n reads as true.
func (n *Node) IsTrue() bool { return strings.EqualFold(n.Text(), "true") }

// EachScalar calls do for the keys and single values of a tree in order. A nil node
// has none.
func (n *Node) EachScalar(do func(n *Node, isKey bool)) {
	if n == nil {
		return
	}
	for _, e := range n.Entries {
		do(e.Key, true)
		e.Value.EachScalar(do)
	}
	for _, item := range n.Items {
		item.EachScalar(do)
	}
	if n.Kind == Scalar {
		do(n, false)
	}
}
