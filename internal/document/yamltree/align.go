package yamltree

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// aligner turns the result of yaml.v3 into nodes with spans. yaml.v3 gives only the
// starts of values, in lines and characters, so the aligner walks through the file once
// along the tree and finds every start and end itself. Between two scalars there can be
// only blanks, comments, and structural signs. Anything else is an unsupported feature,
// and the aligner gives up.
type aligner struct {
	data []byte
	pos  int

	gaveUp  bool // at pos
	tooDeep bool // because of the nesting
}

// gap skips blanks, line endings, and comments.
func (a *aligner) gap() {
	for a.pos < len(a.data) {
		switch c := a.data[a.pos]; {
		case isSpace(c):
			a.pos++
		case c == '#':
			a.pos = lineEnd(a.data, a.pos)
		default:
			return
		}
	}
}

// next skips a gap and reports whether sign follows.
func (a *aligner) next(sign byte) bool {
	a.gap()
	return a.pos < len(a.data) && a.data[a.pos] == sign
}

// take steps over sign, which must be next.
func (a *aligner) take(sign byte) {
	if a.gaveUp = a.gaveUp || !a.next(sign); !a.gaveUp {
		a.pos++
	}
}

// document places the root value y of the file. Only --- or ... and comments can
// follow it.
func (a *aligner) document(y *yaml.Node) *Node {
	a.gap()
	if markerAt(a.data, a.pos) {
		a.pos += len("---")
	}
	n := a.value(y, 1, -1, false)
	if a.gap(); !a.gaveUp && a.pos < len(a.data) && !markerAt(a.data, a.pos) {
		a.gaveUp = true
	}
	return n
}

// value places y, which is nested in depth-1 others. parent is the offset of the
// innermost mapping or sequence by indentation, or -1.
func (a *aligner) value(y *yaml.Node, depth, parent int, inFlow bool) *Node {
	n := &Node{Span: source.Span{Start: a.pos}}
	if y.Kind == yaml.ScalarNode && y.Value == "" && y.Style == 0 {
		n.Kind, n.Type, n.Style, n.Span.End = Scalar, Null, Plain, a.pos
		return n
	}
	a.gap()
	n.Span.Start = a.pos
	switch {
	case y.Kind == yaml.AliasNode, y.Anchor != "", y.Style&yaml.TaggedStyle != 0:
		a.gaveUp = true
	case y.Kind == yaml.ScalarNode:
		a.scalar(n, y, parent, inFlow)
	case depth > MaxDepth:
		a.tooDeep = true
		a.gaveUp = true
	default:
		inFlow = y.Style&yaml.FlowStyle != 0
		n.Style = Flow
		if !inFlow {
			n.Style, parent = Block, a.pos
		}
		if y.Kind == yaml.MappingNode {
			a.mapping(n, y, depth, parent, inFlow)
		} else {
			a.sequence(n, y, depth, parent, inFlow)
		}
	}
	n.Span.End = a.pos
	return n
}

func (a *aligner) mapping(n *Node, y *yaml.Node, depth, parent int, inFlow bool) {
	n.Kind = Mapping
	// One pair in the brackets of a list, as in [a: 1], is a mapping without its own
	// brackets.
	brackets := inFlow && a.next('{')
	if brackets {
		a.pos++
	}
	n.Entries = make([]Entry, 0, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content) && !a.gaveUp; i += 2 {
		if i > 0 && inFlow {
			a.take(',')
		}
		n.Entries = append(n.Entries, a.entry(y.Content[i], y.Content[i+1], depth, parent, inFlow))
	}
	if brackets {
		a.closing('}')
	}
}

func (a *aligner) entry(key, value *yaml.Node, depth, parent int, inFlow bool) Entry {
	isComplex := a.next('?') && spaceAt(a.data, a.pos+1)
	if isComplex || key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
		a.gaveUp = true
		return Entry{}
	}
	e := Entry{Key: a.value(key, depth+1, parent, inFlow)}
	end := a.pos
	switch {
	case a.gaveUp:
	case inFlow && !a.next(':'): // {a, b: 1} leaves a without a value
		a.pos = end
	default:
		a.take(':')
	}
	if !a.gaveUp {
		e.Value = a.value(value, depth+1, parent, inFlow)
	}
	return e
}

func (a *aligner) sequence(n *Node, y *yaml.Node, depth, parent int, inFlow bool) {
	n.Kind = Sequence
	if inFlow {
		a.take('[')
	}
	n.Items = make([]*Node, 0, len(y.Content))
	for i, item := range y.Content {
		switch {
		case !inFlow:
			a.take('-')
		case i > 0:
			a.take(',')
		}
		if a.gaveUp {
			return
		}
		n.Items = append(n.Items, a.value(item, depth+1, parent, inFlow))
	}
	if inFlow {
		a.closing(']')
	}
}

// closing takes the closing bracket and an optional comma before it.
func (a *aligner) closing(bracket byte) {
	if !a.gaveUp && a.next(',') {
		a.pos++
	}
	a.take(bracket)
}

// scalar places a scalar that starts at the current place.
func (a *aligner) scalar(n *Node, y *yaml.Node, parent int, inFlow bool) {
	n.Kind, n.Type, n.Value = Scalar, String, y.Value
	switch {
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.Style = SingleQuoted
		a.quoted('\'', y.Value)
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.Style = DoubleQuoted
		a.quoted('"', y.Value)
	case y.Style&yaml.LiteralStyle != 0:
		n.Style = Literal
		a.block(n, '|', parent)
	case y.Style&yaml.FoldedStyle != 0:
		n.Style = Folded
		a.block(n, '>', parent)
	default:
		n.Style = Plain
		n.Type, n.Ambiguous = resolve(y.Value)
		a.plain(y.Value, parent, inFlow)
	}
}

// plain steps over a plain scalar. Without folded lines, its source equals its value.
func (a *aligner) plain(value string, parent int, inFlow bool) {
	rest := a.data[a.pos:]
	if len(rest) >= len(value) && string(rest[:len(value)]) == value {
		a.pos += len(value)
		return
	}
	if len(rest) == 0 || rest[0] != value[0] {
		a.gaveUp = true // at a tag without a name, a key after ? or the like
		return
	}
	a.pos = plainEnd(a.data, a.pos, a.column(parent)+1, inFlow).end
}

func (a *aligner) quoted(quote byte, value string) {
	start := a.pos
	a.take(quote)
	if a.gaveUp {
		return
	}
	// Usually the source equals the value, without escapes.
	rest := a.data[a.pos:]
	if n := len(value); len(rest) > n && rest[n] == quote && string(rest[:n]) == value && !strings.ContainsAny(value, `'\`) {
		a.pos += n + 1
		return
	}
	if a.pos, _ = quotedEnd(a.data, start); a.pos < 0 {
		a.pos, a.gaveUp = start, true
	}
}

func (a *aligner) block(n *Node, indicator byte, parent int) {
	start := a.pos
	a.take(indicator)
	if a.gaveUp {
		return
	}
	b := blockEnd(a.data, start, a.column(parent))
	n.indent = int32(b.indent)
	a.pos = b.end
}

// column is the column of offset, counted from 0. Before the start of a mapping or
// sequence by indentation there are only ASCII characters, so bytes are characters.
func (a *aligner) column(offset int) int {
	if offset < 0 {
		return -1
	}
	return offset - bytes.LastIndexByte(a.data[:offset], '\n') - 1
}
