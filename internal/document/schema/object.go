package schema

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

func (c *checker) object(v *Value, n *yamltree.Node, s scope) {
	whole := n
	n = firstOfEach(n)
	fields := v.FieldsOf(n)
	meant := c.reportDoubled(fields, whole, s)
	if len(meant) > 0 || !c.repeatedLevels(fields, whole, s) && !c.otherScale(fields, n, s) {
		beside := c.reportUnindented(fields, n, s)
		n = without(n, beside)
		maps.Copy(meant, beside)
		areKnown := v.Variant == "" || v.variantOf(n) != nil && !isRepeated(whole, v.Variant)
		if areKnown {
			maps.Copy(meant, c.unknownKeys(v, fields, n, s))
		}
		c.missingKeys(fields, n, s, meant)
	}
	c.oneOf(v, n, s)
	paths := make([]Path, len(n.Entries))
	for i, e := range n.Entries {
		f := Find(fields, e.Key.Value)
		if f == nil && v.isOther(e.Key.Value) {
			paths[i] = *s.path.Key(e.Key.Value, "")
			c.value(v.Elem, e.Value, scope{
				path: &paths[i], name: Quote(e.Key.Value), blank: adviceOptional, spec: s.spec, at: e.Key.Span,
			})
		}
		if f == nil {
			continue
		}
		paths[i] = *s.path.Key(f.Key, f.Value.Noun)
		inner := scope{path: &paths[i], field: f, spec: cmp.Or(f.Spec, s.spec), at: e.Key.Span}
		if f.Key == s.identity {
			inner.others = s.others
		}
		c.value(f.Value, e.Value, inner)
	}
}

// isOther reports whether an object can have a key that is not among its fields.
func (v *Value) isOther(key string) bool {
	return v.Shape == Object && v.Elem != nil && matches(v.Pattern, key)
}

// without is an object without some of its keys.
func without(n *yamltree.Node, keys map[string]bool) *yamltree.Node {
	if len(keys) == 0 {
		return n
	}
	object := *n
	object.Entries = slices.DeleteFunc(slices.Clone(n.Entries), func(e yamltree.KeyValue) bool {
		return keys[e.Key.Value]
	})
	return &object
}

// mostKeys is how many keys of an object are checked. No object has as many
// fields, but a hostile file can have any number of keys.
const mostKeys = 200

// firstOfEach is an object without repeated keys, which the parser reports, and
// without the keys after mostKeys.
func firstOfEach(n *yamltree.Node) *yamltree.Node {
	if len(n.Entries) <= mostKeys && !n.HasRepeatedKey() {
		return n
	}
	seen := make(map[string]bool, len(n.Entries))
	kept := make([]yamltree.KeyValue, 0, min(len(n.Entries), mostKeys))
	for _, e := range n.Entries {
		if !seen[e.Key.Value] && len(kept) < mostKeys {
			kept = append(kept, e)
		}
		seen[e.Key.Value] = true
	}
	object := *n
	object.Entries = kept
	return &object
}

// variantOf is the variant that the object n names, or nil.
func (v *Value) variantOf(n *yamltree.Node) *Value {
	if v.Variant == "" {
		return nil
	}
	return v.Variants[n.Get(v.Variant).Text()]
}

// FieldsOf is the fields that the object n can have, including those of its
// variant.
func (v *Value) FieldsOf(n *yamltree.Node) []Field {
	variant := v.variantOf(n)
	if variant == nil {
		return v.Fields
	}
	return slices.Concat(v.Fields, variant.Fields)
}

// unknownKeys reports keys that the object does not have, and returns the
// required keys that some of them were probably meant to be.
func (c *checker) unknownKeys(v *Value, fields []Field, n *yamltree.Node, s scope) map[string]bool {
	if v.Open {
		return nil
	}
	var unknown []yamltree.KeyValue
	for _, e := range n.Entries {
		if Find(fields, e.Key.Value) == nil && !v.isOther(e.Key.Value) {
			unknown = append(unknown, e)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	meant := map[string]bool{}
	for _, e := range unknown {
		word, advice := meantKey(fields, n, e.Key.Value, len(unknown) == 1)
		var fix *source.Fix
		if word != "" && !meant[word] && suggest.Clear(e.Key.Value, word, keysOf(fields)) {
			fix = replaced(e.Key, word)
		}
		meant[word] = true
		at := s
		at.path = s.path.Key(e.Key.Value, "")
		c.report(at, CodeUnknownKey, e.Key.Span, fix,
			"%s is not a key of %s, so it has no effect. %s", Quote(e.Key.Value), s.path.Where(c.noun), advice)
	}
	return meant
}

// meantKey is the key that an unknown one was probably meant to be, or "", and
// the resulting advice. only says that no other key of n is unknown.
func meantKey(fields []Field, n *yamltree.Node, key string, only bool) (word, advice string) {
	if strings.HasPrefix(key, "//") {
		return "", "Comments start with #, not //."
	}
	var free, missing []string
	alike := true // the values of all keys are text, as in anchors and examples
	for i := range fields {
		f := &fields[i]
		alike = alike && f.Value.Shape == Text
		if n.Get(f.Key) != nil || !sameNumber(key, f.Key) {
			continue
		}
		free = append(free, f.Key)
		if f.Required {
			missing = append(missing, f.Key)
		}
	}
	if word = suggest.Word(key, free); word == "" && only && alike && len(missing) == 1 {
		word = missing[0]
	}
	if word != "" {
		return word, fmt.Sprintf("Did you mean %q?", word)
	}
	for i := range fields {
		if fields[i].Value.Shape == Object && Find(fields[i].Value.Fields, key) != nil {
			return "", fmt.Sprintf("It belongs under %q.", fields[i].Key)
		}
	}
	return "", "The keys here are " + Or(keysOf(fields), "and") + "."
}

func keysOf(fields []Field) []string {
	var keys []string
	for i := range fields {
		keys = append(keys, fields[i].Key)
	}
	return keys
}

// replaced writes a key or an ID in the place of another. A short one could be read as true or
// null without quotes.
func replaced(n *yamltree.Node, text string) *source.Fix {
	edit := source.Edit{Span: n.Span, Text: text}
	if n.Style != yamltree.Plain || len(text) <= len("false") {
		edit.Text = strconv.Quote(text)
	}
	return &source.Fix{
		Message: fmt.Sprintf("write %q instead of %s", text, Quote(n.Value)), Rewrites: true, Edits: []source.Edit{edit},
	}
}

// numbers are the words for the numbers from 0.
var numbers = strings.Fields("zero one two three four five six seven eight nine ten")

// sameNumber reports whether a key can be a misspelling of another: score_2 is not one of
// score_3, and neither is four of 5.
func sameNumber(key, other string) bool {
	a, errA := strconv.ParseFloat(key, 64)
	b, errB := strconv.ParseFloat(other, 64)
	if errA == nil && errB == nil {
		return a == b // such as 3.0 and 3
	}
	digits := func(text string) string {
		if i := slices.Index(numbers, strings.ToLower(text)); i >= 0 {
			return strconv.Itoa(i)
		}
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, text)
	}
	return digits(key) == digits(other)
}

func (c *checker) missingKeys(fields []Field, n *yamltree.Node, s scope, meant map[string]bool) {
	for i := range fields {
		f := &fields[i]
		if !f.Required || meant[f.Key] || n.Get(f.Key) != nil {
			continue
		}
		at := s
		at.field, at.spec, at.path = f, cmp.Or(f.Spec, s.spec), s.path.Key(f.Key, "")
		c.report(at, CodeMissingKey, firstKey(n, s.at), nil, "Add %q to %s.%s", f.Key, s.path.Where(c.noun), at.meaning())
		if last := &c.problems[len(c.problems)-1]; last.Path == at.path.String() {
			last.Pointer = s.path.Pointer()
		}
	}
}

// firstKey is where a missing key is reported: marking the whole object would fill
// the screen.
func firstKey(n *yamltree.Node, otherwise source.Span) source.Span {
	if len(n.Entries) > 0 {
		return n.Entries[0].Key.Span
	}
	if n.Span.Len() > 0 {
		return n.Span
	}
	return otherwise
}

// oneOf reports an object that has none or several of the keys of which exactly
// one is required.
func (c *checker) oneOf(v *Value, n *yamltree.Node, s scope) {
	if variant := v.variantOf(n); variant != nil {
		v = variant
	}
	var there []string
	for _, key := range v.OneOf {
		if n.Get(key) != nil {
			there = append(there, key)
		}
	}
	switch {
	case len(v.OneOf) == 0 || len(there) == 1:
	case len(there) > 1 && !slices.ContainsFunc(there, func(key string) bool { return !slices.Contains(v.Together, key) }):
	case len(there) == 0:
		c.report(s, CodeMissingKey, firstKey(n, s.at), nil, "Add %s to %s: one of them is required.",
			Or(quoted(v.OneOf), "or"), s.path.Where(c.noun))
	default:
		second := slices.DeleteFunc(slices.Clone(n.Entries), func(e yamltree.KeyValue) bool {
			return !slices.Contains(there, e.Key.Value)
		})[1]
		c.report(s, CodeInvalidValue, second.Key.Span, nil, "Keep one of %s: %s has both.",
			Or(quoted(there), "and"), s.path.Where(c.noun))
	}
}
