package compat

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/textdiff"
)

// list compares two lists: which elements were added, removed, or replaced, and whether
// the common elements have another order.
func (w *walk) list(f *schema.Field, at place) {
	list, base, head := f.Value, at.base.node.List(), at.head.node.List()
	before, after := keys(list, base), keys(list, head)
	match := matching(before, after)
	if list.Identity != "" {
		match.joinRenamed(list, base, head)
	} else {
		match.joinNeighbors()
	}
	if !match.inOrder() {
		w.add(schema.Reordered, f, at, overview(list, at.base), overview(list, at.head))
	}
	for j, i := range match.ofHead {
		both := pair{i, j}
		switch {
		case i == alone:
			w.element(schema.Added, f, at, both)
		case list.Identity != "" && before[i] != after[j]:
			w.element(schema.Renamed, f, at, both)
		case list.Identity == "" && before[i] == after[j]: // the keys are their whole content
		case list.Elem.Shape == schema.Object:
			w.compareInside(list, at, both)
		default:
			w.element(schema.Changed, f, at, both)
		}
	}
	for i, j := range match.ofBase {
		if j == alone {
			w.element(schema.Removed, f, at, pair{i, alone})
		}
	}
}

func (w *walk) compareInside(list *schema.Value, at place, both pair) {
	inner := place{at.base.elem(both.base, list), at.head.elem(both.head, list), both, ""}
	inner.owner = schema.Quote(schema.Identity(list, inner.head.node))
	if list.Identity == "" {
		inner.owner = fmt.Sprintf("%s %d of %s", list.Elem.Noun, both.head+1, at.owner)
	}
	first := len(w.found)
	w.object(list.Elem, inner, list.Identity)
	w.searches(first, inner)
}

func (w *walk) element(way schema.Way, f *schema.Field, at place, both pair) {
	list := f.Value
	elem := place{at.base.elem(both.base, list), at.head.elem(both.head, list), both, at.owner}
	if list.Identity == "" {
		elem.index = at.index
	}
	base, head := nameOf(list, elem.base, both.base), nameOf(list, elem.head, both.head)
	added := w.add(way, f, elem, base, head)
	shown := head
	if way == schema.Removed || way == schema.Renamed {
		shown = base
	}
	container := the(f.Key) + " of " + at.owner
	switch {
	case list.Identity != "":
		added.subject, added.owner = list.Elem.Noun+" "+schema.Quote(shown.Text), ""
	case list.Elem.Shape == schema.Object:
		added.subject, added.owner = fmt.Sprintf("%s %d", list.Elem.Noun, max(both.base, both.head)+1), container
	case way == schema.Changed:
		added.subject = "one " + list.Elem.Noun + " in " + the(f.Key)
	default:
		added.subject, added.owner = "the "+list.Elem.Noun+" "+schema.Quote(shown.Text), container
	}
}

// nameOf represents an element by its name, by its text, or as canonical JSON. It is nil if
// the element is alone on the other side.
func nameOf(list *schema.Value, s side, index int) *Value {
	switch {
	case index == alone:
		return nil
	case list.Identity != "":
		return side{node: s.node.Get(list.Identity)}.value(schema.Identity(list, s.node))
	case list.Elem.Shape == schema.Text:
		return s.value(s.node.Value)
	}
	return canonical(list.Elem, s)
}

func canonical(v *schema.Value, s side) *Value {
	return s.value(string(schema.Canonical(v, s.node)))
}

// overview represents the elements of a list in order.
func overview(list *schema.Value, s side) *Value {
	if list.Identity == "" {
		return canonical(list, s)
	}
	return s.value(strings.Join(keys(list, s.node.List()), ", "))
}

// keys returns the keys that distinguish the elements of a list: their identities, or
// their whole content.
func keys(list *schema.Value, items []*yamltree.Node) []string {
	out := make([]string, len(items))
	for i, item := range items {
		if list.Identity != "" {
			out[i] = schema.Identity(list, item)
		} else {
			out[i] = string(schema.Canonical(list.Elem, item))
		}
	}
	return out
}

// texts records which texts of a group moved to another key and whether all were replaced
// at once, if the table has classes for that. It returns the keys that this covers.
func (w *walk) texts(f *schema.Field, at place) []string {
	if f.Class.Moved == 0 {
		return nil
	}
	g := group{map[string]string{}, map[string]string{}}
	var keys []string
	for i := range f.Value.Fields {
		key := f.Value.Fields[i].Key
		keys = append(keys, key)
		g.base[key], g.head[key] = at.base.node.Get(key).Text(), at.head.node.Get(key).Text()
	}
	var moved []string
	for _, to := range keys {
		if from := g.cameFrom(to, keys); from != "" {
			w.reportMove(f, at, from, to)
			moved = append(moved, to)
		}
	}
	// All are replaced if no key keeps the words of its text.
	keeps := func(key string) bool { return words(g.base[key]) == words(g.head[key]) }
	if len(moved) == 0 && f.Class.Replaced != 0 && !slices.ContainsFunc(keys, keeps) {
		all := w.add(schema.Replaced, f, at, canonical(f.Value, at.base), canonical(f.Value, at.head))
		all.numbers = sayNumbers(g.numbers(keys))
		return keys
	}
	return moved
}

func (w *walk) reportMove(f *schema.Field, at place, from, to string) {
	old, now := at.base.key(from, ""), at.head.key(to, "")
	before, after := old.value(old.node.Value), now.value(now.node.Value)
	moved := w.add(schema.Moved, f, place{old, now, at.index, at.owner}, before, after)
	moved.key = pattern(at.head.path)
	moved.subject = "the text of " + subject(schema.Find(f.Value.Fields, from), pattern(old.path))
	moved.target = subject(schema.Find(f.Value.Fields, to), pattern(now.path))
}

// group has the texts of a group by key, "" if there is none.
type group struct {
	base, head map[string]string
}

// numbers are the numbers that became others, by key.
func (g group) numbers(keys []string) (all []textdiff.Became) {
	for _, key := range keys {
		for _, b := range textdiff.Numbers(g.base[key], g.head[key]) {
			if !slices.Contains(all, b) {
				all = append(all, b)
			}
		}
	}
	return all
}

// cameFrom returns the previous key of the text of a key, or "" if it did not move. An
// identical text takes precedence over one with the same words.
func (g group) cameFrom(to string, keys []string) string {
	identical := func(text string) string { return text }
	for _, form := range []func(string) string{identical, words} {
		text := form(g.head[to])
		if g.head[to] == "" || text == form(g.base[to]) {
			return ""
		}
		for _, from := range keys {
			if g.base[from] != "" && text == form(g.base[from]) && text != form(g.head[from]) {
				return from
			}
		}
	}
	return ""
}

// words normalizes case, punctuation, and layout. A full stop added to five anchors
// does not change the scale, and does not hide a changed scale.
func words(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Number, unicode.Symbol)
	}), " ")
}
