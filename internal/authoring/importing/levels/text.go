package levels

import (
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// levelLine matches the first line of a level in a text, such as "Score 1: no sources" and
// "- 3-4 = some".
var levelLine = lazy.Expr(`(?i)^[\s*_-]*(?:(?:score|level|rating|grade)(?:\s+of)?\s*)?([0-9]{1,3}(?:\.[0-9]{1,2})?)(?:\s*(?:-|–|to)\s*([0-9]{1,3}(?:\.[0-9]{1,2})?))?\**\s*(?:[:=]|\s[-–—]\s)\s*\**\s*(\S.*)$`)

// Item reads one line of a text as the first line of a level.
func Item(line string) (Level, bool) {
	m := levelLine().FindStringSubmatch(line)
	if m == nil {
		return Level{}, false
	}
	low, _ := strconv.ParseFloat(m[1], 64) // the expression is that of a number
	high, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		high = low
	}
	return Level{Low: low, High: high, Text: strings.TrimSpace(m[3])}, true
}

// In splits a text into levels, of which it has two or more or none, and the rest.
func In(text string) (rest string, levels []Level) {
	var others []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		level, isLevel := Item(line)
		switch {
		case isLevel:
			levels = append(levels, level)
			inside = true
		case inside && line != "":
			levels[len(levels)-1].Text += "\n" + strings.TrimSpace(line)
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

// Label reads the name of a level, such as the heading of a column or a key: a score, a range, or
// a word. The text of the level is empty.
func Label(label string) Level {
	if l, ok := Item(label + ": -"); ok {
		return Level{Low: l.Low, High: l.High}
	}
	return Named(strings.TrimSpace(label), "")
}
