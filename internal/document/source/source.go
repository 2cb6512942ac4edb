// Package source represents places in a file: spans of bytes, positions for people,
// edits, and the Problem that parsers and checks report. It knows nothing about YAML
// or rubrics.
package source

import (
	"bytes"
	"errors"
	"sort"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Span is a half-open range of byte offsets in a file, Start <= End.
type Span struct {
	Start, End int
}

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Position is a place in a file as in editors. Line and Column start at 1; a column
// counts characters (Unicode code points), not bytes.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// File is the content of a file with an index of its lines. Lines end with LF, CRLF,
// or at the end of the file. A File is immutable after NewFile and safe for concurrent
// use.
type File struct {
	// Path is the file's name in messages; slash-separated, relative to the library.
	Path string
	// Data is the content, as read.
	Data []byte

	starts   []int // byte offset of each line's first byte
	tooLarge int64 // the size of a file that was too large to read
}

// NewFile indexes the lines of data, which the caller must not change later.
func NewFile(path string, data []byte) *File {
	starts := make([]int, 1+bytes.Count(data, []byte{'\n'}))
	for i := range starts[1:] {
		starts[i+1] = starts[i] + bytes.IndexByte(data[starts[i]:], '\n') + 1
	}
	return &File{Path: path, Data: data, starts: starts}
}

// Read is NewFile for the result of reading a file. A file that is too large to read
// (*safefile.TooLargeError) has no content, which parsers report by its Size; any other
// error is returned.
func Read(path string, data []byte, err error) (*File, error) {
	tooLarge, ok := errors.AsType[*safefile.TooLargeError](err)
	if err != nil && !ok {
		return nil, err
	}
	f := NewFile(path, data)
	if ok {
		f.tooLarge = max(tooLarge.Size, tooLarge.Max+1)
	}
	return f, nil
}

// Size returns the number of bytes in the file, which is more than in Data if it was
// too large to read.
func (f *File) Size() int { return max(len(f.Data), int(f.tooLarge)) }

// Position converts a byte offset. An offset outside the file is moved to its nearest
// end, so that a wrong span results in a wrong place, not a panic.
func (f *File) Position(offset int) Position {
	offset = max(0, min(offset, len(f.Data)))
	line := sort.SearchInts(f.starts, offset+1)
	return Position{
		Line:   line,
		Column: 1 + utf8.RuneCount(f.Data[f.starts[line-1]:offset]),
	}
}

// LineCount returns the number of lines; text after the last line end counts as one,
// and so does an empty file.
func (f *File) LineCount() int { return len(f.starts) }

// LineSpan returns the span of line n (from 1) without its line end. For a line that
// does not exist it is an empty span at the end of the file.
func (f *File) LineSpan(n int) Span {
	if n < 1 || n > len(f.starts) {
		return Span{len(f.Data), len(f.Data)}
	}
	start, end := f.starts[n-1], len(f.Data)
	if n < len(f.starts) {
		end = f.starts[n] - 1
	}
	if end > start && f.Data[end-1] == '\r' {
		end--
	}
	return Span{start, end}
}

// Text returns the bytes of a span as a string.
func (f *File) Text(s Span) string { return string(f.Data[s.Start:s.End]) }
