package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Checks of the keys of a scale, such as those of anchors: one is another, is there twice, or is missing.

// scaleOf returns the first and the last key of 2 to 10 fields as the ends of a scale. ok is false for other
// objects, and if one of the two keys is not a whole number.
func scaleOf(fields []Field) (low, high int, ok bool) {
	if len(fields) < 2 || len(fields) >= len(numbers) {
		return 0, 0, false
	}
	low, errLow := strconv.Atoi(fields[0].Key)
	high, errHigh := strconv.Atoi(fields[len(fields)-1].Key)
	return low, high, errLow == nil && errHigh == nil
}

// repeatedLevels reports the first key that a scale has twice, and returns whether it did. The caller has
// ruled out that another key is meant (reportDoubled). It leaves keys with the same text, and more than ten
// levels, to the parser. Which texts belong to which level, or belong together, only their author knows.
func (c *checker) repeatedLevels(fields []Field, n *yamltree.Node, s scope) bool {
	low, high, ok := scaleOf(fields)
	levels := len(n.Entries)
	if !ok || levels >= len(numbers) || !n.HasRepeatedKey() || repeatsText(n) {
		return false
	}
	key := n.Entries[secondPlaces(n)[0]].Key
	advice := fmt.Sprintf(": number the levels from %d to %d, from the worst work to the best.", low, high)
	_, missing := strayKeys(fields, n)
	switch {
	case levels > len(fields):
		advice = fmt.Sprintf(": these %s have %s levels, and the scale has %s. Join the texts of neighboring levels until %[3]s are left,"+
			" and number them from %d to %d.",
			cmp.Or(s.field.Value.Noun, s.field.Key), numbers[levels], numbers[len(fields)], low, high)
	case levels < len(fields):
		advice = fmt.Sprintf(", and %s are missing: give each text its own key, and add the texts that are missing.", Or(missing, "and"))
	}
	c.report(s, yamltree.CodeDuplicateKey, key.Span, nil, "The key %s appears twice%s", Quote(key.Value), advice)
	return true
}

// repeatsText reports whether the text of a repeated key is that of its first place.
func repeatsText(n *yamltree.Node) bool {
	return slices.ContainsFunc(secondPlaces(n), func(i int) bool {
		e := n.Entries[i]
		return e.Value.Value == n.Get(e.Key.Value).Value
	})
}

// otherScale reports a scale with other numbers or with words as one problem, and returns whether it did.
// It suggests keys only where they are clear: for a single wrong number, or if all are off by one. It
// leaves a mixture of numbers and words, and a missing level, to the other checks.
func (c *checker) otherScale(fields []Field, n *yamltree.Node, s scope) bool {
	low, high, ok := scaleOf(fields)
	if !ok || len(n.Entries) < 2 {
		return false
	}
	noun := cmp.Or(s.field.Value.Noun, s.field.Key)
	keys := numbersOf(n.Entries)
	if len(keys) == 0 {
		c.report(s, CodeUnknownKey, firstKey(n, s.at), nil,
			"The scale is %d to %d, and these %s begin with %s: write %d to %d as their keys, from the worst work to the best.",
			low, high, noun, Quote(n.Entries[0].Key.Value), low, high)
		return true
	} else if len(keys) < len(n.Entries) {
		return false
	}
	first, last := slices.Min(keys), slices.Max(keys)
	if first >= low && last == high || first > low && last < high {
		return false // a level is missing
	}
	if stray, missing := strayKeys(fields, n); len(stray) == 1 && len(missing) == 1 && (first == low || last == high) {
		c.report(s, CodeUnknownKey, stray[0].Span, nil, "%s is not on the scale of %d to %d, and %s is missing: %s.",
			stray[0].Value, low, high, missing[0], numbered(fields, n, missing[0]))
		return true
	}
	code := CodeUnknownKey
	if first == low && last < high {
		code = CodeMissingKey
	}
	advice := ""
	if by := first - low; by == last-high && len(keys) == len(fields) {
		advice = map[int]string{1: "subtract 1 from each key and threshold", -1: "add 1 to each key and threshold"}[by]
	}
	c.report(s, code, firstKey(n, s.at), nil, "The scale is %d to %d, and these %s go from %d to %d: %s.",
		low, high, noun, first, last, cmp.Or(advice, "write "+numbers[len(fields)]+" levels"))
	return true
}

// numbersOf returns the keys that are whole numbers.
func numbersOf(entries []yamltree.KeyValue) (keys []int) {
	for _, e := range entries {
		if key, err := strconv.Atoi(e.Key.Value); err == nil {
			keys = append(keys, key)
		}
	}
	return keys
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

// numbered says how the levels of a scale get the keys that they should have: by another key for
// one of them, if all others are in their places.
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
	return "number the levels from " + fields[0].Key + " to " + fields[len(fields)-1].Key +
		", from the worst work to the best"
}

// reportDoubled reports keys of an object of texts that are there twice while as many others are missing,
// such as 1, 2, 3, 3, 5, and returns the missing ones. Other repeated keys are for repeatedLevels or the parser.
func (c *checker) reportDoubled(fields []Field, n *yamltree.Node, s scope) map[string]bool {
	meant := map[string]bool{}
	isOther := func(f Field) bool { return f.Value.Shape != Text }
	if !n.HasRepeatedKey() || len(n.Entries) > len(fields) || slices.ContainsFunc(fields, isOther) {
		return meant
	}
	missing := absentKeys(fields, n)
	if len(missing) != extraKeys(n) {
		return meant
	}
	isAbsent := func(key string) bool { return n.Get(key) == nil && !slices.Contains(missing, key) }
	expected := slices.DeleteFunc(keysOf(fields), isAbsent)
	if len(expected) != len(n.Entries) {
		return meant // there are other keys
	}
	wrong := misplaced(n, expected)
	slices.Reverse(expected)
	if len(misplaced(n, expected)) < len(wrong) {
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
		c.report(in, yamltree.CodeDuplicateKey, key.Span, nil,
			"The key %s appears twice, and %s is missing: %s.", Quote(key.Value), Quote(want), advice)
		meant[want] = true
	}
	return meant
}

// absentKeys returns the keys that an object lacks, sorted: only those that are required if as many
// keys are there twice.
func absentKeys(fields []Field, n *yamltree.Node) []string {
	_, missing := strayKeys(fields, n)
	isOptional := func(key string) bool { return !Find(fields, key).Required }
	required := slices.DeleteFunc(slices.Clone(missing), isOptional)
	if len(required) == extraKeys(n) {
		missing = required
	}
	slices.SortFunc(missing, strings.Compare)
	return missing
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
