package yamltree

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// The methods of this file and of blockscalar.go decode a scalar and find where it
// ends. They follow the scanner of yaml.v3 step by step, including its leniency, because
// a span must cover exactly what that scanner read. A method that finds an error does not return: fail
// ends the parse. After decode, value has the text, or inside.go takes the pieces; decode leaves the
// position of the reader unchanged.

// piece is a part of the source of a scalar and its value.
type piece struct {
	source.Span
	text string // the value, or "" if the source equals it, byte for byte
}

func (r *reader) add(start, end int, text string) {
	if last := len(r.pieces) - 1; last >= 0 && text == "" && r.pieces[last].text == "" && r.pieces[last].End == start {
		r.pieces[last].End = end
		return
	}
	r.pieces = append(r.pieces, piece{source.Span{Start: start, End: end}, text})
}

// space adds the blanks and line endings between two parts of a plain or quoted scalar:
// one line ending is a blank, and each additional one is kept.
func (r *reader) space(start, end int) {
	text := " "
	if n := bytes.Count(r.data[start:end], []byte{'\n'}); n != 1 {
		text = strings.Repeat("\n", max(n-1, 0))
	}
	r.add(start, end, text)
}

// value is the value of the current scalar, which ends. It shares no memory with the file:
// an ID that is kept would keep all of it.
func (r *reader) value() string {
	r.text = r.text[:0]
	for _, p := range r.pieces {
		r.text = append(r.text, p.text...)
		if p.text == "" {
			r.text = append(r.text, r.data[p.Start:p.End]...)
		}
	}
	r.pieces = r.pieces[:0]
	return string(r.text)
}

// escapes has the value of each character that can follow a backslash in double
// quotes, except for the escapes of hexDigits and the end of a line.
var escapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v",
	'f': "\f", 'r': "\r", 'e': "\x1B", ' ': " ", '"': "\"", '\'': "'", '\\': "\\",
	'N': "\u0085", '_': "\u00A0", 'L': "\u2028", 'P': "\u2029",
}

// hexDigits has the number of digits for each letter of an escape that gives a
// character by its number.
var hexDigits = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// decode decodes the scalar at pos. After it, reading continues at next. It can move pos past a
// comment in the header of a block scalar; the caller sets it to next.
func (r *reader) decode(style Style) (end, next int) {
	switch style {
	case Literal, Folded:
		return r.block()
	case SingleQuoted, DoubleQuoted:
		end = r.readQuoted()
		return end, end
	}
	end, next = r.plainEnd()
	r.readPlain(source.Span{Start: r.pos, End: end})
	return end, next
}

// plainEnd finds the end of the plain scalar at pos. After it, reading continues at next.
// Its other lines are indented deeper than what is around it, except in brackets.
func (r *reader) plainEnd() (end, next int) {
	data, inFlow := r.data, r.inFlow()
	for i := r.pos; ; {
		for !spaceAt(data, i) && !endsPlain(data, i, inFlow) {
			i++
		}
		end = i
		var line int
		i, line = r.nextWord(i)
		if i == len(data) || data[i] == '#' || endsPlain(data, i, inFlow) || i == end {
			return end, i
		}
		if line >= 0 && (!inFlow && i-line <= r.top.col || markerAt(data, i)) {
			return end, i
		}
	}
}

// nextWord steps over the blanks and line endings at i. line is the start of the line where it
// stops, or -1 if there was no line ending.
func (r *reader) nextWord(i int) (next, line int) {
	line = -1
	for ; i < len(r.data) && isSpace(r.data[i]); i++ {
		switch {
		case r.data[i] == '\n':
			line = i + 1
		case r.data[i] == '\t' && line >= 0 && i-line <= r.top.col:
			r.fail(tabIndent(r.data, i))
		}
	}
	return i, line
}

func (r *reader) readPlain(span source.Span) {
	for i := span.Start; ; {
		n := bytes.IndexByte(r.data[i:span.End], '\n')
		if n < 0 {
			r.add(i, span.End, "")
			return
		}
		end := i + len(bytes.TrimRight(r.data[i:i+n], " \t\r"))
		r.add(i, end, "")
		i = skipSpace(r.data, end)
		r.space(end, i)
	}
}

// endsPlain reports whether the sign at i ends a plain scalar.
func endsPlain(data []byte, i int, inFlow bool) bool {
	return data[i] == ':' && spaceAt(data, i+1) || inFlow && strings.IndexByte(",?[]{}", data[i]) >= 0
}

// readQuoted decodes the quoted scalar at pos and returns its end.
func (r *reader) readQuoted() int {
	data, quote := r.data, r.data[r.pos]
	special := "\r\n'"
	if quote == '"' {
		special = "\r\n\"\\"
	}
	for i := r.pos + 1; i < len(data) && !markerAt(data, i); {
		start := i
		switch c := data[i]; {
		case isSpace(c):
			i = skipSpace(data, i)
			r.space(start, i)
		case c == '\\' && quote == '"':
			i = r.unescape(i)
		case c == quote && quote == '\'' && i+1 < len(data) && data[i+1] == quote:
			i += 2
			r.add(start, i, "'")
		case c == quote:
			return i + 1
		default:
			if n := bytes.IndexAny(data[i:], special); n < 0 {
				i = len(data)
			} else if i += n; isBreak(data[i]) {
				i = start + len(bytes.TrimRight(data[start:i], " \t"))
			}
			r.add(start, i, "")
		}
	}
	r.fail(unclosedQuote(data, r.pos))
	return -1
}

// unescape decodes the escape whose backslash is at i and returns its end. If it escapes
// a line ending, all blanks and line endings that follow belong to it.
func (r *reader) unescape(i int) (end int) {
	if i+1 == len(r.data) {
		return i + 1
	}
	c := r.data[i+1]
	text := escapes[c]
	switch n := hexDigits[c]; {
	case isBreak(c):
		end = skipSpace(r.data, i+1)
		if text = strings.Repeat("\n", bytes.Count(r.data[i+1:end], []byte{'\n'})-1); text == "" {
			return end
		}
	case n == 0:
		end = i + 2
	case i+2+n <= len(r.data):
		end = i + 2 + n
		code, err := strconv.ParseUint(string(r.data[i+2:end]), 16, 32)
		if err == nil && utf8.ValidRune(rune(code)) {
			text = string(rune(code))
		}
	}
	if text == "" {
		r.fail(unknownEscape(r.data, i))
	}
	r.add(i, end, text)
	return end
}
