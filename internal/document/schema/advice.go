package schema

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// asList says how a value becomes a list, as the rest of a sentence.
func (v *Value) asList(n *yamltree.Node) string {
	isScalar := n.Kind == yamltree.Scalar
	bullet, isBullet := firstBullet(n.Value)
	list := Command(n.Value)
	switch {
	case v.IsCommand && isScalar && list != "":
		return ". Write " + list
	case v.IsCommand && isScalar:
		return ": no shell reads it. Write one program and its arguments in brackets, each in quotes"
	case isScalar && strings.HasPrefix(n.Value, "-"):
		return `. Write an ordinary space after each dash: "- "`
	case isScalar && isBullet:
		return ". Replace each " + Quote(bullet) + ` with a dash: "- "`
	case n.Style == yamltree.Block && v.Elem.Shape == Object:
		return ". Write a dash and a space before the first key of each " + noun(v.Elem) +
			", and indent its other keys like that key"
	case isScalar && len(enumerated(n.Value)) > 1:
		items := enumerated(n.Value)
		for i, item := range items {
			items[i] = yamltree.QuotePattern(item)
		}
		return ". Write [" + strings.Join(items, ", ") + "], or one " + noun(v.Elem) +
			` after "- " if the commas are part of it`
	}
	return `. Write each element on its own line after "- "`
}

// bullets matches a text that begins with a bullet of a list in another notation.
var bullets = lazy.Expr(`^([*+•·‣▪◦●–—−]|[0-9]+[.)])\s`)

func firstBullet(text string) (bullet string, found bool) {
	if m := bullets().FindStringSubmatch(text); m != nil {
		return m[1], true
	}
	return "", false
}

// enumerated returns the parts of a text that are separated by commas or semicolons and spaces.
func enumerated(text string) []string {
	parts := separator().Split(text, -1)
	for _, part := range parts {
		if strings.TrimSpace(part) == "" {
			return nil
		}
	}
	return parts
}

var separator = lazy.Expr(`[,;]\s+`)

// asText returns what was probably meant as a text and was read as a list or a group of keys, in
// quotes, or "": a text [a] in brackets, {a} in braces, or as the item of a list, one with a colon
// and a space in it.
func asText(n *yamltree.Node, isItem bool) string {
	isPlain := func(n *yamltree.Node) bool { return n.Kind == yamltree.Scalar && n.Style == yamltree.Plain }
	switch {
	case n.Style == yamltree.Flow && len(n.Items) == 1 && isPlain(n.Items[0]):
		return yamltree.QuotePattern("[" + n.Items[0].Value + "]")
	case len(n.Entries) != 1 || !isPlain(n.Entries[0].Key) || !isPlain(n.Entries[0].Value):
		return ""
	}
	e := n.Entries[0]
	switch isEmpty := e.Value.Type == yamltree.Null; {
	case n.Style == yamltree.Flow && isEmpty:
		return yamltree.QuotePattern("{" + e.Key.Value + "}")
	case n.Style == yamltree.Block && isItem && !isEmpty && e.Value.Span.Start == e.Key.Span.End+len(": "):
		return yamltree.QuotePattern(e.Key.Value + ": " + e.Value.Value)
	}
	return ""
}

// splitJoined reports each dash too many in a list of objects, and returns the items without them: what
// a dash cuts off is part of the item before it, and nil is in its place.
func (c *checker) splitJoined(v *Value, items []*yamltree.Node, s scope) []*yamltree.Node {
	if v.Identity == "" || len(items) > mostKeys {
		return items
	}
	all := slices.Clone(items)
	for i := 1; i < len(all); i++ {
		before, item := all[i-1], all[i]
		if before == nil || !isRestOf(v.Elem, v.Identity, before, item) {
			continue
		}
		key := item.Entries[0].Key
		in := s
		in.path = s.path.Elem(i-1, Identity(v, before), v.Elem.Noun)
		c.report(in, CodeMissingKey, key.Span, nil,
			"Replace the dash before %s with a space: this is not another %s, but the rest of %s.",
			Quote(key.Value), noun(v.Elem), Quote(Identity(v, before)))
		whole := *before
		whole.Entries = slices.Concat(before.Entries, item.Entries)
		all[i-1], all[i] = nil, &whole
	}
	return all
}

// isRestOf reports whether an item has no identity and only keys that the item before it lacks,
// some of which it needs.
func isRestOf(v *Value, identity string, before, item *yamltree.Node) bool {
	if before.Get(identity) == nil || item.Kind != yamltree.Mapping || item.Get(identity) != nil ||
		len(item.Entries) == 0 {
		return false
	}
	isNeeded := false
	for _, e := range item.Entries {
		f := Find(v.Fields, e.Key.Value)
		if f == nil || before.Get(e.Key.Value) != nil {
			return false
		}
		isNeeded = isNeeded || f.Required
	}
	return isNeeded
}

// reportUnindented reports an object that is empty because its keys are beside it, and returns these keys.
func (c *checker) reportUnindented(fields []Field, n *yamltree.Node, s scope) map[string]bool {
	beside := map[string]bool{}
	for i, e := range n.Entries {
		f := Find(fields, e.Key.Value)
		if f == nil || f.Value.Shape != Object || e.Value.Type != yamltree.Null || e.Value.Kind != yamltree.Scalar {
			continue
		}
		var keys []string
		for _, next := range n.Entries[i+1:] {
			if Find(fields, next.Key.Value) != nil || Find(f.Value.Fields, next.Key.Value) == nil {
				break
			}
			keys = append(keys, Quote(next.Key.Value))
			beside[next.Key.Value] = true
		}
		if len(keys) > 0 {
			in := s
			in.path, in.at = s.path.Key(f.Key, ""), e.Key.Span
			c.report(in, CodeWrongType, e.Key.Span, nil,
				"Indent %s by 2 spaces: these keys belong to %s, which is empty without them.", Or(keys, "and"), Quote(f.Key))
			beside[f.Key] = true
		}
	}
	return beside
}

// ofAnother reports the first item that has the keys of another list of the document, whose own key
// is missing before it, and returns the items with nil in the place of such items.
func (c *checker) ofAnother(v *Value, items []*yamltree.Node, s scope) []*yamltree.Node {
	var reported *Field
	all := items
	for i, item := range items {
		other := c.listOf(v, item)
		if other == nil {
			continue
		}
		if reported != other {
			in := s
			in.path = s.path.Elem(i, Identity(v, item), v.Elem.Noun)
			c.report(in, CodeUnknownKey, firstPlace(item), nil,
				"Write a line %q before this item, or move the item there: its keys are those of a %s.",
				other.Key+":", noun(other.Value.Elem))
			reported, all = other, slices.Clone(items)
		}
		all[i] = nil
	}
	return all
}

// listOf returns the list of the document to which an item of the list v belongs by its keys, or
// nil if that is v.
func (c *checker) listOf(v *Value, item *yamltree.Node) *Field {
	isIn := func(list *Value) bool {
		return !slices.ContainsFunc(item.Entries, func(e yamltree.KeyValue) bool {
			return Find(list.Elem.Fields, e.Key.Value) == nil
		})
	}
	if item == nil || item.Kind != yamltree.Mapping || len(item.Entries) < 2 || len(item.Entries) > mostKeys ||
		v.Elem.Shape != Object || isIn(v) {
		return nil
	}
	for i := range c.root.Fields {
		f := &c.root.Fields[i]
		if f.Value.Shape == List && f.Value != v && f.Value.Elem.Shape == Object && isIn(f.Value) {
			return f
		}
	}
	return nil
}
