package yamltree

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

const (
	// maxRepeated is how many repeated keys of a file are reported one by one.
	maxRepeated = 20
	// fewKeys is up to how many keys comparing each with each beats a map.
	fewKeys = 16
)

// duplicateKeys reports each key that stands in its mapping more than once, at
// its second place. Keys are equal if they read the same, whatever their type:
// most readers take 1 and "1" for one key.
func duplicateKeys(root *Node) []source.Problem {
	d := duplicates{}
	d.walk(root)
	if more := d.count - len(d.problems); more > 0 {
		keys := "1 more key of this file stands"
		if more > 1 {
			keys = fmt.Sprintf("%d more keys of this file stand", more)
		}
		d.problems = append(d.problems, source.Problem{
			Code: CodeDuplicateKey, Span: d.unreported,
			Message: keys + " more than once beside each other, this one first. Remove all but one of each.",
		})
	}
	return d.problems
}

type duplicates struct {
	path       []step // to the node that is looked at
	problems   []source.Problem
	count      int         // of repeated keys, reported or not
	unreported source.Span // of the first that is not reported
}

// step is one step of a JSON pointer.
type step struct {
	key   string
	index int // of a list item, -1 with a key
}

func (d *duplicates) walk(n *Node) {
	if n.Kind == Scalar {
		return
	}
	if n.HasRepeatedKey() {
		d.report(n.Entries)
	}
	last := len(d.path)
	d.path = append(d.path, step{index: -1})
	for _, e := range n.Entries {
		d.path[last].key = e.Key.Value
		d.walk(e.Value)
	}
	for i, item := range n.Items {
		d.path[last].index = i
		d.walk(item)
	}
	d.path = d.path[:last]
}

// HasRepeatedKey reports whether a mapping has a key more than once.
func (n *Node) HasRepeatedKey() bool {
	entries := n.Entries
	if len(entries) <= fewKeys {
		for i, e := range entries {
			for _, f := range entries[:i] {
				if e.Key.Value == f.Key.Value {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		seen[e.Key.Value] = true
	}
	return len(seen) < len(entries)
}

// report adds the repeated keys among entries to the problems.
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
				Message: fmt.Sprintf("The key %s stands here %s. Remove all but one: some readers take the first, others the last.",
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

// pointer is the JSON pointer (RFC 6901) of a key of the mapping that is looked
// at.
func (d *duplicates) pointer(key string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, s := range append(d.path, step{key, -1}) {
		b.WriteByte('/')
		if s.index >= 0 {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(escape.Replace(s.key))
		}
	}
	return b.String()
}
