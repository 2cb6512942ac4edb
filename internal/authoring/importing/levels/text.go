package levels

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

var (
	// mark begins an item of a list, except one with a number.
	mark = lazy.Expr(`^\s*(?:[-*+•>]\s+)*`)
	// ordinal is the number of an item in a list, which is not a score.
	ordinal = lazy.Expr(`^[0-9]{1,2}[.)]\s+`)
	// separator ends the label of a level.
	separator = lazy.Expr(`[:=]|\s[-–—−]+\s|[–—]`)
)

// longestLabel is how many bytes the label of a level in a text has.
const longestLabel = 48

// Item reads one line of a text as the first line of a level: it begins with a score, or with a
// word for how good a work is.
func Item(line string) (Level, bool) {
	line = line[len(mark().FindString(line)):]
	after := ordinal().FindString(line)
	l, text, ok := cutLabel(line[len(after):])
	if !ok {
		return Level{}, false
	}
	if next, rest, ok := cutLabel(text); ok {
		switch {
		case l.IsNamed() && !next.IsNamed() && next.Name == "": // "Good - 4: text"
			next.Name = l.Name
			l, text = next, rest
		case !l.IsNamed() && l.Name == "" && next.IsNamed(): // "4 - Good: text"
			l.Name, text = next.Name, rest
		case !l.IsNamed() && !next.IsNamed() && l.Low < next.Low && l.Name == "" &&
			l.Low == l.High && next.Low == next.High: // "3 - 4: text"
			l.High, l.Name, text = next.High, next.Name, rest
		}
	}
	l.Text = strings.TrimSpace(text)
	return l, l.Text != ""
}

// cutLabel cuts the label of a level and its separator off a line.
func cutLabel(line string) (l Level, text string, ok bool) {
	for _, at := range separator().FindAllStringIndex(line[:min(len(line), longestLabel)], -1) {
		label, text := line[:at[0]], line[at[1]:]
		if at[0] > 0 && text != "" && isDigit(line[at[0]-1]) && isDigit(text[0]) &&
			!strings.Contains(line[at[0]:at[1]], " ") {
			continue // such as 12:30, or a range
		}
		l, isScore := readLabel(label)
		_, isKnown := wording.Rank(l.Name)
		if l.IsNamed() {
			ok = wording.IsGrade(l.Name) && strings.TrimSpace(label) != ""
		} else {
			ok = l.Name == "" || isKnown || isScore
		}
		if ok {
			return l, strings.TrimLeft(text, " \t*_"), true
		}
	}
	return Level{}, "", false
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// In splits a text into levels, of which it has two or more or none, and the rest.
func In(text string) (rest string, levels []Level) {
	if rest, levels := split(text, func(l Level) bool { return !l.IsNamed() }); AreLevels(levels) || len(levels) > 2 {
		return rest, levels
	}
	if rest, levels := split(text, Level.IsNamed); AreLevels(levels) {
		return rest, levels
	}
	return text, nil
}

// split splits a text into the levels that wanted reports, and the rest.
func split(text string, wanted func(Level) bool) (rest string, levels []Level) {
	var others, more []string // of the last level
	inside := false
	end := func() {
		if len(more) > 0 {
			levels[len(levels)-1].Text += "\n" + strings.Join(more, "\n")
		}
		more = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		level, isLevel := Item(line)
		switch {
		case isLevel && wanted(level):
			end()
			levels = append(levels, level)
			inside = true
		case inside && line != "":
			more = append(more, strings.TrimSpace(line))
		default:
			inside = false
			others = append(others, line)
		}
	}
	end()
	return strings.TrimSpace(strings.Join(others, "\n")), levels
}
