package importing

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// parse reads the values of a file in YAML, JSON, or JSON Lines.
func (r *reader) parse() (values []value) {
	r.file = source.NewFile(r.file.Path, bytes.TrimPrefix(r.file.Data, []byte("\uFEFF")))
	if !r.isJSON() {
		documents, problems := yamltree.ParseForeign(r.file)
		r.problems = problems
		if len(problems) > 0 {
			return nil
		}
		for i, n := range documents {
			place := ""
			if len(documents) > 1 {
				place = fmt.Sprintf("document %d", i+1)
			}
			trimEnds(n, map[*yamltree.Node]bool{})
			values = append(values, r.value(n, place))
		}
	} else {
		values = r.parseJSON()
	}
	for _, v := range values {
		r.checkLength(longest(v.Node))
		r.roots = append(r.roots, v.Node)
	}
	if len(r.problems) > 0 {
		return nil
	}
	return values
}

// longest is how many bytes the longest text of a value has.
func longest(n *yamltree.Node) int {
	length := len(n.Value)
	for _, e := range n.Entries {
		length = max(length, longest(e.Key), longest(e.Value))
	}
	for _, item := range n.Items {
		length = max(length, longest(item))
	}
	return length
}

// checkLength refuses a text that is longer than a document.
func (r *reader) checkLength(length int) {
	if length > limits.Document && len(r.problems) == 0 {
		r.refuse("A text of the file has %d bytes: a document has at most %d. Shorten the text.", length, limits.Document)
	}
}

// parseJSON reads one value, or one on each line.
func (r *reader) parseJSON() (values []value) {
	tree, problems := yamltree.ParseJSON("file", r.file, mostBytes)
	if len(problems) == 0 && !r.isLines() {
		return []value{r.value(tree.Root, "")}
	}
	if len(problems) > 0 && problems[0].Code != yamltree.CodeSecondDocument {
		r.problems = problems
		return nil
	}
	for n := 1; n <= r.file.LineCount(); n++ {
		span := r.file.LineSpan(n)
		text := r.file.Text(span)
		if strings.TrimSpace(text) == "" {
			continue
		}
		tree, problems := yamltree.ParseJSON("line", source.NewFile(r.file.Path, []byte(text)), mostBytes)
		if len(problems) > 0 {
			problems[0].Span.Start += span.Start
			problems[0].Span.End += span.Start
			r.problems = problems[:1]
			return nil
		}
		moveBy(tree.Root, span.Start)
		values = append(values, r.value(tree.Root, fmt.Sprintf("line %d", n)))
	}
	return values
}

// trimEnds removes the line end that a block of text in YAML has after its last line.
func trimEnds(n *yamltree.Node, seen map[*yamltree.Node]bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	n.Value = strings.TrimRight(n.Value, "\r\n")
	for _, e := range n.Entries {
		trimEnds(e.Value, seen)
	}
	for _, item := range n.Items {
		trimEnds(item, seen)
	}
}

// moveBy moves the places of a value and all that it has.
func moveBy(n *yamltree.Node, by int) {
	n.Span.Start += by
	n.Span.End += by
	for _, e := range n.Entries {
		moveBy(e.Key, by)
		moveBy(e.Value, by)
	}
	for _, item := range n.Items {
		moveBy(item, by)
	}
}
