package labels

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// labelForm is a whole number from 1 to 5 as spreadsheets write it: "4", "4.0",
// "4,0". "4,000" could be four thousand.
var labelForm = regexp.MustCompile(`^([1-5])(?:\.0+|,0{1,2})?$`)

// CannotTell is the value of an answer that the item does not let the rater tell.
const CannotTell = -1

// cannotTell is what a rater writes for it.
const cannotTell = "cannot tell"

const labelSays = "a whole number from 1 to 5, cannot tell, or an empty cell for a missing label"

// parseLabel parses a label. A missing label is 0; ok is false if the text is not a
// label.
func parseLabel(text string) (value float64, ok bool) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(text) {
	case "", "-", "na", "n/a":
		return 0, true
	case cannotTell:
		return CannotTell, true
	}
	form := labelForm.FindStringSubmatch(text)
	if form == nil {
		return 0, false
	}
	return float64(form[1][0] - '0'), true
}

// answerOf returns a rater's label of an item, CannotTell, or 0 if there is no answer.
func answerOf(item *calibration.Item, rater, criterion string) float64 {
	if slices.Contains(item.CannotTell[rater], criterion) {
		return CannotTell
	}
	return item.Labels[rater][criterion]
}

// wordOf returns an answer as a rater writes it.
func wordOf(value float64) string {
	if value == CannotTell {
		return cannotTell
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}
