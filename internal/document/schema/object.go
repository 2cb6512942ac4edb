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
	meant := c.doubled(fields, whole, s)
	if len(meant) > 0 || !c.otherScale(fields, n, s) {
		if v.Variant == "" || v.variantOf(n) != nil && !isRepeated(whole, v.Variant) { // otherwise, the allowed keys are unknown
			maps.Copy(meant, c.unknownKeys(v, fields, n, s))
		}
		c.missingKeys(fields, n, s, meant)
	}
	c.oneOf(v, n, s)
	paths := make([]Path, len(n.Entries))
	for i, e := range n.Entries {
		f := Find(fields, e.Key.Value)
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

// otherScale reports the keys of a scale with other numbers or with words, all of them at once: which
// of them stands for which number can't be known.
func (c *checker) otherScale(fields []Field, n *yamltree.Node, s scope) bool {
	if len(fields) < 2 || len(fields) >= len(numbers) || len(n.Entries) < 2 || fields[0].Key > "9" {
		return false
	}
	low, errLow := strconv.Atoi(fields[0].Key)
	high, errHigh := strconv.Atoi(fields[len(fields)-1].Key)
	if errLow != nil || errHigh != nil {
		return false
	}
	noun := cmp.Or(s.field.Value.Noun, s.field.Key)
	var keys []int
	for _, e := range n.Entries {
		if key, err := strconv.Atoi(e.Key.Value); err == nil {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		c.report(s, CodeUnknownKey, firstKey(n, s.at), nil, "The scale is %d to %d, and these %s begin with %s: write %d to %d as their keys, from the worst work to the best.",
			low, high, noun, Quote(n.Entries[0].Key.Value), low, high)
		return true
	} else if len(keys) < len(n.Entries) {
		return false
	}
	first, last := slices.Min(keys), slices.Max(keys)
	if first == low && last == high || first > low && last <= high {
		return false // a level is missing
	}
	code, advice := CodeUnknownKey, "write "+numbers[len(fields)]+" levels"
	if stray, missing := strayKeys(fields, n); len(stray) == 1 && len(missing) == 1 && (first == low || last == high) {
		c.report(s, code, stray[0].Span, nil, "%s is not on the scale of %d to %d, and %s is missing: %s.",
			stray[0].Value, low, high, missing[0], numbered(fields, n, missing[0]))
		return true
	}
	switch {
	case first == low+1 && last == high+1 && len(keys) == len(fields):
		advice = "subtract 1 from each key and threshold"
	case first == low-1 && last == high-1 && len(keys) == len(fields):
		advice = "add 1 to each key and threshold"
	case first == low && last < high:
		code = CodeMissingKey
	}
	c.report(s, code, firstKey(n, s.at), nil, "The scale is %d to %d, and these %s go from %d to %d: %s.",
		low, high, noun, first, last, advice)
	return true
}

// strayKeys returns the keys of an object that are none of its fields, and the fields that it lacks.
func strayKeys(fields []Field, n *yamltree.Node) (stray []*yamltree.Node, missing []string) {
	for _, e := range n.Entries {
		if Find(fields, e.Key.Value) == nil {
			stray = append(stray, e.Key)
		}
	}
	for i := range fields {
		if n.Get(fields[i].Key) == nil {
			missing = append(missing, fields[i].Key)
		}
	}
	return stray, missing
}

// numbered says how the levels of a scale get the keys that they should have: by another key for one of them, if
// all others are in their places.
func numbered(fields []Field, n *yamltree.Node, missing string) string {
	wrong, isStray := 0, false
	for i, e := range n.Entries {
		if e.Key.Value != fields[i].Key {
			wrong++
			isStray = fields[i].Key == missing
		}
	}
	if wrong == 1 && isStray {
		return "write " + missing + " instead"
	}
	return "number the levels from " + fields[0].Key + " to " + fields[len(fields)-1].Key + ", from the worst work to the best"
}

// doubled reports keys of an object of texts that are there twice while others are missing, such as 1, 2, 3, 3, 5,
// and returns the missing ones. The parser reports all other repeated keys.
func (c *checker) doubled(fields []Field, n *yamltree.Node, s scope) map[string]bool {
	meant := map[string]bool{}
	if !n.HasRepeatedKey() || slices.ContainsFunc(fields, func(f Field) bool { return f.Value.Shape != Text }) || len(n.Entries) > len(fields) {
		return meant
	}
	_, missing := strayKeys(fields, n)
	if required := slices.DeleteFunc(slices.Clone(missing), func(key string) bool { return !Find(fields, key).Required }); len(required) == extraKeys(n) {
		missing = required
	}
	if len(missing) != extraKeys(n) {
		return meant
	}
	slices.SortFunc(missing, strings.Compare)
	expected := slices.DeleteFunc(keysOf(fields), func(key string) bool { return n.Get(key) == nil && !slices.Contains(missing, key) })
	if len(expected) != len(n.Entries) {
		return meant // there are other keys
	}
	wrong := misplaced(n, expected)
	if slices.Reverse(expected); len(misplaced(n, expected)) < len(wrong) {
		wrong = misplaced(n, expected)
	} else {
		slices.Reverse(expected)
	}
	isClear := len(wrong) == len(missing) && !slices.ContainsFunc(wrong, func(i int) bool {
		return !isRepeated(n, n.Entries[i].Key.Value) || !slices.Contains(missing, expected[i])
	})
	if !isClear {
		wrong = secondPlaces(n)
	}
	for i, at := range wrong {
		key, want, advice := n.Entries[at].Key, expected[at], "write "+expected[at]+" here"
		if !isClear {
			want, advice = missing[i], "give these texts the keys "+Or(expected, "and")+" in their order"
		}
		in := s
		in.path = s.path.Key(key.Value, "")
		c.report(in, yamltree.CodeDuplicateKey, key.Span, nil, "The key %s appears twice, and %s is missing: %s.", Quote(key.Value), Quote(want), advice)
		meant[want] = true
	}
	return meant
}

// secondPlaces returns the indexes of the entries whose key is that of an entry before.
func secondPlaces(n *yamltree.Node) (repeated []int) {
	seen := map[string]bool{}
	for i, e := range n.Entries {
		if seen[e.Key.Value] {
			repeated = append(repeated, i)
		}
		seen[e.Key.Value] = true
	}
	return repeated
}

// extraKeys is how many keys would have to be removed for each to be there once.
func extraKeys(n *yamltree.Node) int {
	keys := map[string]bool{}
	for _, e := range n.Entries {
		keys[e.Key.Value] = true
	}
	return len(n.Entries) - len(keys)
}

// misplaced returns the indexes of the entries that have another key than expected there.
func misplaced(n *yamltree.Node, expected []string) (wrong []int) {
	for i, e := range n.Entries {
		if e.Key.Value != expected[i] {
			wrong = append(wrong, i)
		}
	}
	return wrong
}

// isRepeated reports whether an object has a key more than once.
func isRepeated(n *yamltree.Node, key string) bool {
	count := 0
	for _, e := range n.Entries {
		if e.Key.Value == key {
			count++
		}
	}
	return count > 1
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
	kept := make([]yamltree.Entry, 0, min(len(n.Entries), mostKeys))
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
	var unknown []yamltree.Entry
	for _, e := range n.Entries {
		if Find(fields, e.Key.Value) == nil {
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
		c.report(at, CodeUnknownKey, e.Key.Span, fix, "%s is not a key of %s, so it has no effect. %s", Quote(e.Key.Value), s.path.Where(c.noun), advice)
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
		c.report(s, CodeMissingKey, firstKey(n, s.at), nil, "Add %s to %s: one of them is required.", Or(quoted(v.OneOf), "or"), s.path.Where(c.noun))
	default:
		second := slices.DeleteFunc(slices.Clone(n.Entries), func(e yamltree.Entry) bool { return !slices.Contains(there, e.Key.Value) })[1]
		c.report(s, CodeInvalidValue, second.Key.Span, nil, "Keep one of %s: %s has both.", Or(quoted(there), "and"), s.path.Where(c.noun))
	}
}
