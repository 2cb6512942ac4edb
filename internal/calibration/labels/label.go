package labels

import (
	"regexp"
	"strings"
)

// labelForm is a whole number from 1 to 5 as spreadsheets write it: "4", "4.0",
// "4,0". "4,000" could be four thousand.
var labelForm = regexp.MustCompile(`^([1-5])(?:\.0+|,0{1,2})?$`)

// CannotTell is what a rater writes where the item does not let them tell. It counts as
// a missing label.
const CannotTell = "cannot tell"

const labelSays = "a whole number from 1 to 5, or an empty cell for a missing label"

// parseLabel parses a label. A missing label is 0; ok is false if the text is not a
// label.
func parseLabel(text string) (value float64, ok bool) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(text) {
	case "", "-", "na", "n/a", CannotTell:
		return 0, true
	}
	form := labelForm.FindStringSubmatch(text)
	if form == nil {
		return 0, false
	}
	return float64(form[1][0] - '0'), true
}
