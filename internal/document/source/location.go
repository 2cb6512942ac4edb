package source

import "unicode/utf8"

// Location is a range in a file, with the text that stands there.
type Location struct {
	// File is relative to the library's root and slash-separated.
	File string
	// Revision is the full hash of the commit that has the file, or "" for the
	// library that is checked.
	Revision string
	// Start is the first character and End is the one after the last. Both are
	// zero for a finding about the file as a whole.
	Start, End Position
	// Excerpt is the lines from Start on, three at most.
	Excerpt []ExcerptLine
}

// ExcerptLine is a line of a file, or the part of a long line around a finding.
type ExcerptLine struct {
	Number int
	// Column is that of the first character of Text: 1 unless the beginning was
	// cut off.
	Column int
	Text   string
	// Cut tells that the line goes on after Text.
	Cut bool
}

// The size of what is kept of a place: a finding must not hold on to its file.
const (
	excerptLines  = 3
	excerptBefore = 60  // characters before the start of the finding
	excerptAfter  = 140 // characters from the start of the finding on
)

// Locate turns a span into a location that no longer needs the file.
func Locate(f *File, span Span) Location {
	loc := Location{File: f.Path, Start: f.Position(span.Start), End: f.Position(span.End)}
	last := min(loc.End.Line, loc.Start.Line+excerptLines-1)
	for n := loc.Start.Line; n <= last; n++ {
		from := f.LineSpan(n).Start
		if n == loc.Start.Line {
			from = span.Start
		}
		loc.Excerpt = append(loc.Excerpt, excerpt(f, n, from))
	}
	return loc
}

// excerpt cuts the part of line n around the offset from.
func excerpt(f *File, n, from int) ExcerptLine {
	line := f.LineSpan(n)
	from = min(max(from, line.Start), line.End)
	start, end := from, from
	for i := 0; i < excerptBefore && start > line.Start; i++ {
		_, size := utf8.DecodeLastRune(f.Data[line.Start:start])
		start -= size
	}
	for i := 0; i < excerptAfter && end < line.End; i++ {
		_, size := utf8.DecodeRune(f.Data[end:line.End])
		end += size
	}
	return ExcerptLine{
		Number: n,
		Column: 1 + utf8.RuneCount(f.Data[line.Start:start]),
		Text:   string(f.Data[start:end]),
		Cut:    end < line.End,
	}
}
