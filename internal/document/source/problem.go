package source

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Problem is an error at a place in a file, as a parser or check reports it. The lint
// engine adds severity, file, and position.
type Problem struct {
	// Code is the ID of the lint rule.
	Code string
	// Span is the smallest range that shows the mistake.
	Span Span
	// Pointer is the JSON pointer (RFC 6901) of the value in question, or of the
	// parent if a value is missing.
	Pointer string
	// Path is the same place with elements named instead of counted, so that it stays
	// the same when others are inserted before: "criteria[clarity].threshold".
	Path string
	// Message says in one or two sentences what to change and why.
	Message string
	// Spec is the violated requirement, such as "RL-05"; empty means that of the lint
	// rule.
	Spec string
	// Related are other places in the same file that explain it.
	Related []Related
	// Fix is a safe fix, or nil.
	Fix *Fix
}

// Related is another place in the same file, and its relation to the problem.
type Related struct {
	Span    Span
	Message string
}

// Fix is a way to fix a problem that changes nothing else.
type Fix struct {
	// Message is a verb phrase: "put the version in quotes".
	Message string
	// Edits change bytes of the file. They must not overlap.
	Edits []Edit
	// Rename is the file's new path relative to the library, or empty.
	Rename string
	// Rewrites is true if the fix changes the meaning of the document, however little.
	// Such a fix is for documents that are not used yet.
	Rewrites bool
}

// Edit replaces the bytes of a span with Text. An empty span inserts.
type Edit struct {
	Span
	Text string
}

// Apply returns data with the edits applied; data itself is not changed. Edits can be
// in any order, and duplicates count once. It is an error if two edits overlap or
// insert at the same place, because either order could be wrong, or if one is outside
// data; then nothing is changed.
func Apply(data []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortFunc(sorted, func(a, b Edit) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	sorted = slices.Compact(sorted)
	out := make([]byte, 0, len(data))
	at := 0
	for i, e := range sorted {
		if e.Start < 0 || e.End < e.Start || e.End > len(data) {
			return nil, fmt.Errorf("edit of bytes %d to %d is outside the %d bytes of the file", e.Start, e.End, len(data))
		}
		if i > 0 && (e.Start < at || e.Start == sorted[i-1].Start) {
			return nil, fmt.Errorf("two edits overlap at byte %d", e.Start)
		}
		out = append(out, data[at:e.Start]...)
		out = append(out, e.Text...)
		at = e.End
	}
	return append(out, data[at:]...), nil
}

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
