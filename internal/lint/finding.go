package lint

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Finding is one thing that a lint rule found, at a place.
type Finding struct {
	Rule     *Rule
	Severity Severity
	source.Location
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

// Related is another place that has to do with a finding.
type Related struct {
	source.Location
	Message string
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
