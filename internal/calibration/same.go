package calibration

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/duplicate"
)

// SameKey is equal for two items whose artifact and inputs differ only in case, spaces, and
// punctuation. A rater, and a judge, see one item in both.
func (i *Item) SameKey() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q", duplicate.Key(i.Artifact))
	for _, name := range slices.Sorted(maps.Keys(i.Inputs)) {
		fmt.Fprintf(&b, " %q %q", name, duplicate.Key(i.Inputs[name]))
	}
	return b.String()
}

// SameRaters returns the groups of names of raters that are equal except for case and punctuation,
// such as a, A, and a-, in alphabetical order. They are probably one person.
func SameRaters(raters []string) (groups [][]string) {
	by := map[string][]string{}
	for _, rater := range slices.Sorted(slices.Values(raters)) {
		key := duplicate.Key(rater)
		by[key] = append(by[key], rater)
	}
	for _, key := range slices.Sorted(maps.Keys(by)) {
		if group := slices.Compact(by[key]); len(group) > 1 {
			groups = append(groups, group)
		}
	}
	return groups
}
