package yamltree

import (
	"fmt"
	"strconv"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// maxRepeated is how many repeated keys, or merge conflicts, of a file are reported.
const maxRepeated = 20

// duplicateKeys reports each key that is in its mapping more than once, at its
// second place. Keys are equal if their texts are, whatever their type: most
// parsers read 1 and "1" as the same key.
func duplicateKeys(n *Node) (problems []source.Problem) {
	if n.HasRepeatedKey() {
		problems = repeated(n.Entries)
	}
	for _, e := range n.Entries {
		problems = append(problems, duplicateKeys(e.Value)...)
	}
	for _, item := range n.Items {
		problems = append(problems, duplicateKeys(item)...)
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

func repeated(entries []Entry) (problems []source.Problem) {
	spans := make(map[string][]source.Span, len(entries))
	other := map[string]bool{} // the keys with a value that is not a list
	for _, e := range entries {
		spans[e.Key.Value] = append(spans[e.Key.Value], e.Key.Span)
		other[e.Key.Value] = other[e.Key.Value] || e.Value.Kind != Sequence
	}
	for _, e := range entries {
		places := spans[e.Key.Value]
		if len(places) == 1 || e.Key.Span != places[1] || len(problems) == maxRepeated {
			continue
		}
		times := "twice"
		if len(places) > 2 {
			times = strconv.Itoa(len(places)) + " times"
		}
		advice := "Remove all but one"
		if !other[e.Key.Value] { // a merge can keep the lists of both sides
			advice = "Move their entries into one list"
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
