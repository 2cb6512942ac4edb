package yamltree

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// column is the column, from 0, at which the value at pos starts, including its
// anchor or tag.
func (c *checker) column() int {
	if c.property >= 0 {
		return c.property - c.line
	}
	return c.pos - c.line
}

// unindent closes the mappings and sequences that sign, the first of a line, is too far
// left for.
func (c *checker) unindent(sign byte) {
	dash := sign == '-' && spaceAt(c.data, c.pos+1)
	col, popped := c.column(), frame{}
	c.popped = nil
	for len(c.frames) > 0 && c.top().col > col {
		popped = *c.top()
		c.popped = append(c.popped, popped)
		c.pop()
	}
	closed := popped.kind != 0
	top := c.top()
	switch {
	case top == nil:
		if closed {
			c.stop(strayIndent(c.f, c.pos, []frame{popped}, false))
		}
	case top.col < col && closed:
		near := []frame{*top, popped}
		if !dash && top.kind == '-' { // a key is not next to a dash
			near = near[1:]
		}
		c.stop(strayIndent(c.f, c.pos, near, false))
	case top.col < col:
		if c.state == complete {
			c.stop(strayIndent(c.f, c.pos, []frame{*top}, true))
		}
	case (sign == '|' || sign == '>') && c.state == wanted && !closed:
		// It should be indented, but yaml.v3 reads it as the value.
	case top.below && !dash:
		c.pop()
		c.state = entry
	case top.kind == ':' && dash && c.state == wanted && !closed:
		c.state = entry
		c.push(frame{kind: '-', start: c.pos, col: col, below: true})
	default:
		c.state = entry
	}
}

// blockSign is at a sign outside brackets.
func (c *checker) blockSign(sign byte) {
	separate := spaceAt(c.data, c.pos+1)
	if c.fresh {
		c.unindent(sign)
		c.fresh = false
		if c.done {
			return
		}
	}
	switch {
	case sign == '-' && separate:
		c.dash()
	case sign == '?' && separate:
		c.feature(complexKey(source.Span{Start: c.pos, End: c.pos + 1}))
		c.done = true
	case sign == ':' && separate:
		c.stop(missingKey(c.pos))
	case strings.IndexByte("&*!", sign) >= 0:
		c.nodeFeature(sign)
	case strings.IndexByte("]},@`%", sign) >= 0:
		c.stop(reservedStart(c.data, c.pos))
	case sign == '|' || sign == '>':
		c.blockScalar()
	case sign == '[' || sign == '{':
		c.open(sign)
	case sign == '"' || sign == '\'':
		c.quoted()
	default:
		c.plain()
	}
}

// dash is at the dash of a list item.
func (c *checker) dash() {
	switch top := c.top(); {
	case c.state == complete:
		c.extra(c.pos)
	case c.state == entry && top.kind == ':':
		c.stop(mistake(oneCharacter(c.data, c.pos),
			"A list item can't be next to keys. Remove the dash if this is a key. If it is a list item, indent it below its key."))
	case c.state == wanted && (!c.compact || c.property >= 0):
		c.stop(mistake(restOfLine(c.data, c.pos),
			"A list must start on its own line. Move it to the next line, or put it in quotes if it is text."))
	case c.state == wanted:
		c.push(frame{kind: '-', start: c.pos, col: c.column()})
	}
	c.pos++
	c.state, c.compact, c.property = wanted, true, -1
}

// extra stops at what follows a complete value on its line. After an alias, it is the
// rest of a text that only looks like an alias.
func (c *checker) extra(at int) {
	if c.data[c.last.Start] == '*' {
		c.done = true
		return
	}
	c.stop(textAfter(c.f, c.last, at))
}

// nodeFeature is at an anchor, an alias, or a tag.
func (c *checker) nodeFeature(sign byte) {
	if !c.inFlow() && c.state == complete {
		c.extra(c.pos)
		return
	}
	start := c.pos
	for c.pos++; !spaceAt(c.data, c.pos) && !(c.inFlow() && strings.IndexByte(",[]{}", c.data[c.pos]) >= 0); {
		c.pos++
	}
	span := source.Span{Start: start, End: c.pos}
	c.feature(anchorAliasOrTag(sign, span))
	switch {
	case sign == '*' && !c.done:
		c.value(span, c.pos)
	case c.property < 0:
		c.property = start
	}
}

func (c *checker) plain() {
	p := plainEnd(c.data, c.pos, c.parent()+1, c.inFlow())
	if p.tab >= 0 {
		c.stop(tabIndent(c.data, p.tab))
		return
	}
	c.value(source.Span{Start: c.pos, End: p.end}, p.next)
}

func (c *checker) quoted() {
	if !c.inFlow() && c.state == complete {
		c.extra(c.pos)
		return
	}
	end, escape := quotedEnd(c.data, c.pos)
	switch {
	case escape >= 0:
		c.stop(unknownEscape(c.data, escape))
	case end < 0:
		c.stop(unclosedQuote(c.data, c.pos))
	default:
		c.value(source.Span{Start: c.pos, End: end}, end)
	}
}

func (c *checker) blockScalar() {
	switch {
	case c.state == complete:
		c.extra(c.pos)
		return
	case c.state == entry:
		c.stop(c.notAnEntry(source.Span{Start: c.pos, End: c.pos + 1}))
		return
	}
	b := blockEnd(c.data, c.pos, c.parent())
	switch {
	case b.junk >= 0:
		c.stop(reservedStart(c.data, c.pos))
	case b.tab >= 0:
		c.stop(tabIndent(c.data, b.tab))
	default:
		c.state, c.last = complete, source.Span{Start: c.pos, End: b.end}
		c.newLine(b.next)
	}
}

// value is a scalar or an alias at span, outside or inside brackets. Reading continues
// at next.
func (c *checker) value(span source.Span, next int) {
	if c.inFlow() {
		c.flowValue(span, next)
		return
	}
	colon := skipBlanks(c.data, span.End)
	isKey := colon < len(c.data) && c.data[colon] == ':' && spaceAt(c.data, colon+1)
	lines := bytes.IndexByte(c.data[span.Start:span.End], '\n') >= 0
	switch {
	case c.state == complete:
		c.extra(span.Start)
	case isKey && lines:
		c.stop(c.keyOnLines(span, c.compact))
	case isKey && utf8.RuneCount(c.data[span.Start:colon]) > maxKey:
		c.stop(longKey(span))
	case isKey && c.state == wanted && !c.compact:
		c.stop(secondColon(c.data, span, colon, false))
	case c.state == entry && (!isKey || c.top().kind == '-'):
		c.stop(c.notAnEntry(span))
	case isKey:
		c.key(span, colon)
	default:
		c.state, c.compact, c.last = complete, false, span
		c.goOn(span.End, next)
	}
}

// key is a key outside brackets.
func (c *checker) key(span source.Span, colon int) {
	if c.state == wanted {
		c.push(frame{kind: ':', start: span.Start, col: c.column()})
	}
	if c.f.Text(span) == "<<" {
		c.feature(mergeKey(span))
	}
	c.pos = colon + 1
	c.state, c.compact, c.property = wanted, false, -1
}

// goOn continues at next. Between end and next there are only blanks.
func (c *checker) goOn(end, next int) {
	if n := bytes.LastIndexByte(c.data[end:next], '\n'); n >= 0 {
		c.newLine(end + n + 1)
	}
	c.pos = next
}

// notAnEntry reports a value where a key or a dash is expected.
func (c *checker) notAnEntry(span source.Span) source.Problem {
	if c.top().kind == '-' {
		return missingDash(c.f, span.Start, *c.top(), c.popped)
	}
	return missingColon(c.data, span)
}

func skipBlanks(data []byte, i int) int {
	for i < len(data) && isBlank(data[i]) {
		i++
	}
	return i
}
