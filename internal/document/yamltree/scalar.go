package yamltree

import (
	"bytes"
	"strings"
)

// The functions of this file find where a scalar ends. They follow the scanner of
// yaml.v3 step by step, including its leniency, because a span must cover exactly what
// that scanner read.

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

func isBlank(b byte) bool { return b == ' ' || b == '\t' }
func isBreak(b byte) bool { return b == '\n' || b == '\r' }
func isSpace(b byte) bool { return isBlank(b) || isBreak(b) }

// spaceAt reports whether a blank, a line ending, or the end of the file is at i.
func spaceAt(data []byte, i int) bool {
	return i >= len(data) || isSpace(data[i])
}

// markerAt reports whether --- or ... starts the line at i. Either ends everything
// before it.
func markerAt(data []byte, i int) bool {
	if i > 0 && data[i-1] != '\n' {
		return false
	}
	rest := data[i:]
	return (bytes.HasPrefix(rest, []byte("---")) || bytes.HasPrefix(rest, []byte("..."))) && spaceAt(rest, 3)
}

// skipSpace returns the offset after the blanks and line endings at i.
func skipSpace(data []byte, i int) int {
	for i < len(data) && isSpace(data[i]) {
		i++
	}
	return i
}

// skipBreak returns the offset after the line ending at i, if there is one.
func skipBreak(data []byte, i int) int {
	if i < len(data) && data[i] == '\r' {
		i++
	}
	if i < len(data) && data[i] == '\n' {
		i++
	}
	return i
}

// lineEnd returns the offset of the next line ending, or of the end of the file.
func lineEnd(data []byte, i int) int {
	n := bytes.IndexByte(data[i:], '\n')
	if n < 0 {
		return len(data)
	}
	if n > 0 && data[i+n-1] == '\r' {
		n--
	}
	return i + n
}

// plainExtent is the result of plainEnd.
type plainExtent struct {
	end  int // after its last character
	next int // after the blanks and line endings that follow
	tab  int // a tab in them where only spaces can indent, or -1
}

// plainEnd finds the end of the plain scalar that starts at i. Its other lines are
// indented by at least indent, except in brackets (inFlow).
func plainEnd(data []byte, i, indent int, inFlow bool) plainExtent {
	for {
		for !spaceAt(data, i) && !endsPlain(data, i, inFlow) {
			i++
		}
		p := plainExtent{end: i, tab: -1}
		line := -1 // start of the line, unless it is the first one
		for i < len(data) && isSpace(data[i]) {
			switch {
			case data[i] == '\n':
				line = i + 1
			case data[i] == '\t' && line >= 0 && i-line < indent:
				p.tab, p.next = i, i
				return p
			}
			i++
		}
		p.next = i
		if i == len(data) || data[i] == '#' || endsPlain(data, i, inFlow) || i == p.end {
			return p
		}
		if line >= 0 && (!inFlow && i-line < indent || markerAt(data, i)) {
			return p
		}
	}
}

// endsPlain reports whether the sign at i ends a plain scalar.
func endsPlain(data []byte, i int, inFlow bool) bool {
	return data[i] == ':' && spaceAt(data, i+1) || inFlow && strings.IndexByte(",?[]{}", data[i]) >= 0
}

// quotedEnd finds the end of the quoted scalar that starts at start. It is -1 if the
// quote is never closed. In double quotes, escape is the offset of the first invalid
// escape, or -1.
func quotedEnd(data []byte, start int) (end, escape int) {
	quote := data[start]
	escape = -1
	for i := start + 1; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\n' && markerAt(data, i+1):
			return -1, escape
		case c == '\\' && quote == '"':
			if i+1 == len(data) {
				return -1, escape
			}
			if escape < 0 && escapeLen(data[i:]) == 0 {
				escape = i
			}
			if data[i+1] != '\n' { // which a marker can follow
				i++
			}
		case c != quote:
		case quote == '\'' && i+1 < len(data) && data[i+1] == '\'':
			i++
		default:
			return i + 1, escape
		}
	}
	return -1, escape
}

// escapeLen is the length of the escape that data starts with, or 0 if it is invalid.
// A backslash at the end of a line includes the line ending.
func escapeLen(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	c := data[1]
	if isBreak(c) {
		return skipBreak(data, 1)
	}
	if _, ok := escapes[c]; ok {
		return 2
	}
	n, ok := hexDigits[c]
	if !ok || len(data) < 2+n {
		return 0
	}
	if r := hexValue(data[2 : 2+n]); r < 0 || 0xD800 <= r && r <= 0xDFFF || r > 0x10FFFF {
		return 0
	}
	return 2 + n
}

// hexValue is the value of hexadecimal digits, or -1 if one is invalid.
func hexValue(digits []byte) int {
	value := 0
	for _, d := range digits {
		n := strings.IndexByte("0123456789abcdef", d|0x20)
		if n < 0 || d < '0' {
			return -1
		}
		value = value<<4 + n
	}
	return value
}

// blockExtent is the result of blockEnd.
type blockExtent struct {
	end    int // of its last line of text, without the line ending
	next   int // start of the first line after it
	indent int // of its lines
	// The first invalid offset, or -1: a tab in the indentation, or other content in
	// the line of the indicator.
	tab, junk int
}

// blockHeader reads the indicators after the | or > at start: a digit for the
// indentation (0 if missing) and + or - for the line endings after the text (0 if
// missing), in any order.
func blockHeader(data []byte, start int) (end, digit int, chomp byte) {
	for end = start + 1; end < len(data); end++ {
		switch c := data[end]; {
		case (c == '+' || c == '-') && chomp == 0:
			chomp = c
		case '1' <= c && c <= '9' && digit == 0:
			digit = int(c - '0')
		default:
			return end, digit, chomp
		}
	}
	return end, digit, chomp
}

// blockEnd finds the end of the block scalar whose | or > is at start, in a mapping or
// sequence whose lines start at column parent, or -1.
func blockEnd(data []byte, start, parent int) blockExtent {
	b := blockExtent{tab: -1, junk: -1}
	end, digit, _ := blockHeader(data, start)
	if digit > 0 {
		b.indent = max(parent, 0) + digit
	}
	b.end = end
	i := end
	for i < len(data) && isBlank(data[i]) {
		i++
	}
	if i < len(data) && !isBreak(data[i]) && data[i] != '#' {
		b.junk = i
		return b
	}
	i = skipBreak(data, lineEnd(data, i))
	if b.indent == 0 {
		if b.indent, b.tab = detectIndent(data, i, parent); b.tab >= 0 {
			return b
		}
	}
	for i < len(data) {
		b.next = i
		col := 0
		for col < b.indent && i < len(data) && data[i] == ' ' {
			col, i = col+1, i+1
		}
		if i < len(data) && data[i] == '\t' && col < b.indent {
			b.tab = i
			return b
		}
		if col < b.indent && i < len(data) && !isBreak(data[i]) {
			return b
		}
		if eol := lineEnd(data, i); eol > i {
			b.end, i = eol, eol
		}
		i = skipBreak(data, i)
	}
	b.next = i
	return b
}

// detectIndent is the indentation of a block scalar without an indentation indicator:
// that of its first line with text, or more if a blank line before it is longer. tab is
// the offset of a tab before that text, or -1.
func detectIndent(data []byte, i, parent int) (indent, tab int) {
	indent = max(parent+1, 1)
	for {
		line := i
		for i < len(data) && data[i] == ' ' {
			i++
		}
		indent = max(indent, i-line)
		switch {
		case i == len(data):
			return indent, -1
		case data[i] == '\t':
			return indent, i
		case !isBreak(data[i]):
			return indent, -1
		}
		i = skipBreak(data, i)
	}
}
