package yamltree

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// maxRepeated is how many repeated keys, or merge conflicts, of a file are reported.
const maxRepeated = 20

// duplicateKeys reports each key that is in its mapping more than once, at its
// second place. Keys are equal if their texts are, whatever their type: most
// parsers read 1 and "1" as the same key. Keys that repeat together are one problem.
func duplicateKeys(f *source.File, n *Node) []source.Problem {
	return duplicates{file: f}.findIn(n, nil)
}

type duplicates struct {
	file *source.File
}

// findIn finds the repeated keys of a value, which is an item of list unless that is nil.
func (d duplicates) findIn(n, list *Node) (problems []source.Problem) {
	if n.HasRepeatedKey() {
		problems = d.reportRepeated(n, list)
	}
	for _, e := range n.Entries {
		problems = append(problems, d.findIn(e.Value, nil)...)
	}
	for _, item := range n.Items {
		problems = append(problems, d.findIn(item, n)...)
	}
	return problems[:min(len(problems), maxRepeated)]
}

// HasRepeatedKey reports whether a mapping has a key more than once.
func (n *Node) HasRepeatedKey() bool {
	seen := make(map[string]bool, len(n.Entries))
	for _, e := range n.Entries {
		seen[e.Key.Value] = true
	}
	return len(seen) < len(n.Entries)
}

// reportRepeated reports the repeated keys of a mapping: where its keys begin again, or else each of them.
func (d duplicates) reportRepeated(n, list *Node) (problems []source.Problem) {
	groups := groupsOf(n.Entries)
	isItem := list != nil && n.Style == Block && list.Style == Block
	first := keysOf(groups[0])
	for i, g := range groups {
		if i == 0 || !repeats(first, g) || len(problems) == maxRepeated {
			continue
		}
		if isItem {
			problems = append(problems, d.missingDash(list, groups[i-1], g))
		} else {
			problems = append(problems, d.groupProblem(groups[0], g))
		}
	}
	if len(problems) > 0 {
		return problems
	}
	return d.eachRepeated(n.Entries, isItem)
}

// groupsOf splits the entries of a mapping such that no group repeats a key. A group begins at the
// first key that the one before it already has.
func groupsOf(entries []KeyValue) (groups [][]KeyValue) {
	seen, start := map[string]bool{}, 0
	for i, e := range entries {
		if seen[e.Key.Value] {
			groups = append(groups, entries[start:i])
			clear(seen)
			start = i
		}
		seen[e.Key.Value] = true
	}
	return append(groups, entries[start:])
}

// keysOf is the set of the keys of a group.
func keysOf(group []KeyValue) map[string]bool {
	keys := make(map[string]bool, len(group))
	for _, e := range group {
		keys[e.Key.Value] = true
	}
	return keys
}

// repeats reports whether a group has at least two of the keys. A single one was probably written
// twice.
func repeats(keys map[string]bool, group []KeyValue) bool {
	count := 0
	for _, e := range group {
		if keys[e.Key.Value] {
			count++
		}
	}
	return count > 1
}

// missingDash reports a group of keys in the item of a list that is the next item. It begins at its
// first key, or at a key before it that follows an empty line.
func (d duplicates) missingDash(list *Node, before, group []KeyValue) source.Problem {
	key, or, has := group[0].Key, "", keysOf(group)
	for i := len(before) - 1; i > 0 && !has[before[i].Key.Value]; i-- {
		or = fmt.Sprintf(" (or at %s, if the next item begins there)", shown([]byte(before[i].Key.Value)))
		if d.afterEmptyLine(before[i].Key) {
			key, or = before[i].Key, ""
			break
		}
	}
	if d.afterEmptyLine(key) {
		or = ""
	}
	dash, first := d.file.Position(list.Span.Start), before[0].Key
	return source.Problem{
		Code: CodeDuplicateKey,
		Span: key.Span,
		Message: fmt.Sprintf("A dash is missing before %s: here the keys of a list item begin again%s. Replace the space in column %d"+
			" with a dash, as in line %d.", shown([]byte(key.Value)), or, dash.Column, dash.Line),
		Related: []source.Related{{Span: first.Span, Message: "the item before it begins here"}},
	}
}

// afterEmptyLine reports whether the line before that of a key is empty.
func (d duplicates) afterEmptyLine(key *Node) bool {
	line := d.file.Position(key.Span.Start).Line - 1
	return line > 0 && len(bytes.TrimSpace([]byte(d.file.Text(d.file.LineSpan(line))))) == 0
}

// groupProblem reports a group of keys that a mapping outside a list has twice.
func (d duplicates) groupProblem(first, group []KeyValue) source.Problem {
	key := group[0].Key
	return source.Problem{
		Code: CodeDuplicateKey,
		Span: key.Span,
		Message: fmt.Sprintf("The keys from %s on appear twice. Keep those from line %d or those from this line:"+
			" some programs use the first, others the last.", shown([]byte(key.Value)),
			d.file.Position(first[0].Key.Span.Start).Line),
		Related: []source.Related{{Span: first[0].Key.Span, Message: "first used here"}},
	}
}

// eachRepeated reports single keys that are repeated.
func (d duplicates) eachRepeated(entries []KeyValue, isItem bool) (problems []source.Problem) {
	spans := make(map[string][]source.Span, len(entries))
	values := make(map[string][]*Node, len(entries))
	for _, e := range entries {
		spans[e.Key.Value] = append(spans[e.Key.Value], e.Key.Span)
		values[e.Key.Value] = append(values[e.Key.Value], e.Value)
	}
	for i, e := range entries {
		places := spans[e.Key.Value]
		if len(places) == 1 || e.Key.Span != places[1] || len(problems) == maxRepeated {
			continue
		}
		times := "twice"
		if len(places) > 2 {
			times = strconv.Itoa(len(places)) + " times"
		}
		advice := keepOne(values[e.Key.Value])
		if isItem && e.Key.Value == entries[0].Key.Value && 1 < i && i < len(entries)-1 {
			advice = "If the next list item begins here, write a dash before it; otherwise, " + lowerFirst(advice)
		} else if isItem && indexOf(entries, e.Key.Value)+1 < i && advice == removeAllButOne {
			advice = "If the next list item begins between the two, write a dash before its first key; otherwise, " + lowerFirst(advice)
		}
		problems = append(problems, source.Problem{
			Code: CodeDuplicateKey,
			Span: e.Key.Span,
			Message: fmt.Sprintf("The key %s appears %s. %s: some programs use the first, others the last.",
				shown([]byte(e.Key.Value)), times, advice),
			Related: []source.Related{{Span: places[0], Message: "first used here"}},
		})
	}
	return problems
}

// keepOne says what becomes of the values of one key. Only equal ones can be removed without a loss.
func keepOne(values []*Node) string {
	is := func(what func(n *Node) bool) bool {
		return !slices.ContainsFunc(values, func(n *Node) bool { return !what(n) })
	}
	first := values[0]
	switch {
	case is(func(n *Node) bool { return n.Kind == Sequence }): // a merge can keep the lists of both sides
		return "Move their entries into one list"
	case is(func(n *Node) bool { return n.Kind == Scalar && n.Value == first.Value }):
		return "Remove all but one (they are the same)"
	case is(func(n *Node) bool { return n.Kind == Scalar && n.Type == String && strings.Contains(n.Value, " ") }):
		return "Join their texts into one, or give one of them the key that was meant"
	}
	if !is(func(n *Node) bool { return n.Kind == first.Kind }) {
		return "Give one of them the key that was meant"
	}
	return removeAllButOne
}

const removeAllButOne = "Remove all but one"

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// indexOf is the index of the first entry with a key.
func indexOf(entries []KeyValue, key string) int {
	return slices.IndexFunc(entries, func(e KeyValue) bool { return e.Key.Value == key })
}
