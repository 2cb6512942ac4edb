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
	folded := r.data[r.pos] == '>'
	end, digit, chomp := blockHeader(r.data, r.pos)
	next = r.firstLine(end)
	indent := digit + max(r.top.col, 0)
	if digit == 0 {
		indent = r.detectIndent(next)
	}
	var breaks []source.Span         // since the last text
	begun, wasDeeper := false, false // lines with deeper indentation are not folded
	for next < len(r.data) {
		text := r.skipIndent(next, indent)
		eol := lineEnd(r.data, text)
		if text < eol && text-next < indent {
			break // a line of what is around the scalar
		}
		if text < eol {
			deeper := isBlank(r.data[text])
			r.addBreaks(breaks, folded && begun && !wasDeeper && !deeper)
			r.add(text, eol, "")
			end, breaks, begun, wasDeeper = eol, breaks[:0], true, deeper
		}
		next = skipBreak(r.data, eol)
		if next > eol {
			breaks = append(breaks, source.Span{Start: eol, End: next})
		}
	}
	switch {
	case chomp == '+':
		r.addBreaks(breaks, false)
	case chomp == 0 && begun && len(breaks) > 0:
		r.addBreaks(breaks[:1], false)
	}
	return end, next
}

// firstLine steps over the rest of the line with the header of a block scalar, which ends at end.
func (r *reader) firstLine(end int) int {
	i := skipBlanks(r.data, end)
	if i < len(r.data) && r.data[i] == '#' {
		r.pos = i
		r.comment()
	} else if i < len(r.data) && !isBreak(r.data[i]) {
		r.fail(reservedStart(r.data, r.pos))
	}
	return skipBreak(r.data, lineEnd(r.data, i))
}

// skipIndent steps over at most indent spaces at the start of a line.
func (r *reader) skipIndent(line, indent int) int {
	i := line
	for i < len(r.data) && i-line < indent && r.data[i] == ' ' {
		i++
	}
	if i < len(r.data) && i-line < indent && r.data[i] == '\t' {
		r.fail(tabIndent(r.data, i))
	}
	return i
}

// addBreaks adds the line endings between two lines of a block scalar. If they are folded,
// the first is a blank if it is the only one, and omitted otherwise.
func (r *reader) addBreaks(breaks []source.Span, fold bool) {
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
