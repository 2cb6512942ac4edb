package yamltree

import (
	"math"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// maxExpanded is how many values a foreign file can have with each alias replaced by its value.
// A file with more is meant to exhaust memory or time.
const maxExpanded = MaxBytes

// ParseForeign reads the documents of a file as ParseLoose does, as nodes in which each alias is
// replaced by its value. Nodes that an alias repeats are shared, and code can walk them as often as
// they occur. A file without documents is a problem, and with problems, there are no nodes.
func ParseForeign(f *source.File) (documents []*Node, problems []source.Problem) {
	loose, problems := ParseLoose(f)
	if len(problems) > 0 {
		return nil, problems
	}
	r := foreignReader{file: f, made: map[*Loose]*Node{}, sizes: map[*Node]int{}}
	size := 0
	for _, document := range loose {
		if n := r.node(document); n.Type != Null {
			documents = append(documents, n)
			size = min(size+r.sizes[n], math.MaxInt32)
		}
	}
	switch {
	case size > maxExpanded:
		return nil, []source.Problem{refuse(CodeTooLarge, source.Span{},
			"The aliases (*) in this file repeat too many values: at most %d are allowed with each alias replaced by its value. Write fewer aliases.", maxExpanded)}
	case len(documents) == 0:
		return nil, []source.Problem{emptyFile()}
	}
	return documents, nil
}

type foreignReader struct {
	file  *source.File
	made  map[*Loose]*Node
	sizes map[*Node]int // how many values a node has, with those that aliases repeat
}

// node is a value with the place where it begins.
func (r *foreignReader) node(loose *Loose) *Node {
	if n := r.made[loose]; n != nil {
		return n
	}
	n := &Node{Kind: loose.Kind, Type: loose.Type, Style: Plain, Value: loose.Value, Span: r.place(loose.At)}
	r.made[loose] = n
	size := 1
	for _, e := range loose.Entries {
		key := &Node{Kind: Scalar, Type: String, Style: Plain, Value: e.Key, Span: r.place(e.At)}
		value := r.node(e.Value)
		n.Entries = append(n.Entries, KeyValue{key, value})
		size = min(size+1+r.sizes[value], math.MaxInt32)
	}
	for _, item := range loose.Items {
		value := r.node(item)
		n.Items = append(n.Items, value)
		size = min(size+r.sizes[value], math.MaxInt32)
	}
	r.sizes[n] = size
	return n
}

// place is the first byte at a position.
func (r *foreignReader) place(at source.Position) source.Span {
	start := offset(r.file, at)
	return source.Span{Start: start, End: min(start+1, len(r.file.Data))}
}
