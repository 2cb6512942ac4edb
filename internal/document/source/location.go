package source

import "unicode/utf8"

// Location is a range in a file with an excerpt of its text.
type Location struct {
	// File is relative to the library's root and slash-separated.
	File string
	// Revision is the full hash of the file's commit, or "" for the checked library.
	Revision string
	// Start is the first character and End the one after the last. Both are zero for a
	// finding about the file as a whole.
	Start, End Position
	// Excerpt has up to three lines, starting at Start.
	Excerpt []ExcerptLine
}

// ExcerptLine is a line of a file, or the part of a long line around a finding.
type ExcerptLine struct {
	Number int
	// Column is the column of the first character of Text: 1 unless the start was cut
	// off.
	Column int
	Text   string
	// Cut is true if the line continues after Text.
	Cut bool
}

// The size of an excerpt, so that a finding does not keep its file in memory.
const (
	excerptLines  = 3
	excerptBefore = 60  // characters before the start of the finding
	excerptAfter  = 140 // characters after the start of the finding
)

// Locate turns a span into a location that does not need the file.
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

// excerpt returns the part of line n around the offset from.
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
