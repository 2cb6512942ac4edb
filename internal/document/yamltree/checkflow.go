package yamltree

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// open is at an opening bracket, outside or inside brackets.
func (c *checker) open(sign byte) {
	f := frame{kind: sign, start: c.pos, state: entry, outer: c.state}
	switch {
	case c.inFlow():
		if f.outer = c.top().state; f.outer == complete {
			c.stopFlow(missingComma(c.data, c.pos))
			return
		}
	case c.state == complete:
		c.extra(c.pos)
		return
	case c.state == entry && c.top().kind == '-':
		c.stop(missingDash(c.f, c.pos, *c.top(), c.popped))
		return
	}
	c.push(f)
	c.pos++
}

// closeBracket is at a closing bracket inside brackets.
func (c *checker) closeBracket(sign byte) {
	f := *c.top()
	if sign != closing(f.kind) {
		c.stopFlow(wrongBracket(c.data, c.pos, f.start))
		return
	}
	c.pop()
	c.pos++
	span := source.Span{Start: f.start, End: c.pos}
	colon := skipBlanks(c.data, c.pos)
	isKey := colon < len(c.data) && c.data[colon] == ':'
	switch top := c.top(); {
	case c.inFlow():
		isKey = isKey && !top.colon || top.kind == '{' && f.outer == entry
		top.state, top.key = complete, f.start
	case isKey && spaceAt(c.data, colon+1):
	case f.outer == entry:
		c.stop(c.notAnEntry(span))
		return
	default:
		isKey = false
		c.state, c.compact, c.last = complete, false, span
	}
	if isKey {
		c.feature(complexKey(span))
		c.done = true
	}
}

// flowSign is at a sign inside brackets.
func (c *checker) flowSign(sign byte) {
	top := c.top()
	switch {
	case sign == '[' || sign == '{':
		c.open(sign)
	case sign == ']' || sign == '}':
		c.closeBracket(sign)
	case sign == ',' && top.state == entry:
		c.stopFlow(mistake(oneCharacter(c.data, c.pos),
			"There is nothing before this comma. Remove it, or put the text in quotes if it starts with a comma."))
	case sign == ',':
		c.pos++
		top.state, top.colon = entry, false
	case sign == ':':
		c.flowColon()
	case sign == '?' && top.state == complete:
		c.stop(mistake(oneCharacter(c.data, c.pos),
			"Put the text with this question mark in quotes: in brackets, a question mark has another meaning in YAML."))
	case sign == '?':
		c.feature(complexKey(source.Span{Start: c.pos, End: c.pos + 1}))
		c.done = true
	case sign == '-' && spaceAt(c.data, c.pos+1):
		c.stopFlow(mistake(oneCharacter(c.data, c.pos),
			"In brackets, commas separate the items, not dashes. Remove the dash, or put the text in quotes if it starts with one."))
	case strings.IndexByte("&*!", sign) >= 0:
		c.nodeFeature(sign)
	case strings.IndexByte("|>@`%", sign) >= 0:
		c.stopFlow(reservedStart(c.data, c.pos))
	case sign == '"' || sign == '\'':
		c.quoted()
	default:
		c.plain()
	}
	c.fresh = false
}

// flowColon is at a colon inside brackets. The key before it must be on the same
// line.
func (c *checker) flowColon() {
	top := c.top()
	key := source.Span{Start: top.key, End: c.pos}
	switch {
	case top.state != complete:
		c.stopFlow(missingKey(c.pos))
	case top.colon:
		c.stopFlow(secondColon(c.data, key, c.pos, true))
	case bytes.IndexByte(c.data[key.Start:key.End], '\n') >= 0:
		c.stopFlow(c.keyOnLines(key, true))
	case utf8.RuneCount(c.data[key.Start:key.End]) > maxKey:
		c.stop(longKey(key))
	default:
		if text := strings.TrimRight(c.f.Text(key), " \t"); text == "<<" && top.kind == '[' {
			c.feature(mergeKey(source.Span{Start: key.Start, End: key.Start + len(text)}))
		}
		top.state, top.colon = wanted, true
		c.pos++
	}
}

// flowValue is a scalar or an alias inside brackets.
func (c *checker) flowValue(span source.Span, next int) {
	top := c.top()
	if top.state == complete {
		c.stopFlow(missingComma(c.data, span.Start))
		return
	}
	if c.f.Text(span) == "<<" && top.kind == '{' && top.state == entry {
		c.feature(mergeKey(span))
	}
	top.state, top.key = complete, span.Start
	c.goOn(span.End, next)
}

// stopFlow stops at a mistake inside brackets. If a line since the bracket is indented
// no more than what is around the bracket, the bracket was never closed.
func (c *checker) stopFlow(p source.Problem) {
	start, parent := c.top().start, c.parent()
	for i := start; ; {
		n := bytes.IndexByte(c.data[i:c.pos], '\n')
		if n < 0 {
			c.stop(p)
			return
		}
		i += n + 1
		if text := skipBlanks(c.data, i); text-i <= parent && !spaceAt(c.data, text) {
			c.stop(unclosedBracket(c.data, start))
			return
		}
	}
}
