package yamltree

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// maxRepeated is how many repeated keys of a file are reported individually.
const maxRepeated = 20

// duplicateKeys reports each key that is in its mapping more than once, at its
// second place. Keys are equal if their texts are, whatever their type: most
// parsers read 1 and "1" as the same key.
func duplicateKeys(root *Node) []source.Problem {
	d := duplicates{}
	d.walk(root)
	if more := d.count - len(d.problems); more > 0 {
		keys := "1 more key in this file is repeated"
		if more > 1 {
			keys = fmt.Sprintf("%d more keys in this file are repeated", more)
		}
		d.problems = append(d.problems, source.Problem{
			Code: CodeDuplicateKey, Span: d.unreported,
			Message: keys + ", starting here. Remove all but one of each.",
		})
	}
	return d.problems
}

type duplicates struct {
	path       []string // to the current node: keys, and numbers of list items
	problems   []source.Problem
	count      int         // of repeated keys, reported or not
	unreported source.Span // of the first one that is not reported
}

func (d *duplicates) walk(n *Node) {
	if n.HasRepeatedKey() {
		d.report(n.Entries)
	}
	for _, e := range n.Entries {
		d.walkAt(e.Key.Value, e.Value)
	}
	for i, item := range n.Items {
		d.walkAt(strconv.Itoa(i), item)
	}
}

func (d *duplicates) walkAt(step string, n *Node) {
	d.path = append(d.path, step)
	d.walk(n)
	d.path = d.path[:len(d.path)-1]
}

// HasRepeatedKey reports whether a mapping has a key more than once.
func (n *Node) HasRepeatedKey() bool {
	seen := make(map[string]bool, len(n.Entries))
	for _, e := range n.Entries {
		seen[e.Key.Value] = true
	}
	return len(seen) < len(n.Entries)
}

func (d *duplicates) report(entries []Entry) {
	spans := make(map[string][]source.Span, len(entries))
	for _, e := range entries {
		spans[e.Key.Value] = append(spans[e.Key.Value], e.Key.Span)
	}
	for _, e := range entries {
		key, places := e.Key.Value, spans[e.Key.Value]
		if len(places) == 1 || e.Key.Span != places[1] {
			continue
		}
		d.count++
		switch {
		case d.count <= maxRepeated:
			d.problems = append(d.problems, source.Problem{
				Code:    CodeDuplicateKey,
				Span:    e.Key.Span,
				Pointer: d.pointer(key),
				Message: fmt.Sprintf("The key %s appears %s. Remove all but one: some programs use the first, others the last.",
					shown([]byte(key)), timesWord(len(places))),
				Related: []source.Related{{Span: places[0], Message: "first used here"}},
			})
		case d.count == maxRepeated+1:
			d.unreported = e.Key.Span
		}
	}
}

func timesWord(n int) string {
	if n == 2 {
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// pointer is the JSON pointer (RFC 6901) of a key of the current mapping.
func (d *duplicates) pointer(key string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, step := range append(d.path, key) {
		b.WriteString("/" + escape.Replace(step))
	}
	return b.String()
}
