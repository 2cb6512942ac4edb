package importing

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

type level struct {
	low, high float64
	text      string
}

func (l level) String() string {
	if l.low == l.high {
		return schema.Plain(l.low)
	}
	return schema.Plain(l.low) + " to " + schema.Plain(l.high)
}

// positions are the scores from 1 to 5 of the levels of other scales, by their number. For
// other numbers, any choice would change what a level means.
var positions = map[int][]int{2: {1, 5}, 3: {1, 3, 5}, 5: {1, 2, 3, 4, 5}}

// anchor sets the anchors of a criterion from levels. Levels of a scale from 1 to 5, which
// own reports, keep their scores. Those of another scale are mapped in order, if their
// number and texts allow that. What is not mapped becomes a note.
func (r *reader) anchor(c *criterion, levels []level, own bool, place string) {
	slices.SortStableFunc(levels, func(a, b level) int { return cmp.Compare(a.low, b.low) })
	scores, why := positions[len(levels)], ""
	if own = own || isOwnScale(levels); own {
		scores = nil
	} else if scores == nil {
		why = "only 2, 3, or 5 levels have an evident place on the scale from 1 to 5"
	}
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = l.String()
		if !own && i > 0 && l.low <= levels[i-1].high {
			why = "the levels overlap"
		} else if scores != nil {
			if _, found := wording.Scale(wording.Read(l.text), scores[i]); found {
				why = "a text names a score of the other scale"
			}
		}
	}
	for i, l := range levels {
		at := l.low - 1
		if !own && why == "" {
			at = float64(scores[i] - 1)
		}
		if why == "" && (!own || l.low == l.high) && slices.Contains([]float64{0, 1, 2, 3, 4}, at) && c.anchors[int(at)] == "" {
			c.anchors[int(at)] = l.text
			continue
		}
		c.notes = append(c.notes, fmt.Sprintf("Level %s in the imported file: %s", l, l.text))
		r.dropped(place, "Levels are only in comments: "+cmp.Or(why, "they have no score from 1 to 5 of their own")+".")
	}
	if !own && why == "" && len(levels) > 0 {
		r.derived(place, fmt.Sprintf("The levels %s became the anchors %s, in order.", schema.Or(names, "and"), strings.ReplaceAll(strings.Trim(fmt.Sprint(scores), "[]"), " ", ", ")))
	}
}

// isOwnScale reports whether levels have scores from 1 to 5. Those of another scale rarely
// end at 5.
func isOwnScale(levels []level) bool {
	return len(levels) > 0 && levels[len(levels)-1].high == 5 && !slices.ContainsFunc(levels, func(l level) bool {
		return l.low != l.high || l.low != float64(int(l.low)) || l.low < 1
	})
}

// levelLine matches the first line of a level in a text, such as "Score 1: no sources" and
// "- 3-4 = some".
var levelLine = lazy.Expr(`(?i)^[\s*_-]*(?:(?:score|level|rating|grade)(?:\s+of)?\s*)?([0-9]{1,3}(?:\.[0-9]{1,2})?)(?:\s*(?:-|–|to)\s*([0-9]{1,3}(?:\.[0-9]{1,2})?))?\**\s*(?:[:=]|\s[-–—]\s)\s*\**\s*(\S.*)$`)

// levelsIn splits a text into levels, of which it has two or more or none, and the rest.
func levelsIn(text string) (rest string, levels []level) {
	var others []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		m := levelLine().FindStringSubmatch(line)
		switch {
		case m != nil:
			low, _ := strconv.ParseFloat(m[1], 64) // the expression is that of a number
			high, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				high = low
			}
			levels = append(levels, level{low, high, strings.TrimSpace(m[3])})
			inside = true
		case inside && line != "":
			levels[len(levels)-1].text += "\n" + strings.TrimSpace(line)
		default:
			inside = false
			others = append(others, line)
		}
	}
	if len(levels) < 2 {
		return text, nil
	}
	return strings.TrimSpace(strings.Join(others, "\n")), levels
}
