package render

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Wrap breaks the lines of a text that are wider than a terminal, between words, and indents
// what follows. The text is sanitized, and can have styles. A line that is a command of Git is
// whole, because people copy it.
func Wrap(text string, columns int) string {
	return EachLine(text, "\n", func(line string) string {
		if width(line) <= columns || strings.HasPrefix(line, "git ") {
			return line
		}
		indent := min(len(line)-len(strings.TrimLeft(line, " "))+2, columns/2)
		return strings.Join(flow(line, columns, indent, false), "\n")
	})
}

// wrapCell breaks a text that is wider than a column of a table between words, and a word that
// is wider at any character.
func wrapCell(text string, columns int) []string {
	return flow(strings.TrimSpace(sanitize.Line(text)), columns, 0, true)
}

var style = lazy.Expr("\x1b\\[[0-9;]*m")

// width is the number of columns of a line.
func width(line string) int { return Columns(style().ReplaceAllString(line, "")) }

// flow puts as many words on each line as fit, and indents all lines but the first.
func flow(text string, columns, indent int, breakWords bool) (lines []string) {
	line, used, isEmpty := "", 0, true
	end := func() {
		lines = append(lines, line)
		line, used, isEmpty = strings.Repeat(" ", indent), indent, true
	}
	blank, blanks := "", 0
	for _, p := range pieces(text) {
		if p.isBlank {
			blank, blanks = blank+p.text(), blanks+p.width
			continue
		}
		if !isEmpty && used+blanks+p.width > columns {
			end()
			blank, blanks = "", 0
		}
		for breakWords && used+blanks+p.width > columns && len(p.units) > 1 {
			head := p.cut(columns - used - blanks)
			line += blank + head
			end()
			blank, blanks = "", 0
		}
		line, used, isEmpty = line+blank+p.text(), used+blanks+p.width, false
		blank, blanks = "", 0
	}
	return append(lines, line)
}

// piece is a part of a text that is broken only if it is wider than a line: a word, a wide
// character, or a blank.
type piece struct {
	units           []unit
	width           int
	isBlank, isWide bool
}

// unit is a character with what changes its shape, or a style.
type unit struct {
	text  string
	width int
}

func (p *piece) text() string {
	var b strings.Builder
	for _, u := range p.units {
		b.WriteString(u.text)
	}
	return b.String()
}

// cut removes the beginning of a piece that fits, at least one unit, and ends it after a
// separator of names if there is one.
func (p *piece) cut(columns int) string {
	end, at, used := 0, 0, 0
	for i, u := range p.units {
		if used += u.width; used > columns {
			break
		}
		at = i + 1
		if strings.ContainsAny(u.text, "_-./") {
			end = i + 1
		}
	}
	if end == 0 {
		end = max(1, at)
	}
	head := piece{units: p.units[:end]}
	for _, u := range head.units {
		p.width -= u.width
	}
	p.units = p.units[end:]
	return head.text()
}

// Beginning returns as much of a sanitized text as fits columns, with "…" if it is cut.
func Beginning(text string, columns int) string {
	if Columns(text) <= columns {
		return text
	}
	var b strings.Builder
	used := 1
	for _, p := range pieces(text) {
		for _, u := range p.units {
			if used += u.width; used > columns {
				return b.String() + "…"
			}
			b.WriteString(u.text)
		}
	}
	return b.String()
}

// pieces splits a sanitized text, which can have styles.
func pieces(text string) []piece {
	var s splitter
	at := 0
	for _, found := range style().FindAllStringIndex(text, -1) {
		s.addPlain(text[at:found[0]])
		s.add(text[found[0]:found[1]], 0)
		at = found[1]
	}
	s.addPlain(text[at:])
	return s.pieces
}

// splitter collects pieces.
type splitter struct {
	pieces []piece
	// isJoined is set after a joiner.
	isJoined bool
}

// addPlain adds a text without styles.
func (s *splitter) addPlain(text string) {
	cells, at := sanitize.Cells(text), 0
	for _, c := range text {
		if width := cells[at].Width; width == 0 || s.isJoined || isSkin(c) {
			s.attach(string(c), width)
		} else {
			s.add(string(c), width)
		}
		s.isJoined = c == '\u200d'
		at++
	}
}

// isSkin reports whether a character changes the color of the emoji before it.
func isSkin(c rune) bool { return c >= 0x1f3fb && c <= 0x1f3ff }

// attach adds to the character before, unless it is a blank.
func (s *splitter) attach(text string, width int) {
	if len(s.pieces) == 0 || s.pieces[len(s.pieces)-1].isBlank {
		s.add(text, width)
		return
	}
	p := &s.pieces[len(s.pieces)-1]
	u := &p.units[len(p.units)-1]
	u.text, u.width, p.width = u.text+text, u.width+width, p.width+width
}

// add adds a character or a style: to the word before, or as a new piece.
func (s *splitter) add(text string, width int) {
	isBlank, isWide := text == " " || text == "\t", width > 1
	if n := len(s.pieces); n == 0 || isWide || s.pieces[n-1].isBlank != isBlank || s.pieces[n-1].isWide {
		s.pieces = append(s.pieces, piece{isBlank: isBlank, isWide: isWide})
	}
	p := &s.pieces[len(s.pieces)-1]
	p.units, p.width = append(p.units, unit{text, width}), p.width+width
}
