package lint

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Finding is a problem that a lint rule found, with its place.
type Finding struct {
	Rule     *Rule
	Severity Severity
	source.Location
	// ID is the ID of the document, or "" if it is unknown.
	ID string
	// Pointer is the JSON pointer to the value. Path is the same with the names of
	// elements instead of their indices.
	Pointer, Path string
	// Message says what to change, why, and what the effect is.
	Message string
	// Spec is the requirement that is violated, or "".
	Spec string
	// Related are other places that explain the finding.
	Related []Related
	// Fix is a safe fix, or nil.
	Fix *source.Fix
	// Changed says that the finding is in a file that the change touches, or is about
	// the change itself. It is set only with Options.Changed.
	Changed bool
	// step is the number of the commit in an audit, from 1, oldest first; 0 for the
	// checked library.
	step int
	// hidden says that the baseline allows the finding.
	hidden bool
	// Fingerprint identifies the finding even if lines move or messages are
	// reworded.
	Fingerprint string
}

// Related is another place that explains a finding.
type Related struct {
	source.Location
	Message string
}

func findingOf(file *source.File, p source.Problem) Finding {
	f := Finding{Location: source.Locate(file, p.Span), Pointer: p.Pointer, Path: p.Path, Message: p.Message}
	for _, r := range p.Related {
		f.Related = append(f.Related, Related{Location: source.Locate(file, r.Span), Message: r.Message})
	}
	return f
}

// sortFindings sorts findings by place, then by rule, and removes duplicates.
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

// fingerprint sets the fingerprints of sorted findings: a hash of rule, document, and
// path, with a counter for findings that agree in all three.
func fingerprint(findings []Finding) {
	seen := map[[sha256.Size]byte]int{} // the key is shorter than its text
	for i := range findings {
		f := &findings[i]
		text := f.Rule.ID + "\x00" + cmp.Or(f.ID, f.File) + "\x00" + f.Path + "\x00" + f.Revision
		key := sha256.Sum256([]byte(text))
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", text, seen[key]))
		seen[key]++
		f.Fingerprint = fmt.Sprintf("%x", sum[:16])
	}
}
