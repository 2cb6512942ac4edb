package lint

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/source"
)

// Finding is one thing that a lint rule found, at a place.
type Finding struct {
	Rule     *Rule
	Severity Severity
	Location
	// ID is the ID of the document, or "" where it is not known.
	ID string
	// Pointer is the JSON pointer of the value in question, Path the same with
	// elements named instead of counted.
	Pointer, Path string
	// Message says what to change, why, and what it does.
	Message string
	// Spec is the requirement that is broken, or "".
	Spec string
	// Related are other places that explain the finding.
	Related []Related
	// Fix is the safe way to mend it, or nil.
	Fix *source.Fix
	// Changed tells that the finding stands on lines that the change touches, or
	// is about the change itself. Only History.Lines looks for that.
	Changed bool
	// step is the number of the commit in an audit, from 1, the oldest first; 0
	// for the library that is checked.
	step int
	// hidden tells that the baseline allows it.
	hidden bool
	// Fingerprint stays the same while the finding does, also when lines move
	// or messages are reworded.
	Fingerprint string
}

// Location is a range in a file, with the text that stands there.
type Location struct {
	// File is relative to the library's root and slash-separated.
	File string
	// Revision is the full hash of the commit that has the file, or "" for the
	// library that is checked.
	Revision string
	// Start is the first character and End is the one after the last. Both are
	// zero for a finding about the file as a whole.
	Start, End source.Position
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

// Related is another place that has to do with a finding.
type Related struct {
	Location
	Message string
}

// The size of what is kept of a place: a finding must not hold on to its file.
const (
	excerptLines  = 3
	excerptBefore = 60  // characters before the start of the finding
	excerptAfter  = 140 // characters from the start of the finding on
)

// Locate turns a span into a location that no longer needs the file.
func Locate(f *source.File, span source.Span) Location {
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
func excerpt(f *source.File, n, from int) ExcerptLine {
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

// sortFindings orders findings by place, then by rule, and drops repetitions.
func sortFindings(findings []Finding) []Finding {
	compare := func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.step, b.step),
			cmp.Compare(a.Start.Line, b.Start.Line),
			cmp.Compare(a.Start.Column, b.Start.Column),
			cmp.Compare(a.Rule.ID, b.Rule.ID),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Message, b.Message),
		)
	}
	slices.SortStableFunc(findings, compare)
	return slices.CompactFunc(findings, func(a, b Finding) bool { return compare(a, b) == 0 })
}

// fingerprint sets the fingerprints of sorted findings: a hash of rule, document
// and path, with a count for those that are alike in all three.
func fingerprint(findings []Finding) {
	seen := map[string]int{}
	for i := range findings {
		f := &findings[i]
		document := f.ID
		if document == "" {
			document = f.File
		}
		key := f.Rule.ID + "\x00" + document + "\x00" + f.Path + "\x00" + f.Revision
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
		seen[key]++
		f.Fingerprint = hex.EncodeToString(sum[:16])
	}
}
