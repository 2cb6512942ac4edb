package calibration

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text"
)

// Same is equal for two items whose artifact and inputs differ only in case, spaces, and
// punctuation. A rater, and a judge, see one item in both.
func (i *Item) Same() string {
	texts := []string{text.Plain(i.Artifact)}
	for _, key := range slices.Sorted(maps.Keys(i.Inputs)) {
		texts = append(texts, key, text.Plain(i.Inputs[key]))
	}
	return strings.Join(texts, "\x00")
}
