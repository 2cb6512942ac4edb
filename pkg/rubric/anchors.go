package rubric

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Anchors describe a criterion at each score. The text for score 1 is at index 0; see At.
//
// In JSON, Anchors is an object with exactly the keys "1" to "5".
type Anchors [5]string

// At returns the anchor for a score from 1 to 5. It panics for any other score.
func (a Anchors) At(score int) string { return a[score-1] }

// MarshalJSON encodes the anchors in order of score.
func (a Anchors) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		One   string `json:"1"`
		Two   string `json:"2"`
		Three string `json:"3"`
		Four  string `json:"4"`
		Five  string `json:"5"`
	}{a[0], a[1], a[2], a[3], a[4]})
}

// UnmarshalJSON decodes an object with exactly the keys "1" to "5" and text values. Null
// is an error. The error lists all missing and unknown keys, and a is unchanged.
func (a *Anchors) UnmarshalJSON(data []byte) error {
	var texts map[string]*string
	if err := json.Unmarshal(data, &texts); err != nil {
		return fmt.Errorf("anchors: %w", err)
	}
	var read Anchors
	var missing []string
	for i := range read {
		key := strconv.Itoa(i + 1)
		if text := texts[key]; text != nil {
			read[i] = *text
		} else {
			missing = append(missing, key)
		}
		delete(texts, key)
	}
	var problems []string
	if len(missing) > 0 {
		problems = append(problems, "no text for "+strings.Join(missing, ", "))
	}
	if len(texts) > 0 {
		problems = append(problems, "unknown keys "+quoted(slices.Sorted(maps.Keys(texts))))
	}
	if len(problems) > 0 {
		return fmt.Errorf("anchors need the keys 1 to 5, each with a text, and no others: %s", strings.Join(problems, "; "))
	}
	*a = read
	return nil
}
