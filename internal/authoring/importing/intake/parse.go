package intake

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Parse reads the values of a file in YAML, JSON, or JSON Lines.
func (r *Reader) Parse() (values []Value) {
	r.File = source.NewFile(r.File.Path, bytes.TrimPrefix(r.File.Data, []byte("\uFEFF")))
	if !r.IsJSON() {
		documents, problems := yamltree.ParseForeign(r.File)
		r.Problems = problems
		if len(problems) > 0 {
			return nil
		}
		for i, n := range documents {
			place := ""
			if len(documents) > 1 {
				place = fmt.Sprintf("document %d", i+1)
			}
			trimEnds(n, map[*yamltree.Node]bool{})
			values = append(values, r.Value(n, place))
		}
	} else {
		values = r.parseJSON()
	}
	for _, v := range values {
		r.CheckLength(longest(v.Node))
		r.Roots = append(r.Roots, v.Node)
	}
	if len(r.Problems) > 0 {
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

// CheckLength refuses a text that is longer than a document.
func (r *Reader) CheckLength(length int) {
	if length > safefile.MaxDocument && len(r.Problems) == 0 {
		r.Refuse("A text of the file has %d bytes: a document has at most %d. Shorten the text.", length, safefile.MaxDocument)
	}
}

// parseJSON reads one value, or one on each line.
func (r *Reader) parseJSON() (values []Value) {
	tree, problems := yamltree.ParseJSON("file", r.File, MostBytes)
	if len(problems) == 0 && !r.isLines() {
		return []Value{r.Value(tree.Root, "")}
	}
	if len(problems) > 0 && problems[0].Code != yamltree.CodeSecondDocument {
		r.Problems = problems
		return nil
	}
	for n := 1; n <= r.File.LineCount(); n++ {
		span := r.File.LineSpan(n)
		text := r.File.Text(span)
		if strings.TrimSpace(text) == "" {
			continue
		}
		tree, problems := yamltree.ParseJSON("line", source.NewFile(r.File.Path, []byte(text)), MostBytes)
		if len(problems) > 0 {
			problems[0].Span.Start += span.Start
			problems[0].Span.End += span.Start
			r.Problems = problems[:1]
			return nil
		}
		moveBy(tree.Root, span.Start)
		values = append(values, r.Value(tree.Root, fmt.Sprintf("line %d", n)))
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
