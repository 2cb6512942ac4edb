package yamltree

import (
	"bytes"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// flow reads the mapping or list whose opening bracket is at pos.
func (r *reader) flow() *Node {
	open := r.data[r.pos]
	n := &Node{Kind: Sequence, Style: Flow, Span: source.Span{Start: r.pos}}
	if open == '{' {
		n.Kind = Mapping
	}
	r.push(level{kind: open, start: r.pos, col: r.top.col})
	r.pos++
	for sign := r.next(); sign != closing(open); sign = r.next() {
		if sign == ',' {
			r.fail(mistake(oneCharacter(r.data, r.pos),
				"There is nothing before this comma. Remove it, or put the text in quotes if it starts with a comma."))
		}
		r.flowEntry(n)
		r.comma()
	}
	r.pos++
	n.Span.End = r.pos
	r.pop()
	return n
}

// comma steps over the comma after an entry, which a closing bracket can replace.
func (r *reader) comma() {
	switch sign := r.next(); sign {
	case ',':
		r.pos++
	case ']', '}':
	case '?':
		r.fail(mistake(oneCharacter(r.data, r.pos),
			"Put the text with this question mark in quotes: in brackets, a question mark has another meaning in YAML."))
	default:
		at := r.pos
		if sign != '[' && sign != '{' {
			r.checkFlowStart(sign)
			r.scalar()
		}
		r.fail(mistake(oneCharacter(r.data, at), "Put a comma before this: commas separate the items in brackets."+
			" If it continues the text before it, put the whole text in quotes."))
	}
}

func (r *reader) flowEntry(n *Node) {
	key := r.flowValue()
	colon := skipBlanks(r.data, r.pos)
	if key.Kind != Scalar && (n.Kind == Mapping || colon < len(r.data) && r.data[colon] == ':') {
		r.fail(complexKey(key.Span))
	}
	isPair := r.next() == ':'
	if (isPair || n.Kind == Mapping) && r.f.Text(key.Span) == "<<" {
		r.fail(mergeKey(key.Span))
	}
	switch {
	case n.Kind == Mapping && isPair:
		n.Entries = append(n.Entries, KeyValue{key, r.flowPair(key)})
	case n.Kind == Mapping:
		n.Entries = append(n.Entries, KeyValue{key, missing(key.Span.End)})
	case isPair:
		// One pair in the brackets of a list is a mapping without its own brackets.
		r.enter(key.Span.Start)
		value := r.flowPair(key)
		r.top.depth--
		n.Items = append(n.Items, &Node{
			Kind: Mapping, Style: Flow, Entries: []KeyValue{{key, value}},
			Span: source.Span{Start: key.Span.Start, End: value.Span.End},
		})
	default:
		n.Items = append(n.Items, key)
	}
}

// flowPair reads the colon at pos and the value after it. The key must be on the same
// line.
func (r *reader) flowPair(key *Node) *Node {
	whole := source.Span{Start: key.Span.Start, End: r.pos}
	text := r.data[whole.Start:whole.End]
	switch {
	case bytes.IndexByte(text, '\n') >= 0:
		r.fail(r.keyOnLines(whole, true))
	case utf8.RuneCount(text) > maxKey:
		r.fail(longKey(whole))
	}
	r.pos++
	value := missing(r.pos)
	if sign := r.next(); sign != ',' && sign != ']' && sign != '}' {
		value = r.flowValue()
	}
	if r.next() == ':' {
		r.fail(secondColon(r.f, value.Span, r.pos, 0, true))
	}
	return value
}

func (r *reader) flowValue() *Node {
	sign := r.data[r.pos]
	if sign == '[' || sign == '{' {
		return r.flow()
	}
	r.checkFlowStart(sign)
	n, next := r.scalar()
	r.pos = n.Span.End
	r.goOn(next)
	return n
}

// checkFlowStart refuses a sign that starts neither a key nor a value in brackets.
func (r *reader) checkFlowStart(sign byte) {
	switch sign {
	case ':':
		r.fail(missingKey(r.pos))
	case ']', '}':
		p := mistake(oneCharacter(r.data, r.pos), "This bracket does not match the last open one: expected %[2]c, got %[1]c.",
			sign, closing(r.data[r.top.start]))
		p.Related = []source.Related{{Span: oneCharacter(r.data, r.top.start), Message: "opened here"}}
		r.fail(p)
	case '?':
		r.fail(complexKey(source.Span{Start: r.pos, End: r.pos + 1}))
	case '|', '>', '@', '`', '%':
		r.fail(reservedStart(r.data, r.pos))
	}
	if r.dash() {
		r.fail(mistake(oneCharacter(r.data, r.pos),
			"In brackets, commas separate the items, not dashes. Remove the dash, or put the text in quotes if it starts with one."))
	}
}
