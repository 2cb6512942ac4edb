package yamltree

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// node reads the value after a colon or a dash, or of the document. compact says that a
// key or a dash can follow on the same line.
func (r *reader) node(compact bool) *Node {
	r.compact = compact
	start := r.pos
	sign := r.next()
	switch {
	case sign == 0 || r.isLineStart() && !r.belongs(sign):
		return missing(start)
	case r.dash():
		return r.sequence()
	case sign == '[' || sign == '{':
		return r.complete(r.brackets(), r.pos)
	}
	r.checkStart(sign)
	n, next := r.scalar()
	if r.isKey(n) {
		return r.mapping(n)
	}
	return r.complete(n, next)
}

// belongs reports whether the sign at the start of a line belongs to the value of the
// innermost mapping or sequence.
func (r *reader) belongs(sign byte) bool {
	switch col := r.pos - r.line; {
	case col != r.top.col:
		return col > r.top.col
	case sign == '|' || sign == '>':
		return true // It should be indented, but yaml.v3 reads it as the value.
	default:
		return r.top.kind == ':' && r.dash()
	}
}

// hasAnother reports whether another entry of the innermost mapping or sequence is at pos.
func (r *reader) hasAnother() bool {
	sign, col := r.next(), r.pos-r.line
	switch {
	case sign == 0:
		return false
	case !r.isLineStart():
		r.failExtra()
	case col < r.top.col:
		r.closed = append(r.closed, r.top)
		return false
	case col > r.top.col:
		r.strayIndent()
	}
	return !r.top.below || r.dash()
}

// strayIndent is at a line whose indentation matches neither the innermost mapping or
// sequence nor what the line closed.
func (r *reader) strayIndent() {
	r.checkFirstDash()
	if r.top.kind == '-' && len(r.closed) == 0 && !r.dash() && r.isQuote(r.last.Start) {
		r.fail(itemWithoutDash(r.f, r.pos, r.top))
	}
	near := []*level{r.top}
	if n := len(r.closed); n > 0 {
		near = append(near, r.closed[n-1])
		if r.top.kind == 0 || r.top.kind == '-' && !r.dash() { // a key is not next to a dash
			near = near[1:]
		}
	}
	r.fail(strayIndent(r.f, r.pos, near, len(r.closed) == 0))
}

// checkFirstDash refuses keys that are followed by a dash and the first of them: they are the first
// item of a list, without its dash.
func (r *reader) checkFirstDash() {
	if !r.dash() {
		return
	}
	name := keyAt(r.f, skipBlanks(r.data, r.pos+1))
	for _, keys := range append(r.closed, r.top) {
		if keys.kind == ':' && keys.outer.kind == ':' && name != "" && name == keyAt(r.f, keys.start) {
			r.fail(firstDash(r.f, keys, r.pos))
		}
	}
}

func (r *reader) isQuote(i int) bool { return r.data[i] == '"' || r.data[i] == '\'' }

// failExtra fails at what follows a complete value on its line.
func (r *reader) failExtra() {
	if r.data[r.pos] == ',' {
		r.fail(commaAfter(r.data, r.pos))
	}
	r.checkStart(r.data[r.pos])
	r.fail(textAfter(r.f, r.last, r.pos))
}

// checkStart refuses a sign that starts neither a key nor a value.
func (r *reader) checkStart(sign byte) {
	separate := spaceAt(r.data, r.pos+1)
	switch {
	case sign == '?' && separate:
		r.fail(complexKey(source.Span{Start: r.pos, End: r.pos + 1}))
	case sign == ':' && separate:
		r.fail(missingKey(r.pos))
	case strings.IndexByte("]},@`%", sign) >= 0:
		r.fail(reservedStart(r.data, r.pos))
	}
}

// open opens a mapping or sequence by indentation, whose first key or dash is at start.
func (r *reader) open(kind byte, start int) *Node {
	col := start - r.line
	r.push(level{kind: kind, start: start, col: col, below: col == r.top.col})
	return r.newNode(Node{Style: Block, Span: source.Span{Start: start}})
}

// sequence reads a list whose first dash is at pos.
func (r *reader) sequence() *Node {
	if !r.compact {
		r.fail(mistake(restOfLine(r.data, r.pos),
			"A list must start on its own line. Move it to the next line, or put it in quotes if it is text."))
	}
	n := r.open('-', r.pos)
	n.Kind = Sequence
	for {
		r.pos++
		item := r.node(true)
		n.Items, n.Span.End = append(n.Items, item), item.Span.End
		if !r.hasAnother() {
			r.pop()
			return n
		}
		if !r.dash() {
			r.fail(r.noEntry(r.key().Span))
		}
	}
}

// mapping reads the keys and values from the first key, after whose colon pos is.
func (r *reader) mapping(key *Node) *Node {
	n := r.open(':', key.Span.Start)
	n.Kind, n.Entries = Mapping, make([]KeyValue, 0, 6) // as most criteria have
	for {
		if key.Value == "<<" && key.Style == Plain {
			r.fail(mergeKey(key.Span))
		}
		value := r.node(false)
		n.Entries, n.Span.End = append(n.Entries, KeyValue{key, value}), value.Span.End
		if !r.hasAnother() {
			r.pop()
			return n
		}
		key = r.key()
	}
}

// key reads a key and its colon.
func (r *reader) key() *Node {
	sign := r.data[r.pos]
	isBracket := sign == '[' || sign == '{'
	switch {
	case r.dash():
		r.checkFirstDash()
		r.fail(mistake(oneCharacter(r.data, r.pos),
			"A list item can't be next to keys. Remove the dash if this is a key. If it is a list item, indent it below its key."))
	case sign == '|' || sign == '>' || isBracket && r.top.kind == '-':
		r.fail(r.noEntry(oneCharacter(r.data, r.pos)))
	case isBracket:
		r.fail(r.noEntry(r.brackets().Span))
	}
	r.checkStart(sign)
	n, _ := r.scalar()
	if !r.isKey(n) {
		r.fail(r.noEntry(n.Span))
	}
	return n
}

// noEntry reports what is where a key or a dash is expected.
func (r *reader) noEntry(span source.Span) source.Problem {
	if r.top.kind == '-' {
		return missingDash(r.f, span.Start, r.top, r.closed)
	}
	return missingColon(r.f, span)
}

// isKey reports whether a colon follows the text n, and steps over it.
func (r *reader) isKey(n *Node) bool {
	colon := skipBlanks(r.data, n.Span.End)
	switch {
	case colon == len(r.data) || r.data[colon] != ':' || !spaceAt(r.data, colon+1):
		return false
	case bytes.IndexByte(r.data[n.Span.Start:n.Span.End], '\n') >= 0:
		r.fail(r.keyOnLines(n.Span, r.compact))
	case utf8.RuneCount(r.data[n.Span.Start:colon]) > maxKey:
		r.fail(longKey(n.Span))
	case !r.compact:
		r.fail(secondColon(r.f, n.Span, colon, r.top.col, false))
	}
	if odd, found := oddIndent(r.data, n.Span.Start); found {
		r.fail(odd)
	}
	r.pos = colon + 1
	return true
}

// brackets reads a value in brackets, which can't be a key.
func (r *reader) brackets() *Node {
	n := r.flow()
	if colon := skipBlanks(r.data, r.pos); colon < len(r.data) && r.data[colon] == ':' && spaceAt(r.data, colon+1) {
		r.fail(complexKey(n.Span))
	}
	return n
}

// keyOnLines reports a text of several lines before a colon. atKey says that it
// starts where a key is allowed.
func (r *reader) keyOnLines(span source.Span, atKey bool) source.Problem {
	f, parent := r.f, r.top.col
	switch first := f.Data[span.Start]; {
	case first == '"' || first == '\'':
		return mistake(oneCharacter(f.Data, span.Start),
			"This quote is not closed until line %d. Close it where its text ends: a key must be on one line.",
			f.Position(span.End).Line)
	case atKey:
		return missingColon(f, restOfLine(f.Data, span.Start))
	}
	lastLine := span.Start + bytes.LastIndexByte(f.Data[span.Start:span.End], '\n') + 1
	key := skipBlanks(f.Data, lastLine)
	line := f.Position(span.Start).Line
	for _, p := range r.closed {
		if p.kind == ':' && p.col == key-lastLine {
			start := skipBlanks(f.Data, f.LineSpan(line).Start)
			return mistake(restOfLine(f.Data, start),
				"This line is indented with %s, but line %d above and the line below are indented with %[3]s. Indent it with %[3]s.",
				spaces(f.Position(start).Column-1), f.Position(p.start).Line, spaces(p.col))
		}
	}
	return mistake(source.Span{Start: key, End: span.End},
		"This line is indented deeper than line %d, so it continues the text there. Indent it with %s,"+
			" or put the whole text in quotes if this line is part of it.",
		line, spaces(max(parent, 0)))
}
