package yamltree

import (
	"bytes"
	"iter"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Inside returns the place in the file of the bytes [from, to) of n.Value. Where the
// source differs from the value, such as an escape or a folded line ending, the place
// covers all of it. If there is no such place, because n is not a scalar or the range
// is outside its value, Inside returns n.Span.
func (t *Tree) Inside(n *Node, from, to int) source.Span {
	if n.Kind != Scalar || from < 0 || to < from || to > len(n.Value) {
		return n.Span
	}
	at, start, end := 0, -1, -1
	for p := range pieces(t.File.Data, n) {
		value := p.text
		if p.verbatim {
			value = t.File.Text(p.Span)
		}
		next := at + len(value)
		if !strings.HasPrefix(n.Value[at:], value) {
			return n.Span
		}
		if start < 0 && from < next {
			start = p.Start
			if p.verbatim {
				start += from - at
			}
		}
		if to <= next {
			end = p.End
			if p.verbatim {
				end = p.Start + to - at
			}
			break
		}
		at = next
	}
	if end < 0 {
		return n.Span
	}
	if start < 0 {
		start = end
	} else if from == to {
		end = start
	}
	// The line ending of a block scalar's last line is in the value, not the span.
	return source.Span{Start: min(start, n.Span.End), End: min(end, n.Span.End)}
}

// piece is a part of the source of a scalar and its value.
type piece struct {
	source.Span
	verbatim bool   // the source equals the value, byte for byte
	text     string // the value, if not verbatim
}

// pieces decodes a scalar: the values of its pieces, concatenated, are its value. They
// are in order, and omit the source that is not in the value.
func pieces(data []byte, n *Node) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		switch n.Style {
		case Plain:
			flowPieces(data[:n.Span.End], n.Span.Start, 0, yield)
		case SingleQuoted, DoubleQuoted:
			flowPieces(data[:n.Span.End-1], n.Span.Start+1, data[n.Span.Start], yield)
		case Literal, Folded:
			blockPieces(data, n, yield)
		}
	}
}

// flowPieces yields the pieces of a plain or quoted scalar whose text is
// data[i:]. quote is its quote, or 0.
func flowPieces(data []byte, i int, quote byte, yield func(piece) bool) {
	special := " \t\r\n"
	switch quote {
	case '\'':
		special = " \t\r\n'"
	case '"':
		special = " \t\r\n\\"
	}
	for i < len(data) {
		p := piece{Span: source.Span{Start: i}}
		switch c := data[i]; {
		case isSpace(c):
			p.End = skipSpace(data, i)
			p.text = foldedSpace(data[i:p.End])
			p.verbatim = p.text == ""
		case c == '\'' && quote == '\'':
			p.End, p.text = i+2, "'"
		case c == '\\' && quote == '"':
			size := escapeLen(data[i:])
			if size == 0 {
				return // not what yaml.v3 accepts
			}
			p.End = i + size
			known, isLetter := escapes[data[i+1]]
			switch {
			case isBreak(data[i+1]):
				p.End = skipSpace(data, p.End)
				p.text = strings.Repeat("\n", bytes.Count(data[i+size:p.End], []byte{'\n'}))
			case isLetter:
				p.text = known
			default:
				p.text = string(rune(hexValue(data[i+2 : p.End])))
			}
		default:
			p.verbatim = true
			p.End = len(data)
			if n := bytes.IndexAny(data[i:], special); n >= 0 {
				p.End = i + n
			}
		}
		if !yield(p) {
			return
		}
		i = p.End
	}
}

// foldedSpace is the value of blanks and line endings: one line ending is a blank,
// and each additional one is kept. Blanks alone give "".
func foldedSpace(space []byte) string {
	switch n := bytes.Count(space, []byte{'\n'}); n {
	case 0:
		return ""
	case 1:
		return " "
	default:
		return strings.Repeat("\n", n-1)
	}
}

// blockPieces yields the pieces of a block scalar. Between two lines of text, each line
// ending is a piece.
func blockPieces(data []byte, n *Node, yield func(piece) bool) {
	_, _, chomp := blockHeader(data, n.Span.Start)
	i := skipBreak(data, lineEnd(data, n.Span.Start))
	var breaks []source.Span         // since the last text
	begun, wasDeeper := false, false // lines with deeper indentation are not folded
	for i < len(data) {
		line := i
		for i < len(data) && i-line < int(n.indent) && data[i] == ' ' {
			i++
		}
		eol := lineEnd(data, i)
		if i-line < int(n.indent) && i < eol {
			break
		}
		if i < eol {
			deeper := isBlank(data[i])
			fold := n.Style == Folded && begun && !wasDeeper && !deeper
			if !yieldBreaks(breaks, fold, yield) || !yield(piece{source.Span{Start: i, End: eol}, true, ""}) {
				return
			}
			breaks, begun, wasDeeper = breaks[:0], true, deeper
		}
		i = skipBreak(data, eol)
		if i > eol {
			breaks = append(breaks, source.Span{Start: eol, End: i})
		}
	}
	switch {
	case chomp == '+':
		yieldBreaks(breaks, false, yield)
	case chomp == 0 && begun && len(breaks) > 0:
		yieldBreaks(breaks[:1], false, yield)
	}
}

// yieldBreaks yields the line endings between two lines of a block scalar. If they are
// folded, the first is a blank if it is the only one, and omitted otherwise.
func yieldBreaks(breaks []source.Span, fold bool, yield func(piece) bool) bool {
	text := "\n"
	if fold && len(breaks) == 1 {
		text = " "
	} else if fold {
		breaks = breaks[1:]
	}
	for _, b := range breaks {
		if !yield(piece{b, false, text}) {
			return false
		}
	}
	return true
}

// Comment is one comment.
type Comment struct {
	// Span extends from the # to the end of the line, without the line ending.
	Span source.Span
	// Text is the text after the #, without surrounding blanks.
	Text string
}

// Comments returns all comments of the file in order. Each call searches the file.
func (t *Tree) Comments() []Comment {
	c := commentFinder{data: t.File.Data}
	c.walk(t.Root)
	c.upTo(len(c.data))
	return c.found
}

// commentFinder searches between the scalars, where each # starts a comment.
type commentFinder struct {
	data  []byte
	pos   int
	found []Comment
}

func (c *commentFinder) walk(n *Node) {
	for _, e := range n.Entries {
		c.walk(e.Key)
		c.walk(e.Value)
	}
	for _, item := range n.Items {
		c.walk(item)
	}
	if n.Kind != Scalar {
		return
	}
	c.upTo(n.Span.Start)
	if n.Style == Literal || n.Style == Folded {
		// A comment can follow the indicator on its line.
		c.upTo(min(lineEnd(c.data, n.Span.Start), n.Span.End))
	}
	c.pos = n.Span.End
}

// upTo finds the comments before end, which is not inside a comment.
func (c *commentFinder) upTo(end int) {
	for {
		n := bytes.IndexByte(c.data[c.pos:end], '#')
		if n < 0 {
			c.pos = end
			return
		}
		start := c.pos + n
		c.pos = lineEnd(c.data, start)
		c.found = append(c.found, Comment{
			Span: source.Span{Start: start, End: c.pos},
			Text: string(bytes.TrimSpace(c.data[start+1 : c.pos])),
		})
	}
}
