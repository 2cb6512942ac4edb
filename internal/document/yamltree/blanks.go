package yamltree

import (
	"bytes"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

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

func skipBlanks(data []byte, i int) int {
	for i < len(data) && isBlank(data[i]) {
		i++
	}
	return i
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

// restOfLine is the span from i to the end of its line, without blanks.
func restOfLine(data []byte, i int) source.Span {
	rest := bytes.TrimRight(data[i:lineEnd(data, i)], " \t")
	return source.Span{Start: i, End: i + len(rest)}
}

func oneCharacter(data []byte, i int) source.Span {
	_, size := utf8.DecodeRune(data[i:])
	return source.Span{Start: i, End: i + size}
}
