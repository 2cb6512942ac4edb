package source

import (
	"fmt"
	"slices"
)

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
	slices.SortFunc(sorted, func(a, b Edit) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return a.End - b.End
	})
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
