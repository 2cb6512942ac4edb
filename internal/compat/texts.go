package compat

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// texts records which texts of a group moved to another key and whether all were replaced
// at once, if the table has a class for that. It returns the keys that this covers.
func (w *walk) texts(f *schema.Field, at place) []string {
	if f.Class.Moved == 0 && f.Class.Replaced == 0 {
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
			w.moved(f, at, from, to)
			moved = append(moved, to)
		}
	}
	// All are replaced if no key keeps the words of its text.
	keeps := func(key string) bool {
		return g.base[key] == "" || g.head[key] == "" || words(g.base[key]) == words(g.head[key])
	}
	if len(moved) == 0 && f.Class.Replaced != 0 && !slices.ContainsFunc(keys, keeps) {
		w.add(schema.Replaced, f, at, canonical(f.Value, at.base), canonical(f.Value, at.head))
		return keys
	}
	return moved
}

// moved records that the text of one key moved to another.
func (w *walk) moved(f *schema.Field, at place, from, to string) {
	old, now := at.base.key(from, ""), at.head.key(to, "")
	moved := w.add(schema.Moved, f, place{old, now, at.index, at.owner}, old.value(old.node.Value), now.value(now.node.Value))
	moved.key = pattern(at.head.path)
	moved.subject = "the text of " + subject(schema.Find(f.Value.Fields, from), pattern(old.path))
	moved.target = subject(schema.Find(f.Value.Fields, to), pattern(now.path))
}

// group has the texts of a group by key, "" if there is none.
type group struct {
	base, head map[string]string
}

// cameFrom returns the previous key of the text of a key, or "" if it did not move. An
// identical text takes precedence over one with the same words.
func (g group) cameFrom(to string, keys []string) string {
	if g.head[to] == "" || g.head[to] == g.base[to] {
		return ""
	}
	for _, from := range keys {
		if from != to && g.head[to] == g.base[from] && g.head[from] != g.base[from] {
			return from
		}
	}
	text := words(g.head[to])
	if text == words(g.base[to]) {
		return ""
	}
	for _, from := range keys {
		if from != to && g.base[from] != "" && text == words(g.base[from]) && text != words(g.head[from]) {
			return from
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
