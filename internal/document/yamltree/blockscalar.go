package yamltree

import "github.com/rubric-library/rubric-library/internal/document/source"

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

// block decodes the block scalar whose | or > is at pos. After it, reading continues at
// the start of a line.
func (r *reader) block() (end, next int) {
	data, folded := r.data, r.data[r.pos] == '>'
	end, indent, chomp := blockHeader(data, r.pos)
	i := skipBlanks(data, end)
	if i < len(data) && data[i] == '#' {
		r.pos = i
		r.comment()
	} else if i < len(data) && !isBreak(data[i]) {
		r.fail(reservedStart(data, r.pos))
	}
	i = skipBreak(data, lineEnd(data, i))
	if indent > 0 {
		indent += max(r.top.col, 0)
	} else {
		indent = r.detectIndent(i)
	}
	var breaks []source.Span         // since the last text
	begun, wasDeeper := false, false // lines with deeper indentation are not folded
	for next = i; i < len(data); next = i {
		for i < len(data) && i-next < indent && data[i] == ' ' {
			i++
		}
		eol := lineEnd(data, i)
		if i < eol && i-next < indent {
			if data[i] == '\t' {
				r.fail(tabIndent(data, i))
			}
			break
		}
		if i < eol {
			deeper := isBlank(data[i])
			r.breaks(breaks, folded && begun && !wasDeeper && !deeper)
			r.add(i, eol, "")
			end, breaks, begun, wasDeeper = eol, breaks[:0], true, deeper
		}
		if i = skipBreak(data, eol); i > eol {
			breaks = append(breaks, source.Span{Start: eol, End: i})
		}
	}
	switch {
	case chomp == '+':
		r.breaks(breaks, false)
	case chomp == 0 && begun && len(breaks) > 0:
		r.breaks(breaks[:1], false)
	}
	return end, next
}

// breaks adds the line endings between two lines of a block scalar. If they are folded,
// the first is a blank if it is the only one, and omitted otherwise.
func (r *reader) breaks(breaks []source.Span, fold bool) {
	text := "\n"
	if fold && len(breaks) == 1 {
		text = " "
	} else if fold {
		breaks = breaks[1:]
	}
	for _, b := range breaks {
		r.add(b.Start, b.End, text)
	}
}

// detectIndent is the indentation of a block scalar without an indentation indicator,
// whose lines begin at i: that of its first line with text, or more if a blank line
// before it is longer.
func (r *reader) detectIndent(i int) int {
	for indent := max(r.top.col+1, 1); ; i = skipBreak(r.data, i) {
		line := i
		for i < len(r.data) && r.data[i] == ' ' {
			i++
		}
		indent = max(indent, i-line)
		switch {
		case i < len(r.data) && r.data[i] == '\t':
			r.fail(tabIndent(r.data, i))
		case i == len(r.data) || !isBreak(r.data[i]):
			return indent
		}
	}
}
